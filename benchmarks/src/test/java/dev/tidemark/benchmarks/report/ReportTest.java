package dev.tidemark.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.benchmarks.measure.Probe;
import dev.tidemark.benchmarks.measure.Round;
import dev.tidemark.benchmarks.report.Goal.Verdict;
import dev.tidemark.benchmarks.stats.Estimate;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;

@DisplayName("Reports")
final class ReportTest {
  private static Row row(String technique, double... perSecond) {
    List<Round> rounds =
        Arrays.stream(perSecond)
            .mapToObj(rate -> new Round(100, (long) (100 * 1e9 / rate), 200, 1, 2, 50, 150))
            .toList();
    return new Row("store", technique, 4, rounds, new Probe(0, 2, 2));
  }

  @Test
  @DisplayName("cells with commas, quotes and line breaks are quoted")
  void quoted() {
    Csv csv = Csv.of("a", "b").with("x, y", "he said \"no\"").with(1234.5678, 0.126);
    assertEquals("a,b\n\"x, y\",\"he said \"\"no\"\"\"\n1235,0.13\n", csv.toString());
    assertThrows(IllegalArgumentException.class, () -> csv.with("alone"));
  }

  @Test
  @DisplayName("the table has a line per technique")
  void table() {
    Csv csv = Table.of(List.of(row("one", 1_000, 2_000, 3_000)));
    assertTrue(
        csv.toString().contains("store,one,4,2000,2.00,-,1.00,2.00,2.00,1000,3000,50.00,150"),
        csv.toString());
    assertEquals(2, Table.lines(csv).size());
  }

  @Test
  @DisplayName("a goal holds where the median does, and is unsure where only the interval does")
  void goals() {
    Goal large = Goal.atLeast("large", 0.93, results -> results.number("n"));
    assertEquals(Verdict.HOLDS, large.of(new Estimate(0.93, 0.57, 1.01)));
    assertEquals(Verdict.UNSURE, large.of(new Estimate(0.69, 0.57, 1.01)));
    assertEquals(Verdict.UNSURE, large.of(new Estimate(0.9, 0.8, 0.93)));
    assertEquals(Verdict.MISSED, large.of(new Estimate(0.9, 0.8, 0.92)));
    Goal small = Goal.atMost("small", 10, results -> results.number("n"));
    assertEquals(Verdict.HOLDS, small.of(new Estimate(10, 9, 12)));
    assertEquals(Verdict.UNSURE, small.of(new Estimate(11, 10, 12)));
    assertEquals(Verdict.MISSED, small.of(new Estimate(11, 10.5, 12)));
    assertEquals(Verdict.HOLDS, Goal.told("told", r -> r.number("n")).of(new Estimate(1, 1, 1)));
  }

  @Test
  @DisplayName("a verdict names row, interval and bound, and only what was measured")
  void verdicts() {
    Results results = new Results();
    results.add("n", new Estimate(0.95, 0.9, 0.99));
    results.add(row("one", 1_000, 1_000));
    results.add(row("two", 2_000, 2_000));
    assertEquals(
        Optional.of("goal: x measured=0.95 [0.9, 0.99] wanted=>=1 missed"),
        Goal.atLeast("x", 1, r -> r.number("n")).verdict(results));
    assertEquals(
        Optional.of("goal: x measured=0.95 [0.9, 0.99] wanted=>=0.97 unsure"),
        Goal.atLeast("x", 0.97, r -> r.number("n")).verdict(results));
    assertEquals(
        Optional.of("goal: y measured=2 [2, 2] wanted=told holds"),
        Goal.told("y", r -> r.ratio("store", "two", "one", Round::messagesPerSecond))
            .verdict(results));
    assertEquals(
        Optional.empty(),
        Goal.told("z", r -> r.ratio("store", "two", "none", Round::clientCpu)).verdict(results));
    assertEquals(List.of(), Goals.verdicts(new Results()));
  }

  @Test
  @DisplayName("charts are well-formed SVG with all labels")
  void charts() throws Exception {
    List<Bar> bars = List.of(new Bar("a <b> & c", 1_500, 1_400, 1_620, true), bar("other"));
    String svg = new BarChart("Title", "unit", bars).render();
    Document document = parse(svg);
    assertTrue(document.getDocumentElement().getTextContent().contains("a <b> & c"));
    assertEquals(3, document.getElementsByTagName("rect").getLength());
    LineChart lines = new LineChart("Title", "across", "up");
    lines.add("one", 100, 1);
    lines.add("one", 1_000, 2);
    Document drawn = parse(lines.render());
    assertEquals(2, drawn.getElementsByTagName("circle").getLength());
    assertTrue(!lines.render().contains("NaN"));
  }

  private static Bar bar(String label) {
    return new Bar(label, 700, 650, 720, false);
  }

  private static Document parse(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  @DisplayName("a page's block is replaced, and the rest stays")
  void page() {
    Page page = new Page("head\n<!-- a -->\nold\n<!-- /a -->\nfoot\n");
    assertEquals(
        "head\n<!-- a -->\nnew\n<!-- /a -->\nfoot\n", page.with("a", "new\n\n").toString());
    assertThrows(IllegalArgumentException.class, () -> page.with("b", "new"));
    assertEquals("| a |\n|---|\n| 1 |\n", Csv.of("a", "b").with("1", "2").markdown(1));
  }

  @Test
  @DisplayName("axes step by 1, 2 or 5")
  void scale() {
    assertEquals(1_000, Scale.step(4_600));
    assertEquals(0.5, Scale.step(2.9), 1e-9);
    assertEquals(2, Scale.step(12), 1e-9);
  }
}
