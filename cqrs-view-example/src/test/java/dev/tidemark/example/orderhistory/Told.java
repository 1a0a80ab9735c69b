package dev.tidemark.example.orderhistory;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.Sender;
import dev.tidemark.projector.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;

/** What rows have told of their statuses, and what the board and the rows themselves say. */
public final class Told {
  private Told() {}

  /** Takes what waits in all generations, in the order of each row; some messages come twice. */
  public static List<OrderStatusChanged> take(Generations generations, Random random) {
    List<OrderStatusChanged> told = new ArrayList<>();
    for (OutboxRecords records : generations.outboxes()) {
      Relay relay =
          Relay.builder(
                  records,
                  Sender.each(
                      message -> {
                        told.add((OrderStatusChanged) EventJson.decode(message.message().bytes()));
                        assertTrue(message.id().equals(told.get(told.size() - 1).eventId()));
                        if (random.nextInt(5) == 0) {
                          throw new IllegalStateException("the reply is lost");
                        }
                      }))
              .retryAfter(Duration.ofMillis(1), Duration.ofMillis(1))
              .build();
      boolean waits = true;
      while (waits) {
        waits = relay.sweep().pending() > 0;
      }
    }
    return told;
  }

  /** Brings messages to the board, in any order and some of them again. */
  public static void bring(Generations generations, List<OrderStatusChanged> told, Random random) {
    List<OrderStatusChanged> messages = new ArrayList<>(told);
    messages.addAll(told.subList(0, told.size() / 2));
    Collections.shuffle(messages, random);
    var board = RestaurantBoard.into(generations.board());
    for (int from = 0; from < messages.size(); ) {
      int to = Math.min(messages.size(), from + 1 + random.nextInt(20));
      List<Delivery> batch =
          messages.subList(from, to).stream().map(OrderStatusChanged::delivery).toList();
      assertTrue(board.handle(batch).isDone());
      from = to;
    }
  }

  /** How many orders stand in each status of each restaurant, as the board says; no zeros. */
  public static Map<String, Long> board(Generations generations) {
    Map<String, Long> counts = new TreeMap<>();
    for (BoardView row : generations.restaurants()) {
      Map.of(
              "CREATED", row.created,
              "ACCEPTED", row.accepted,
              "READY", row.ready,
              "COURIER_ASSIGNED", row.courierAssigned,
              "PICKED_UP", row.pickedUp,
              "DELIVERED", row.delivered,
              "CANCELLED", row.cancelled)
          .forEach((status, count) -> counts.put(row.restaurant + " " + status, count));
    }
    counts.values().removeIf(count -> count == 0);
    return counts;
  }

  /** The same, as the rows of some orders say that serve now. */
  public static Map<String, Long> rows(Generations generations, Stream<String> orders) {
    return orders
        .flatMap(id -> generations.current().orders().find(EntityKey.key(id)).stream())
        .filter(row -> row.restaurant != null)
        .collect(groupingBy(row -> row.restaurant + " " + row.status, TreeMap::new, counting()));
  }
}
