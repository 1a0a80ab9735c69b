package dev.tidemark.benchmarks.report;

import java.util.List;

/** A page of the docs in which runs replace blocks between comments of their own. Immutable. */
public final class Page {
  private final String text;

  /**
   * A page.
   *
   * @param text as Markdown
   */
  public Page(String text) {
    this.text = text;
  }

  /**
   * Replaces what stands between {@code <!-- block -->} and {@code <!-- /block -->}.
   *
   * @param block the block's name
   * @param content its new text
   * @return the page with that text
   * @throws IllegalArgumentException if the page has no such block
   */
  public Page with(String block, String content) {
    String start = "<!-- " + block + " -->\n";
    int from = text.indexOf(start);
    int to = text.indexOf("<!-- /" + block + " -->");
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("the page has no block '" + block + "'");
    }
    String before = text.substring(0, from + start.length());
    return new Page(before + content.strip() + "\n" + text.substring(to));
  }

  /**
   * Lines as they were printed.
   *
   * @param lines some lines
   * @return a block of code
   */
  public static String printed(List<String> lines) {
    return "```\n" + String.join("\n", lines) + "\n```\n";
  }

  /** The page's text. */
  @Override
  public String toString() {
    return text;
  }
}
