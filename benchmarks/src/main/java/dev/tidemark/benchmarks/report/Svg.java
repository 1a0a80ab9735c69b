package dev.tidemark.benchmarks.report;

import java.util.Locale;

/** Writes an SVG document, shape by shape. For one thread. */
final class Svg {
  private final StringBuilder text = new StringBuilder();

  Svg(int width, int height, String title) {
    add(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
            + " role=\"img\" font-family=\"Helvetica, Arial, sans-serif\" font-size=\"12\">",
        width, height, width, height);
    add("<title>%s</title>", escaped(title));
    rect(0, 0, width, height, "#ffffff");
  }

  void rect(double x, double y, double width, double height, String fill) {
    add(
        "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"/>",
        x, y, Math.max(0, width), height, fill);
  }

  void line(double x1, double y1, double x2, double y2, String stroke, double width) {
    add(
        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"%s\" stroke-width=\"%.1f\"/>",
        x1, y1, x2, y2, stroke, width);
  }

  void circle(double x, double y, double radius, String fill) {
    add("<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\" fill=\"%s\"/>", x, y, radius, fill);
  }

  void text(double x, double y, String anchor, String style, String content) {
    add(
        "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\" %s>%s</text>",
        x, y, anchor, style, escaped(content));
  }

  private void add(String format, Object... arguments) {
    text.append(String.format(Locale.ROOT, format, arguments)).append('\n');
  }

  private static String escaped(String content) {
    return content
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  @Override
  public String toString() {
    return text + "</svg>\n";
  }
}
