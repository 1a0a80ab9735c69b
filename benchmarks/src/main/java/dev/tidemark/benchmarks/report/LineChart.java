package dev.tidemark.benchmarks.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Lines over a logarithmic axis, with a legend, as SVG. For one thread. */
public final class LineChart {
  private static final int WIDTH = 860;
  private static final int HEIGHT = 400;
  private static final int LEFT = 60;
  private static final int RIGHT = 380;
  private static final int TOP = 56;
  private static final int BOTTOM = 48;
  private static final List<String> COLOURS =
      List.of(
          "#1f6f8b", "#d1495b", "#edae49", "#66a182", "#5b4b8a", //
          "#8a8d91", "#2e4057", "#c06c2b", "#7fb7be", "#a23b72", "#7a5c3e", "#b5c33a");

  private final String title;
  private final String across;
  private final String up;
  private final Map<String, NavigableMap<Double, Double>> lines = new LinkedHashMap<>();

  /**
   * An empty chart.
   *
   * @param title its head
   * @param across what the axis to the right means
   * @param up what the axis upwards means
   */
  public LineChart(String title, String across, String up) {
    this.title = title;
    this.across = across;
    this.up = up;
  }

  /**
   * Adds a point.
   *
   * @param line the line's name
   * @param x its place, 1 or more
   * @param y its height
   */
  public void add(String line, double x, double y) {
    lines.computeIfAbsent(line, name -> new TreeMap<>()).put(x, y);
  }

  /**
   * Draws it.
   *
   * @return an SVG document
   */
  public String render() {
    double step = Scale.step(highest());
    double top = Math.ceil(highest() / step) * step;
    Svg svg = new Svg(WIDTH, HEIGHT, title);
    svg.text(16, 24, "start", "font-size=\"15\" font-weight=\"600\"", title);
    svg.text(16, 42, "start", "fill=\"#5b6770\"", up);
    for (double at = 0; at <= top + step / 2; at += step) {
      svg.line(LEFT, y(at, top), WIDTH - RIGHT, y(at, top), "#e3e8eb", 1);
      svg.text(LEFT - 8, y(at, top) + 4, "end", "fill=\"#5b6770\"", number(at));
    }
    for (double at = 1; at <= furthest(); at *= 10) {
      if (at >= nearest()) {
        svg.text(x(at), HEIGHT - BOTTOM + 18, "middle", "fill=\"#5b6770\"", number(at));
      }
    }
    svg.text((LEFT + WIDTH - RIGHT) / 2.0, HEIGHT - 10, "middle", "fill=\"#5b6770\"", across);
    int index = 0;
    for (Map.Entry<String, NavigableMap<Double, Double>> line : lines.entrySet()) {
      draw(svg, line.getKey(), line.getValue(), index++, top);
    }
    return svg.toString();
  }

  private void draw(
      Svg svg, String name, NavigableMap<Double, Double> points, int index, double top) {
    String colour = COLOURS.get(index % COLOURS.size());
    Map.Entry<Double, Double> before = null;
    for (Map.Entry<Double, Double> point : points.entrySet()) {
      if (before != null) {
        double from = y(before.getValue(), top);
        svg.line(x(before.getKey()), from, x(point.getKey()), y(point.getValue(), top), colour, 2);
      }
      svg.circle(x(point.getKey()), y(point.getValue(), top), 3, colour);
      before = point;
    }
    double legend = TOP + index * 20.0;
    svg.rect(WIDTH - RIGHT + 24, legend - 9, 14, 10, colour);
    svg.text(WIDTH - RIGHT + 46, legend, "start", "fill=\"#22292f\"", name);
  }

  private double highest() {
    return lines.values().stream().flatMap(l -> l.values().stream()).reduce(1e-3, Math::max);
  }

  private double furthest() {
    return lines.values().stream().map(NavigableMap::lastKey).reduce(10.0, Math::max);
  }

  private double nearest() {
    return lines.values().stream().map(NavigableMap::firstKey).reduce(furthest(), Math::min);
  }

  private double x(double at) {
    double share = Math.log(at / nearest()) / Math.log(Math.max(10, furthest() / nearest()));
    return LEFT + share * (WIDTH - RIGHT - LEFT);
  }

  private static double y(double at, double top) {
    return HEIGHT - BOTTOM - at / top * (HEIGHT - BOTTOM - TOP);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value == Math.rint(value) ? "%,.0f" : "%.1f", value);
  }
}
