package dev.tidemark.tck;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Holds the page of guarantees to what a suite found: {@code docs/guarantees.md} has a column for
 * each configuration that is named there. With {@code -Dtidemark.guarantees=write} the column is
 * written instead.
 */
final class Guarantees {
  private static final boolean WRITE = "write".equals(System.getProperty("tidemark.guarantees"));

  private Guarantees() {}

  static void check(Backend backend, Report report) {
    if (!report.requests().isEmpty()) {
      System.out.println(report.printed(backend.name()));
    }
    Optional<Path> file = Page.find();
    if (file.isEmpty() || !report.isComplete()) {
      return;
    }
    Map<String, Map<String, String>> sections = new LinkedHashMap<>();
    sections.put("Laws", report.laws());
    sections.put("Requests", report.requests());
    sections.put("Missing capabilities", report.sentences(backend));
    if (WRITE) {
      Page.rewrite(
          file.get(),
          page ->
              sections.forEach((section, column) -> page.write(section, backend.name(), column)));
      return;
    }
    Page page = Page.read(file.get());
    if (page.column("Laws", backend.name()).isEmpty()) {
      System.out.println(
          "docs/guarantees.md has no column '"
              + backend.name()
              + "'; -Dtidemark.guarantees=write adds it");
    } else {
      sections.forEach((section, column) -> compare(page, section, backend.name(), column));
    }
  }

  private static void compare(Page page, String section, String name, Map<String, String> ran) {
    Map<String, String> committed = page.column(section, name);
    if (!committed.equals(ran)) {
      Map<String, String> differing = new LinkedHashMap<>(ran);
      differing.entrySet().removeAll(committed.entrySet());
      committed.keySet().stream()
          .filter(row -> !ran.containsKey(row))
          .forEach(row -> differing.put(row, "did not run"));
      throw new AssertionError(
          "column '"
              + name
              + "' of '"
              + section
              + "' in docs/guarantees.md differs from what ran, in "
              + differing
              + "; -Dtidemark.guarantees=write writes it");
    }
  }
}
