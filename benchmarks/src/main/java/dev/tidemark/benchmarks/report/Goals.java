package dev.tidemark.benchmarks.report;

import static dev.tidemark.benchmarks.report.Goal.atLeast;
import static dev.tidemark.benchmarks.report.Goal.atMost;
import static dev.tidemark.benchmarks.report.Goal.told;

import dev.tidemark.benchmarks.measure.Round;
import dev.tidemark.benchmarks.stats.Estimate;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** All goals. A run tells of those that it measured; a further goal is one more entry. */
public final class Goals {
  private static final String DYNAMODB = "dynamodb";
  private static final String MONGODB = "mongodb";
  private static final String HAND = "hand-written";
  private static final String NATIVE = "Tidemark native";
  private static final String BATCHES = "Tidemark, batches of 10";
  private static final String FUNCTIONS = "Tidemark apply, batches of 10";
  private static final String CACHE = "Tidemark apply, mark cache";

  private static final String KEY = "Tidemark key";
  private static final String COMPLETING = "Tidemark key, completing write";
  private static final String INBOX = "Tidemark inbox";

  private static final List<Goal> OF_TECHNIQUES =
      List.of(
          atLeast("dynamodb native / hand-written", 0.95, hand(DYNAMODB, NATIVE)),
          atMost(
              "dynamodb native / hand-written, processor time of the client a message",
              1.25,
              byHand(DYNAMODB, Round::clientCpu)),
          atLeast("dynamodb portable / hand-written", 0.95, hand(DYNAMODB, "Tidemark portable")),
          atLeast("dynamodb extension / hand-written", 0.93, hand(DYNAMODB, "Tidemark extension")),
          atLeast("dynamodb by message ID / hand-written by message ID", 0.88, byId(DYNAMODB)),
          atLeast("dynamodb native / transaction", 2.3, nativeOver(DYNAMODB, "transaction")),
          atLeast("dynamodb native / Powertools", 2.1, nativeOver(DYNAMODB, "Powertools")),
          told("dynamodb hand-written / transaction", ratio(DYNAMODB, HAND, "transaction")),
          told("dynamodb hand-written / Powertools", ratio(DYNAMODB, HAND, "Powertools")),
          told(
              "dynamodb native / hand-written, both returning",
              ratio(DYNAMODB, "Tidemark native, returning", "hand-written, returning")),
          told("dynamodb its request / hand-written", hand(DYNAMODB, "its request by hand")),
          told("dynamodb native / its request", nativeOver(DYNAMODB, "its request by hand")),
          told(
              "dynamodb async, 64 in flight / native, 4 threads",
              ratio(DYNAMODB, "Tidemark async", NATIVE)),
          told(
              "dynamodb async / hand-written async, both 64 in flight",
              ratio(DYNAMODB, "Tidemark async", "hand-written async")),
          atLeast("mongodb native / hand-written", 0.93, hand(MONGODB, NATIVE)),
          atLeast("mongodb portable / hand-written", 0.93, hand(MONGODB, "Tidemark portable")),
          atMost(
              "mongodb native / hand-written, processor time of the server a message",
              1.1,
              byHand(MONGODB, Round::serverCpu)),
          atLeast("mongodb by message ID / hand-written by message ID", 0.88, byId(MONGODB)),
          atLeast("mongodb native / transaction", 1.4, nativeOver(MONGODB, "transaction")),
          told("mongodb hand-written / transaction", ratio(MONGODB, HAND, "transaction")),
          atLeast(
              "dynamodb key that its write completes / Powertools",
              1.3,
              ratio(DYNAMODB, COMPLETING, "Powertools")),
          told("dynamodb key / Powertools", ratio(DYNAMODB, KEY, "Powertools")),
          told("dynamodb key / transaction", ratio(DYNAMODB, KEY, "transaction")),
          told("dynamodb inbox / transaction", ratio(DYNAMODB, INBOX, "transaction")),
          told("dynamodb inbox / native", ratio(DYNAMODB, INBOX, NATIVE)),
          told(
              "dynamodb tracked write in a transaction / native",
              ratio(DYNAMODB, "Tidemark transaction", NATIVE)),
          told(
              "dynamodb key that its write completes / transaction",
              ratio(DYNAMODB, COMPLETING, "transaction")),
          told(
              "mongodb key that its write completes / transaction",
              ratio(MONGODB, COMPLETING, "transaction")),
          told("mongodb key / transaction", ratio(MONGODB, KEY, "transaction")),
          told("mongodb inbox / transaction", ratio(MONGODB, INBOX, "transaction")),
          told("mongodb inbox / native", ratio(MONGODB, INBOX, NATIVE)),
          told(
              "mongodb tracked write in a transaction / native",
              ratio(MONGODB, "Tidemark transaction", NATIVE)),
          told("dynamodb 200 inbox transactions at once on an item, p50 in ms", crowded(DYNAMODB)),
          told("mongodb 200 inbox transactions at once on a document, p50 in ms", crowded(MONGODB)),
          atMost(
              "mongodb 200 at once on a document, inbox / transaction, p50",
              1,
              results ->
                  results.ratio(
                      MONGODB,
                      "200 at once, Tidemark inbox",
                      "200 at once, transaction",
                      Round::p50)),
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
          polls(DYNAMODB, "native", 0.7),
          polls(DYNAMODB, "portable", 0.7),
          polls(DYNAMODB, "apply", 0.7),
          polls(MONGODB, "native", 0.05),
          polls(MONGODB, "portable", 0.05),
          polls(MONGODB, "apply", 0.05),
          atLeast("dynamodb batches of 10 / hand-written one by one", 4, hand(DYNAMODB, BATCHES)),
          atLeast("mongodb batches of 10 / hand-written one by one", 4, hand(MONGODB, BATCHES)),
          atMost("dynamodb requests per duplicate, mark cache", 0, duplicates(DYNAMODB, CACHE)),
          atMost("mongodb requests per duplicate, mark cache", 0, duplicates(MONGODB, CACHE)),
          atLeast(
              "mongodb bulk of 100 entities / one by one",
              10,
              ratio(MONGODB, "Tidemark, bulk of 100 entities", "Tidemark portable")));

