package dev.tidemark.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** A table as comma-separated values, with a head. Immutable. */
public final class Csv {
  private final List<List<String>> lines;

  private Csv(List<List<String>> lines) {
    this.lines = lines;
  }

  /**
   * An empty table.
   *
   * @param head the columns
   * @return the table
   */
  public static Csv of(String... head) {
    return new Csv(List.of(List.of(head)));
  }

  /**
   * Adds a line.
   *
   * @param cells text, or numbers
   * @return the table with that line
   * @throws IllegalArgumentException if there are more or fewer cells than columns
   */
  public Csv with(Object... cells) {
    if (cells.length != lines.get(0).size()) {
      throw new IllegalArgumentException(
          cells.length + " cells for " + lines.get(0).size() + " columns");
    }
    List<List<String>> more = new ArrayList<>(lines);
    more.add(List.of(cells).stream().map(Csv::shown).toList());
    return new Csv(more);
  }

  private static String shown(Object cell) {
    if (!(cell instanceof Double number)) {
      return cell.toString();
    }
    return Math.abs(number) >= 100
        ? String.format(Locale.ROOT, "%.0f", number)
        : String.format(Locale.ROOT, "%.2f", number);
  }

  private static String quoted(String cell) {
    return cell.matches("(?s).*[\",\\n].*") ? '"' + cell.replace("\"", "\"\"") + '"' : cell;
  }

  /**
   * The cells of a line as a person reads them, under those of the head.
   *
   * @param line from 0, the head
   * @param widths of the columns
   * @return one line
   */
  public String padded(int line, int... widths) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      text.append(String.format(Locale.ROOT, "%-" + widths[i] + "s ", lines.get(line).get(i)));
    }
    return text.toString().stripTrailing();
  }

  /**
   * How many lines there are.
   *
   * @return with the head
   */
  public int size() {
    return lines.size();
  }

  /**
   * The first columns as a table.
   *
   * @param columns how many
   * @return Markdown
   */
  public String markdown(int columns) {
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      text.append("| ").append(String.join(" | ", line.subList(0, columns))).append(" |\n");
      if (line == lines.get(0)) {
        text.append("|---".repeat(columns)).append("|\n");
      }
    }
    return text.toString();
  }

  /** The file's text. */
  @Override
  public String toString() {
    return lines.stream()
        .map(line -> line.stream().map(Csv::quoted).collect(Collectors.joining(",")) + "\n")
        .collect(Collectors.joining());
  }
}
