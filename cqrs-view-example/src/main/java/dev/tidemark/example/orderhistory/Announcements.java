package dev.tidemark.example.orderhistory;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.Decision;
import dev.tidemark.OutgoingMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What rows of one generation tell the world of their status. A row remembers what it told last, so
 * its messages form a chain: each begins where the one before it ended. It tells nothing before its
 * restaurant is known, and nothing once the row of a later generation speaks for the order.
 *
 * <p>Two generations may have told different chains of the same order, since events of different
 * aggregates come in any order. So the messages of a generation have IDs of their own, and {@link
 * #handOver} lets the new row's chain begin where the old one's ended. For any number of threads.
 *
 * @param generation of the rows
 */
public record Announcements(int generation) {
  /**
   * Publishes the change of a row's status, if there is one to tell.
   *
   * @param row as it is to be stored
   * @param begins whether a row that has told nothing yet may begin to
   * @return the decision for that row, with at most one message
   */
  public Decision<OrderView> announced(OrderView row, boolean begins) {
    boolean speaks = row.successor == null && (begins || row.announced != null);
    return told(row, speaks ? changes(row, row.announced, row.status) : List.of());
  }

  /**
   * Lets a row speak for an order in place of the row of the generation before: tells what is
   * different, and takes back what both have told.
   *
   * @param row of this generation
   * @param before what the other row told last, after which it tells nothing; null if nothing
   * @return the decision for that row, without a message if both have the same status
   */
  public Decision<OrderView> handOver(OrderView row, @Nullable String before) {
    if (row.announced == null) {
      return told(row, changes(row, before, row.status));
    }
    List<OrderStatusChanged> all = changes(row, before, null);
    all.addAll(changes(row, row.announced, row.status));
    return told(row, all);
  }

  private static Decision<OrderView> told(OrderView row, List<OrderStatusChanged> changes) {
    return Decision.to(
        row, changes.stream().map(OrderStatusChanged::message).toArray(OutgoingMessage[]::new));
  }

  private List<OrderStatusChanged> changes(
      OrderView row, @Nullable String from, @Nullable String to) {
    List<OrderStatusChanged> changes = new ArrayList<>();
    String restaurant = row.restaurant;
    if (restaurant == null) {
      return changes;
    }
    if (!Objects.equals(from, to)) {
      row.announcements++;
      Instant at = Instant.parse(row.timeline.get(row.timeline.size() - 1).at());
      changes.add(new OrderStatusChanged(id(row), row.orderId, restaurant, from, to, at));
    }
    if (to != null) {
      row.announced = to;
    }
    return changes;
  }

  /** Each of a row's messages has its number in it. */
  private String id(OrderView row) {
    String name = generation + "/" + row.announcements + "/" + row.orderId;
    return UUID.nameUUIDFromBytes(name.getBytes(UTF_8)).toString();
  }
}