  private static final List<Goal> OF_NUMBERS =
      List.of(
          atMost("dynamodb library time, p50 in us", 10, number("dynamodb library us")),
          atMost("dynamodb library allocation, bytes", 4096, number("dynamodb library bytes")),
          atMost("mongodb library time, p50 in us", 10, number("mongodb library us")),
          atMost("mongodb library allocation, bytes", 4096, number("mongodb library bytes")),
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
   * What a run says of them.
   *
   * @param results what it measured
   * @return a line for each goal that it measured
   */
  public static List<String> verdicts(Results results) {
    return Stream.of(OF_TECHNIQUES, OF_NUMBERS)
        .flatMap(List::stream)
        .flatMap(goal -> goal.verdict(results).stream())
        .toList();
  }

  /**
   * Goals that name a technique which a store does not have.
   *
   * @param store the store's name
   * @param results with a row for each of its techniques
   * @return what these goals are called
   */
  public static List<String> unmeasured(String store, Results results) {
    return OF_TECHNIQUES.stream()
        .filter(goal -> goal.row().startsWith(store + " "))
        .filter(goal -> goal.verdict(results).isEmpty())
        .map(Goal::row)
        .toList();
  }

  private static Function<Results, Optional<Estimate>> ratio(
      String store, String technique, String other) {
    return results -> results.ratio(store, technique, other, Round::messagesPerSecond);
  }

  private static Function<Results, Optional<Estimate>> byHand(
      String store, ToDoubleFunction<Round> number) {
    return results -> results.ratio(store, NATIVE, HAND, number);
  }

  /** The rounds' own spread is the interval. */
  private static Function<Results, Optional<Estimate>> crowded(String store) {
    return results ->
        results
            .row(store, "200 at once, Tidemark inbox")
            .map(row -> row.sample(Round::p50))
            .map(p50 -> new Estimate(p50.median(), p50.min(), p50.max()));
  }

  private static Function<Results, Optional<Estimate>> byId(String store) {
    return ratio(store, "Tidemark by message ID", "hand-written by message ID");
  }

  private static Goal polls(String store, String kind, double requests) {
    return atMost(
        store + " requests per message, " + kind + " in polls of 500 for 300 entities",
        requests,
        requests(store, "Tidemark " + kind + ", polls of 500"));
  }

  private static Function<Results, Optional<Estimate>> hand(String store, String technique) {
    return ratio(store, technique, HAND);
  }

  private static Function<Results, Optional<Estimate>> nativeOver(String store, String other) {
    return ratio(store, NATIVE, other);
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
