package dev.tidemark.example.orderhistory.rebuild;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;

import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.example.orderhistory.Announcements;
import dev.tidemark.example.orderhistory.OrderView;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * Lets the rows of a new generation speak for their orders, which older ones did until now. Each
 * old row is told first that it has a successor, by a tracked write: what it told before that is
 * known then, and it will tell nothing more, however late a writer comes to it. The new row goes on
 * from there by another write. So whoever adds up the messages of both has the statuses of the new
 * rows. Doing it again changes nothing. For any number of threads.
 */
final class Handover {
  private final List<EntityStore<OrderView>> before;
  private final EntityStore<OrderView> after;
  private final Announcements announcements;
  private final MessageId once;

  /**
   * A handover that has not begun.
   *
   * @param before the rows of all earlier generations, the newest first: after a switch back, each
   *     of them speaks for orders of its own
   * @param after the rows of the new one
   * @param generation the new one's number
   */
  Handover(List<EntityStore<OrderView>> before, EntityStore<OrderView> after, int generation) {
    this.before = List.copyOf(before);
    this.after = after;
    this.announcements = new Announcements(generation);
    this.once = MessageId.of("handover to " + generation);
  }

  /**
   * Hands orders over.
   *
   * @throws IllegalStateException if a store has not done it; it may be tried again
   */
  void take(List<String> orders) {
    before.forEach(old -> check(old.writeAll(orders.stream().map(this::silence).toList())));
    check(after.writeAll(orders.stream().map(this::goOn).toList()));
  }

  /** A row that is not there is made, since a late writer may still come to it. */
  private Write<OrderView> silence(String order) {
    return Write.update(
        once, key(order), change().createIfMissing().set("successor", announcements.generation()));
  }

  private Write<OrderView> goOn(String order) {
    Stream<OrderView> old = before.stream().flatMap(rows -> rows.find(key(order)).stream());
    String told = old.map(row -> row.announced).filter(Objects::nonNull).findFirst().orElse(null);
    return Write.decide(once, key(order), row -> announcements.handOver(row, told));
  }

  /** A row may be missing: its order came a moment ago, and its first writer will tell of it. */
  private static void check(List<? extends Result<?>> results) {
    for (Result<?> result : results) {
      boolean missing = result.outcomeIfJudged().orElse(null) instanceof Outcome.Missing<?>;
      if (!missing && !result.isDone()) {
        throw new IllegalStateException("not handed over, run it again: " + result);
      }
    }
  }
}
