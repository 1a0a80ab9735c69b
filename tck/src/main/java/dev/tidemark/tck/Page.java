package dev.tidemark.tck;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A page whose sections have tables with a column for each configuration. */
final class Page {
  private final Path file;
  private final List<String> lines;

  private Page(Path file, List<String> lines) {
    this.file = file;
    this.lines = lines;
  }

  /** Finds {@code docs/guarantees.md} in the working folder or one above it. */
  static Optional<Path> find() {
    Path folder = Path.of("").toAbsolutePath();
    for (Path at = folder; at != null; at = at.getParent()) {
      Path file = at.resolve("docs").resolve("guarantees.md");
      if (Files.isRegularFile(file)) {
        return Optional.of(file);
      }
    }
    return Optional.empty();
  }

  static Page read(Path file) {
    try {
      return new Page(file, new ArrayList<>(Files.readAllLines(file)));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Changes a page, which suites in other processes may be changing too. */
  static void rewrite(Path file, Consumer<Page> change) {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        FileLock alone = channel.lock()) {
      Page page = read(file);
      change.accept(page);
      Files.write(file, page.lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A configuration's cells, by row. */
  Map<String, String> column(String section, String name) {
    Map<String, String> column = new LinkedHashMap<>();
    table(section)
        .forEach(
            (row, cells) -> {
              if (cells.containsKey(name) && !cells.get(name).isEmpty()) {
                column.put(row, cells.get(name));
              }
            });
    return column;
  }

  /** All cells of a section's table, by row and column. */
  private Map<String, Map<String, String>> table(String section) {
    Map<String, Map<String, String>> table = new LinkedHashMap<>();
    List<String> rows = lines.subList(start(section), end(section));
    List<String> head = rows.isEmpty() ? List.of() : cells(rows.get(0));
    for (String row : rows.subList(Math.min(2, rows.size()), rows.size())) {
      List<String> cells = cells(row);
      Map<String, String> named = new TreeMap<>();
      for (int i = 1; i < cells.size(); i++) {
        named.put(head.get(i), cells.get(i));
      }
      table.put(cells.get(0), named);
    }
    return table;
  }

  private static List<String> cells(String row) {
    String inner = row.substring(1, row.lastIndexOf('|'));
    return Arrays.stream(inner.split("\\|", -1)).map(String::strip).toList();
  }

  private int start(String section) {
    int at = lines.indexOf("## " + section);
    while (at >= 0 && at < lines.size() && !lines.get(at).startsWith("|")) {
      at++;
    }
    if (at < 0 || at == lines.size()) {
      throw new IllegalStateException(file.getFileName() + " has no table '" + section + "'");
    }
    return at;
  }

  private int end(String section) {
    int at = start(section);
    while (at < lines.size() && lines.get(at).startsWith("|")) {
      at++;
    }
    return at;
  }

  /** Replaces one column; rows that no configuration has any more go. */
  void write(String section, String name, Map<String, String> column) {
    Map<String, Map<String, String>> table = table(section);
    table.values().forEach(cells -> cells.remove(name));
    Map<String, Map<String, String>> ordered = new LinkedHashMap<>();
    column.forEach(
        (row, cell) -> {
          Map<String, String> cells = new TreeMap<>(table.getOrDefault(row, Map.of()));
          cells.put(name, cell);
          ordered.put(row, cells);
        });
    table.forEach(ordered::putIfAbsent);
    ordered.values().removeIf(cells -> cells.values().stream().allMatch(String::isEmpty));
    List<String> names =
        Stream.concat(
                ordered.values().stream().flatMap(cells -> cells.keySet().stream()),
                Stream.of(name))
            .distinct()
            .sorted()
            .toList();
    List<String> rendered = render(cells(lines.get(start(section))).get(0), names, ordered);
    List<String> old = lines.subList(start(section), end(section));
    old.clear();
    old.addAll(rendered);
  }

  private static List<String> render(
      String corner, List<String> names, Map<String, Map<String, String>> table) {
    List<String> rendered = new ArrayList<>();
    rendered.add("| " + corner + " | " + String.join(" | ", names) + " |");
    rendered.add("|---|" + "---|".repeat(names.size()));
    table.forEach(
        (row, cells) ->
            rendered.add(
                "| "
                    + row
                    + " | "
                    + names.stream()
                        .map(n -> cells.getOrDefault(n, ""))
                        .collect(Collectors.joining(" | "))
                    + " |"));
    return rendered;
  }
}
