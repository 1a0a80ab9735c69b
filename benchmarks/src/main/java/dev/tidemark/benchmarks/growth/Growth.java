package dev.tidemark.benchmarks.growth;

import dev.tidemark.benchmarks.report.Csv;
import dev.tidemark.benchmarks.report.Goals;
import dev.tidemark.benchmarks.report.LineChart;
import dev.tidemark.benchmarks.report.Output;
import dev.tidemark.benchmarks.report.Page;
import dev.tidemark.benchmarks.report.Results;
import dev.tidemark.benchmarks.stats.Estimate;
import java.util.List;

/** What a message costs as its entity receives more of them, from more sources, by more threads. */
public final class Growth {
  private static final int[] MESSAGES = {100, 1_000, 10_000, 100_000};
  private static final int MEASURED = 1_000;
  private static final int COLUMNS = 9;
  private static final int FEWEST = 10;
  private static final int WARM_UP = 3_000;

  private final int most;
  private final Results results = new Results();
  private final LineChart chart =
      new LineChart("Median time of a message", "messages before it", "ms");
  private Csv csv =
      Csv.of(
          "store",
          "series",
          "x",
          "requests_per_message",
          "units_per_message",
          "p50_ms",
          "p99_ms",
          "oplog_bytes",
          "msg_per_s");

  /**
   * A run.
   *
   * @param most to how many messages entities grow
   */
  public Growth(int most) {
    this.most = most;
  }

  /**
   * Measures one store.
   *
   * @param target the store
   */
  public void measure(Target target) {
    System.out.println(csv.padded(0, 9, 34, 8, 21, 18, 7, 7, 12, 9));
    warmUp(target);
    messages(target);
    new Sources(target).run().forEach((x, cost) -> tell(target, "sources", x, cost));
    new Threads(target.store())
        .run()
        .forEach(
            (series, rates) ->
                rates.forEach(
                    (x, rate) ->
                        add(target.store().name(), series, x, "-", "-", "-", "-", "-", rate)));
  }

  private static void warmUp(Target target) {
    for (Case policy : Case.all(target.idsThatFit())) {
      new GrowingEntity(target, policy, "warmth " + policy.name()).fill(WARM_UP);
    }
  }

  private void messages(Target target) {
    String store = target.store().name();
    for (Case policy : Case.all(target.idsThatFit())) {
      GrowingEntity entity = new GrowingEntity(target, policy, "grown " + policy.name());
      for (int count : MESSAGES) {
        if (count > most || count + FEWEST > policy.most()) {
          break;
        }
        entity.fill(count);
        Cost cost = entity.measure(Math.min(MEASURED, policy.most() - count));
        tell(target, policy.name(), count, cost);
        chart.add(store + ", " + policy.name(), count, cost.p50());
        if (count == 10_000 && policy.name().equals("for ever") && cost.oplogBytes() > 0) {
          results.add("mongodb oplog bytes, 10000 ids", Estimate.exactly(cost.oplogBytes()));
        }
      }
      compare(target, entity);
    }
  }

  /** What a message of the grown entity costs, by what one of a young entity does. */
  private void compare(Target target, GrowingEntity grown) {
    int last = MESSAGES[MESSAGES.length - 1];
    if (most < last || grown.policy().most() < last) {
      return;
    }
    GrowingEntity young =
        new GrowingEntity(target, grown.policy(), "young " + grown.policy().name());
    young.fill(MESSAGES[0]);
    Cost late = grown.measure(MEASURED);
    Cost early = young.measure(MEASURED);
    String name = target.store().name() + " growth, " + grown.policy().name();
    results.add(name + ", requests", Estimate.exactly(late.requests() / early.requests()));
    if (early.units() > 0) {
      results.add(name + ", units", Estimate.exactly(late.units() / early.units()));
    }
  }

  private void tell(Target target, String series, long x, Cost cost) {
    add(
        target.store().name(),
        series,
        x,
        cost.requests(),
        cost.units() == 0 ? "-" : cost.units(),
        cost.p50(),
        cost.p99(),
        cost.oplogBytes() == 0 ? "-" : cost.oplogBytes(),
        "-");
  }

  private void add(Object... cells) {
    csv = csv.with(cells);
    System.out.println(csv.padded(csv.size() - 1, 9, 34, 8, 21, 18, 7, 7, 12, 9));
  }

  /**
   * Tells what was measured.
   *
   * @param output where the results go
   */
  public void report(Output output) {
    List<String> verdicts = Goals.verdicts(results);
    verdicts.forEach(System.out::println);
    output.write("growth.csv", csv.toString());
    output.write("growth.svg", chart.render());
    output.page("growth", csv.markdown(COLUMNS) + "\n" + Page.printed(verdicts));
  }
}
