package dev.tidemark.benchmarks.report;

import java.util.List;
import java.util.Locale;

/** Horizontal bars with whiskers, as SVG that is legible on a light ground and needs no scripts. */
public final class BarChart {
  private static final int WIDTH = 760;
  private static final int LEFT = 210;
  private static final int RIGHT = 80;
  private static final int TOP = 56;
  private static final int STEP = 26;
  private static final int THICK = 16;
  private static final String OURS = "#1f6f8b";
  private static final String OTHERS = "#b8c4cc";

  private final String title;
  private final String unit;
  private final List<Bar> bars;

  /**
   * A chart.
   *
   * @param title its head
   * @param unit what the bars' lengths mean
   * @param bars from top to bottom
   */
  public BarChart(String title, String unit, List<Bar> bars) {
    this.title = title;
    this.unit = unit;
    this.bars = List.copyOf(bars);
  }

  /**
   * Draws it.
   *
   * @return an SVG document
   */
  public String render() {
    double top = bars.stream().mapToDouble(Bar::high).max().orElse(1);
    double step = Scale.step(top);
    double end = Math.ceil(top / step) * step;
    int height = TOP + bars.size() * STEP + 34;
    Svg svg = new Svg(WIDTH, height, title);
    svg.text(16, 24, "start", "font-size=\"15\" font-weight=\"600\"", title);
    svg.text(16, 42, "start", "fill=\"#5b6770\"", unit);
    for (double at = 0; at <= end + step / 2; at += step) {
      double x = x(at, end);
      svg.line(x, TOP - 4, x, height - 30, "#e3e8eb", 1);
      svg.text(x, height - 14, "middle", "fill=\"#5b6770\"", number(at));
    }
    for (int i = 0; i < bars.size(); i++) {
      bar(svg, bars.get(i), TOP + i * STEP, end);
    }
    return svg.toString();
  }

  private static void bar(Svg svg, Bar bar, double y, double end) {
    double middle = y + THICK / 2.0;
    svg.text(LEFT - 10, middle + 4, "end", "fill=\"#22292f\"", bar.label());
    svg.rect(LEFT, y, x(bar.value(), end) - LEFT, THICK, bar.isOurs() ? OURS : OTHERS);
    svg.line(x(bar.low(), end), middle, x(bar.high(), end), middle, "#22292f", 1.5);
    for (double tip : new double[] {bar.low(), bar.high()}) {
      svg.line(x(tip, end), middle - 4, x(tip, end), middle + 4, "#22292f", 1.5);
    }
    svg.text(x(bar.high(), end) + 8, middle + 4, "start", "fill=\"#22292f\"", number(bar.value()));
  }

  private static double x(double value, double end) {
    return LEFT + value / end * (WIDTH - LEFT - RIGHT);
  }

  private static String number(double value) {
    return String.format(
        Locale.ROOT, value < 10 && value != Math.rint(value) ? "%.1f" : "%,.0f", value);
  }
}
