package dev.tidemark.example.readme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Every Java snippet of the README and of its pages is cut from a test that runs")
class ReadmeTest {
  private static final List<Path> PAGES =
      List.of(
          Path.of("..", "README.md"),
          Path.of("..", "docs", "idempotency-keys.md"),
          Path.of("..", "docs", "carriers.md"),
          Path.of("..", "docs", "clusters.md"),
          Path.of("..", "docs", "consumers.md"),
          Path.of("..", "docs", "dynamodb.md"),
          Path.of("..", "docs", "inbox.md"),
          Path.of("..", "docs", "lambda.md"),
          Path.of("..", "docs", "migrations.md"),
          Path.of("..", "docs", "mongodb.md"),
          Path.of("..", "docs", "operations.md"),
          Path.of("..", "docs", "operating-outbox.md"),
          Path.of("..", "docs", "outbox.md"),
          Path.of("..", "docs", "powertools.md"),
          Path.of("..", "docs", "projectors.md"),
          Path.of("..", "docs", "spring.md"),
          Path.of("..", "docs", "spring-reference.md"),
          Path.of("..", "docs", "start.md"),
          Path.of("..", "docs", "transactions.md"));
  private static final Pattern RATE = Pattern.compile("(?<=\\| )(\\d+,\\d{3})(?= \\|)");
  private static final Pattern VERSION = Pattern.compile("<version>(\\d+\\.[\\w.-]+)</version>");
  private static final List<Path> SOURCES =
      List.of(
          Path.of("src", "main", "java"),
          Path.of("src", "test", "java"),
          Path.of("..", "opentelemetry", "src", "test", "java"),
          Path.of("..", "spring", "src", "test", "java"));

  @Test
  @DisplayName("to the letter")
  void snippets() throws IOException {
    Map<String, String> regions = regions();
    for (Path page : PAGES) {
      check(page, Files.readAllLines(page), regions);
    }
  }

  @Test
  @DisplayName("and the README itself is read in a minute")
  void minute() throws IOException {
    int lines = Files.readAllLines(PAGES.get(0)).size();
    assertTrue(lines <= 180, "README has " + lines + " lines, and 180 at most are wanted");
  }

  @Test
  @DisplayName("and its rates are those that were measured")
  void rates() throws IOException {
    String measured = Files.readString(Path.of("..", "docs", "performance.md"));
    int checked = 0;
    for (MatchResult rate : RATE.matcher(Files.readString(PAGES.get(0))).results().toList()) {
      String cell = "| " + rate.group(1).replace(",", "") + " |";
      assertTrue(measured.contains(cell), "docs/performance.md has no rate of " + rate.group(1));
      checked++;
    }
    assertTrue(checked > 9, "found " + checked + " rates");
  }

  @Test
  @DisplayName("and the projects of docs/start.md and docs/spring.md have the build's versions")
  void versions() throws IOException {
    String projects =
        Files.readString(Path.of("..", "docs", "start", "pom.xml"))
            + Files.readString(Path.of("..", "docs", "spring", "pom.xml"));
    String build = Files.readString(Path.of("..", "pom.xml"));
    int checked = 0;
    for (MatchResult named : VERSION.matcher(projects).results().toList()) {
      assertTrue(
          build.contains(">" + named.group(1) + "<"), "the build has no version " + named.group(1));
      checked++;
    }
    assertTrue(checked > 10, "found " + checked + " versions");
  }

  @Test
  @DisplayName("and the settings of docs/spring.md are those of its test")
  void settings() throws IOException {
    Path settings = Path.of("..", "spring", "src", "test", "resources", "application.properties");
    String page = Files.readString(Path.of("..", "docs", "spring.md"));
    assertTrue(page.contains("```properties\n" + Files.readString(settings) + "```\n"), page);
  }

  private static void check(Path page, List<String> lines, Map<String, String> regions) {
    int checked = 0;
    for (int i = 0; i < lines.size(); i++) {
      if (!lines.get(i).equals("```java")) {
        continue;
      }
      String marker = lines.get(i - 1);
      assertTrue(
          marker.startsWith("<!-- snippet: "),
          "unmarked snippet at line " + (i + 1) + " of " + page);
      String name = marker.substring("<!-- snippet: ".length(), marker.length() - " -->".length());
      int end = i + 1 + lines.subList(i + 1, lines.size()).indexOf("```");
      String shown = String.join("\n", lines.subList(i + 1, end));
      assertEquals(regions.get(name), shown, "snippet " + name);
      checked++;
    }
    assertFalse(checked == 0, "no snippet in " + page);
  }

  private static Map<String, String> regions() throws IOException {
    Map<String, String> regions = new LinkedHashMap<>();
    for (Path sources : SOURCES) {
      try (Stream<Path> files = Files.walk(sources)) {
        for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
          collect(Files.readAllLines(file), regions);
        }
      }
    }
    return regions;
  }

  private static void collect(List<String> lines, Map<String, String> regions) {
    List<String> open = null;
    String name = "";
    for (String line : lines) {
      String text = line.strip();
      if (text.startsWith("// snippet: ")) {
        name = text.substring("// snippet: ".length());
        open = new ArrayList<>();
      } else if (text.equals("// end") && open != null) {
        regions.put(name, withoutIndent(open));
        open = null;
      } else if (open != null) {
        open.add(line);
      }
    }
  }

  private static String withoutIndent(List<String> lines) {
    int indent =
        lines.stream()
            .filter(line -> !line.isBlank())
            .mapToInt(line -> line.length() - line.stripLeading().length())
            .min()
            .orElse(0);
    return lines.stream()
        .map(line -> line.isBlank() ? "" : line.substring(indent))
        .collect(Collectors.joining("\n"))
        .stripTrailing();
  }
}
