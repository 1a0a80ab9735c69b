package dev.tidemark.example.readme;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Every test that a page names is there")
class NamedTestsTest {
  private static final Pattern TEST = Pattern.compile("@\\w*Test\\b");
  private static final Pattern NAMED = Pattern.compile("`(\\w+)#(\\w+)`");

  @ParameterizedTest(name = "docs/{0}")
  @ValueSource(strings = {"peers.md", "mutants.md"})
  void there(String page) throws IOException {
    Map<String, String> sources = sources();
    List<MatchResult> named =
        NAMED.matcher(Files.readString(Path.of("..", "docs", page))).results().toList();
    assertTrue(named.size() > 9, "names too few tests");
    List<String> missing = new ArrayList<>();
    for (MatchResult one : named) {
      if (!isTest(sources.getOrDefault(one.group(1), ""), one.group(2))) {
        missing.add(one.group());
      }
    }
    assertEquals(List.of(), missing);
  }

  /** Whether a test's annotation stands between the method and the one before it. */
  private static boolean isTest(String source, String method) {
    int at = source.indexOf(" void " + method + "(");
    int before = source.lastIndexOf(" void ", at - 1);
    return at >= 0 && TEST.matcher(source.substring(Math.max(0, before), at)).find();
  }

  /** The sources of all modules, by the names of their classes. */
  private static Map<String, String> sources() throws IOException {
    Map<String, String> sources = new HashMap<>();
    try (Stream<Path> modules = Files.list(Path.of(".."))) {
      for (Path folder :
          modules.map(module -> module.resolve("src")).filter(Files::isDirectory).toList()) {
        try (Stream<Path> files = Files.walk(folder)) {
          for (Path file : files.filter(f -> f.toString().endsWith(".java")).toList()) {
            String name = file.getFileName().toString();
            sources.merge( // two modules may have classes of one name
                name.substring(0, name.length() - ".java".length()),
                Files.readString(file),
                String::concat);
          }
        }
      }
    }
    return sources;
  }
}
