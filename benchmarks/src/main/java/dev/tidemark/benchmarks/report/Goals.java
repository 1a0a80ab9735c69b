package dev.tidemark.benchmarks.report;

import static dev.tidemark.benchmarks.report.Goal.atLeast;
import static dev.tidemark.benchmarks.report.Goal.atMost;
import static dev.tidemark.benchmarks.report.Goal.told;

import dev.tidemark.benchmarks.stats.Estimate;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** All goals. A run tells of those that it measured; a further goal is one more entry. */
public final class Goals {
  private static final String DYNAMODB = "dynamodb";
  private static final String MONGODB = "mongodb";
  private static final String HAND = "hand-written";
  private static final String BATCHES = "Tidemark, batches of 10";
  private static final String FUNCTIONS = "Tidemark apply, batches of 10";
  private static final String CACHE = "Tidemark apply, mark cache";

  private static final List<Goal> ALL =
      List.of(
          atLeast("dynamodb native / hand-written", 0.97, hand(DYNAMODB, "Tidemark native")),
          atLeast("dynamodb portable / hand-written", 0.95, hand(DYNAMODB, "Tidemark portable")),
          atLeast("dynamodb extension / hand-written", 0.93, hand(DYNAMODB, "Tidemark extension")),
          atLeast("dynamodb native / transaction", 2.5, nativeOver(DYNAMODB, "transaction")),
          atLeast("dynamodb native / Powertools", 2.2, nativeOver(DYNAMODB, "Powertools")),
          told("dynamodb hand-written / transaction", ratio(DYNAMODB, HAND, "transaction")),
          told("dynamodb hand-written / Powertools", ratio(DYNAMODB, HAND, "Powertools")),
          told(
              "dynamodb native / hand-written, both returning",
              ratio(DYNAMODB, "Tidemark native, returning", "hand-written, returning")),
          told("dynamodb its request / hand-written", hand(DYNAMODB, "its request by hand")),
          told("dynamodb native / its request", nativeOver(DYNAMODB, "its request by hand")),
          told(
              "dynamodb async, 64 in flight / native, 4 threads",
              ratio(DYNAMODB, "Tidemark async", "Tidemark native")),
          told(
              "dynamodb async / hand-written async, both 64 in flight",
              ratio(DYNAMODB, "Tidemark async", "hand-written async")),
          atLeast("mongodb native / hand-written", 0.97, hand(MONGODB, "Tidemark native")),
          told("mongodb portable / hand-written", hand(MONGODB, "Tidemark portable")),
          atLeast("mongodb native / transaction", 1.5, nativeOver(MONGODB, "transaction")),
          told("mongodb hand-written / transaction", ratio(MONGODB, HAND, "transaction")),
          atMost(
              "dynamodb requests per message, update in batches of 10",
              0.11,
              requests(DYNAMODB, BATCHES)),
          atMost(
              "dynamodb requests per message, apply in batches of 10",
              0.15,
              requests(DYNAMODB, FUNCTIONS)),
          atMost(
              "mongodb requests per message, update in batches of 10",
              0.11,
              requests(MONGODB, BATCHES)),
          atMost(
              "mongodb requests per message, apply in batches of 10",
              0.15,
              requests(MONGODB, FUNCTIONS)),
          atLeast("dynamodb batches of 10 / hand-written one by one", 4, hand(DYNAMODB, BATCHES)),
          atLeast("mongodb batches of 10 / hand-written one by one", 4, hand(MONGODB, BATCHES)),
          atMost("dynamodb requests per duplicate, mark cache", 0, duplicates(DYNAMODB, CACHE)),
          atMost("mongodb requests per duplicate, mark cache", 0, duplicates(MONGODB, CACHE)),
          atLeast(
              "mongodb bulk of 100 entities / one by one",
              5,
              ratio(MONGODB, "Tidemark, bulk of 100 entities", "Tidemark portable")),
          atMost("dynamodb library time, p50 in us", 10, number("dynamodb library us")),
          atMost("dynamodb library allocation, bytes", 2048, number("dynamodb library bytes")),
          atMost("mongodb library time, p50 in us", 10, number("mongodb library us")),
          atMost("mongodb library allocation, bytes", 2048, number("mongodb library bytes")),
          atMost(
              "mongodb oplog bytes per message, 10,000 ids kept",
              500,
              number("mongodb oplog bytes, 10000 ids")),
          grown("dynamodb", "high water", "requests"),
          grown("dynamodb", "high water", "units"),
          grown("dynamodb", "window(100)", "requests"),
          grown("dynamodb", "window(100)", "units"),
          grown("dynamodb", "kept for, 20 in the horizon", "requests"),
          grown("dynamodb", "kept for, 20 in the horizon", "units"),
          grown("mongodb", "high water", "requests"),
          grown("mongodb", "window(100)", "requests"),
          grown("mongodb", "kept for, 20 in the horizon", "requests"));

  private Goals() {}

  /**
   * The goals.
   *
   * @return in the order in which they are told
   */
  public static List<Goal> all() {
    return ALL;
  }

  /**
   * What a run says of them.
   *
   * @param results what it measured
   * @return a line for each goal that it measured
   */
  public static List<String> verdicts(Results results) {
    return ALL.stream().flatMap(goal -> goal.verdict(results).stream()).toList();
  }

  private static Function<Results, Optional<Estimate>> ratio(
      String store, String technique, String other) {
    return results -> results.ratio(store, technique, other);
  }

  private static Function<Results, Optional<Estimate>> hand(String store, String technique) {
    return ratio(store, technique, HAND);
  }

  private static Function<Results, Optional<Estimate>> nativeOver(String store, String other) {
    return ratio(store, "Tidemark native", other);
  }

  private static Goal grown(String store, String policy, String what) {
    return atMost(
        store + " message 100,000 / number 100, " + policy + ", " + what,
        1.05,
        number(store + " growth, " + policy + ", " + what));
  }

  private static Function<Results, Optional<Estimate>> requests(String store, String technique) {
    return results ->
        results.row(store, technique).map(row -> Estimate.exactly(row.requestsPerMessage()));
  }

  private static Function<Results, Optional<Estimate>> duplicates(String store, String technique) {
    return results ->
        results.row(store, technique).map(row -> Estimate.exactly(row.probe().duplicateRequests()));
  }

  private static Function<Results, Optional<Estimate>> number(String name) {
    return results -> results.number(name);
  }
}
