package dev.tidemark.benchmarks.outgoing;

import dev.tidemark.benchmarks.report.Csv;
import dev.tidemark.benchmarks.report.Output;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Counts what a message takes of a store from the change that publishes it until nothing is left of
 * it: 20 entities publish one message each, then what sends them looks once, and so on.
 */
public final class OutgoingCost {
  private static final int ROUNDS = 5;
  private static final int EACH = 20;
  private static final int[] WIDTHS = {9, 50, 9, 9, 9, 12, 11};

  private Csv csv =
      Csv.of("store", "way", "publish", "send", "requests", "write units", "read units");

  /**
   * What one way took for each message.
   *
   * @param publish of the change
   * @param send of what sends
   */
  public record Costs(Bill publish, Bill send) {}

  /**
   * Measures all ways of a store.
   *
   * @param ways the store
   */
  public void measure(Ways ways) {
    System.out.println(csv.padded(0, WIDTHS));
    for (Way way : ways.all()) {
      Costs costs = costs(ways, way);
      boolean bills = costs.publish().writes() > 0;
      csv =
          csv.with(
              ways.store(),
              way.name(),
              shown(costs.publish().requests()),
              shown(costs.send().requests()),
              shown(costs.publish().requests() + costs.send().requests()),
              bills ? shown(costs.publish().writes() + costs.send().writes()) : "-",
              bills ? shown(costs.publish().reads() + costs.send().reads()) : "-");
      System.out.println(csv.padded(csv.size() - 1, WIDTHS));
    }
  }

  /**
   * Measures one way.
   *
   * @param ways its store
   * @param way one of them
   * @return what it took for each message
   * @throws IllegalStateException if it sends another number of messages than were published, and
   *     not none
   */
  public static Costs costs(Ways ways, Way way) {
    for (int i = 0; i < EACH; i++) { // the entities are there, and what is asked once was asked
      way.publish().accept(i);
    }
    int expected = way.send().getAsInt();
    Bill publish = new Bill(0, 0, 0);
    Bill send = new Bill(0, 0, 0);
    for (int round = 0; round < ROUNDS; round++) {
      Bill before = ways.bill();
      for (int i = 0; i < EACH; i++) {
        way.publish().accept(i);
      }
      Bill between = ways.bill();
      int sent = way.send().getAsInt();
      if (sent != expected || (sent != 0 && sent != EACH)) {
        throw new IllegalStateException(way.name() + " sent " + sent + " messages");
      }
      publish = sum(publish, between.since(before, ROUNDS * EACH));
      send = sum(send, ways.bill().since(between, ROUNDS * EACH));
    }
    return new Costs(publish, send);
  }

  private static Bill sum(Bill one, Bill other) {
    return new Bill(
        one.requests() + other.requests(),
        one.writes() + other.writes(),
        one.reads() + other.reads());
  }

  private static String shown(double number) {
    return String.format(Locale.ROOT, "%.2f", number);
  }

  /**
   * Writes what was measured.
   *
   * @param output where
   */
  public void report(Output output) {
    output.write("outgoing.csv", csv.toString());
    output.page(Path.of("docs", "outbox.md"), "outgoing", csv.markdown(7));
  }
}
