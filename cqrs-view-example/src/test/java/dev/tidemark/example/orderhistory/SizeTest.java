package dev.tidemark.example.orderhistory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The example is short:")
class SizeTest {
  private static final Path SOURCES =
      Path.of("src", "main", "java", "dev", "tidemark", "example", "orderhistory");

  /** What a team would deploy; lower it with the code. */
  private static final long MOST_LINES = 2_994;

  private static long codeLines(String file) {
    try (Stream<String> lines = Files.lines(SOURCES.resolve(file))) {
      return lines
          .map(String::strip)
          .filter(line -> !line.isEmpty() && !line.matches("(/\\*|\\*|//|import |package ).*"))
          .count();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @DisplayName("both views of three aggregates take less than 120 lines of code, both projectors")
  void business() {
    long lines =
        Stream.of("OrderHistory.java", "ConsumerSpending.java", "Views.java")
            .mapToLong(SizeTest::codeLines)
            .sum();
    System.out.println("business code of both views: " + lines + " lines");
    assertTrue(lines < 120, lines + " lines of code, and fewer than 120 are wanted");
  }

  @Test
  @DisplayName("all of it takes no more lines of code than it did when this was counted last")
  void all() throws IOException {
    try (Stream<Path> files = Files.walk(SOURCES)) {
      long lines =
          files
              .filter(file -> file.toString().endsWith(".java"))
              .mapToLong(file -> codeLines(SOURCES.relativize(file).toString()))
              .sum();
      System.out.println("the example: " + lines + " lines");
      assertTrue(lines <= MOST_LINES, lines + " lines of code, and at most " + MOST_LINES);
    }
  }

  @Test
  @DisplayName("no carrier has more than 150 lines, its documentation included")
  void carriers() throws IOException {
    List<String> tooLong =
        Stream.of("carrier", "lambda").flatMap(SizeTest::files).filter(SizeTest::isLong).toList();
    assertEquals(List.of(), tooLong);
  }

  private static Stream<String> files(String folder) {
    try (Stream<Path> files = Files.list(SOURCES.resolve(folder))) {
      return files.map(file -> folder + "/" + file.getFileName()).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isLong(String file) {
    try (Stream<String> lines = Files.lines(SOURCES.resolve(file))) {
      return lines.count() > 150;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
