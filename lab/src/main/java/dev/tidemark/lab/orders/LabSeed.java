package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCreated;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Orders of the last days, so that there is something to see and to page through. */
final class LabSeed {
  private static final int CONSUMERS = 3;
  private static final int ORDERS = 27;
  private static final Duration APART = Duration.ofHours(17);
  private static final Duration STEP = Duration.ofMinutes(7);

  private LabSeed() {}

  /** All events, each order's in their order; the latest order some hours before now. */
  static List<Event> events(LabLives lives, Instant now) {
    List<Event> events = new ArrayList<>();
    for (int i = ORDERS; i > 0; i--) {
      for (int consumer = 1; consumer <= CONSUMERS; consumer++) {
        Instant at =
            now.truncatedTo(ChronoUnit.MINUTES)
                .minus(APART.multipliedBy(i))
                .plus(Duration.ofMinutes(53L * consumer));
        events.addAll(life(lives, lives.placed("consumer-" + consumer, at)));
      }
    }
    return events;
  }

  private static List<Event> life(LabLives lives, OrderCreated order) {
    List<Event> events = new ArrayList<>(List.of(order));
    int fate = lives.any(10);
    if (fate == 0) {
      events.add(lives.cancelled(order, 2, order.at().plus(STEP)));
      return events;
    }
    events.addAll(lives.rest(order, order.at(), STEP));
    if (fate > 5) {
      events.add(lives.tip(order, 2, order.at().plus(STEP.multipliedBy(6))));
    }
    return events;
  }
}
