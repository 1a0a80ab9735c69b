package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.DeliveryEvent.CourierAssigned;
import dev.tidemark.example.orderhistory.DeliveryEvent.MealDelivered;
import dev.tidemark.example.orderhistory.DeliveryEvent.MealPickedUp;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.OrderEvent;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCancelled;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCreated;
import dev.tidemark.example.orderhistory.OrderEvent.TipGiven;
import dev.tidemark.example.orderhistory.OrderLine;
import dev.tidemark.example.orderhistory.TicketEvent.MealReady;
import dev.tidemark.example.orderhistory.TicketEvent.TicketAccepted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Every event that the lab made, once, and what the views must show after them: worked out from the
 * list alone, by code that the projectors do not share. For any number of threads.
 */
final class LabJournal {
  private static final Map<Class<?>, String> STATUS =
      Map.of(
          OrderCreated.class, "CREATED",
          OrderCancelled.class, "CANCELLED",
          TicketAccepted.class, "ACCEPTED",
          MealReady.class, "READY",
          CourierAssigned.class, "COURIER_ASSIGNED",
          MealPickedUp.class, "PICKED_UP",
          MealDelivered.class, "DELIVERED");

  private final List<Event> events = new ArrayList<>();
  private final Map<String, OrderCreated> orders = new LinkedHashMap<>();
  private final Map<String, Long> versions = new LinkedHashMap<>();

  /**
   * What an order must look like.
   *
   * @param total with tips, in cents
   * @param steps how often its status changed
   */
  record OrderTruth(
      String consumerId, String status, long total, long tips, long refunded, int steps) {}

  /** What a consumer's month must come to. */
  record SpendingTruth(long orders, long spent, long tips, long refunded) {
    private static final SpendingTruth NOTHING = new SpendingTruth(0, 0, 0, 0);

    private SpendingTruth plus(SpendingTruth more) {
      return new SpendingTruth(
          orders + more.orders, spent + more.spent, tips + more.tips, refunded + more.refunded);
    }
  }

  synchronized void add(Event event) {
    events.add(event);
    if (event instanceof OrderCreated created) {
      orders.put(created.orderId(), created);
    }
    if (event instanceof OrderEvent) {
      var unused = versions.merge(event.orderId(), event.version(), Math::max);
    }
  }

  synchronized int size() {
    return events.size();
  }

  /** The last events, in their order. */
  synchronized List<Event> last(int count) {
    return List.copyOf(events.subList(Math.max(0, events.size() - count), events.size()));
  }

  synchronized OrderCreated order(String orderId) {
    OrderCreated order = orders.get(orderId);
    if (order == null) {
      throw new NoSuchElementException("there is no order " + orderId);
    }
    return order;
  }

  /** The version that the order's next event gives it. */
  synchronized long nextVersion(String orderId) {
    return versions.getOrDefault(orderId, 0L) + 1;
  }

  /** The consumer's last order; null if there is none. */
  synchronized @Nullable String lastOrder(String consumerId) {
    String last = null;
    for (OrderCreated order : orders.values()) {
      last = order.consumerId().equals(consumerId) ? order.orderId() : last;
    }
    return last;
  }

  /** Whether nothing happened to an order since it was placed. */
  synchronized boolean isPlacedOnly(String orderId) {
    return events.stream().filter(event -> event.orderId().equals(orderId)).count() == 1;
  }

  synchronized Set<String> consumers() {
    Set<String> consumers = new LinkedHashSet<>();
    orders.values().forEach(order -> consumers.add(order.consumerId()));
    return consumers;
  }

  /** Orders by id; those that are not created yet are left out. */
  synchronized Map<String, OrderTruth> orderTruths() {
    Map<String, List<Event>> byOrder = new LinkedHashMap<>();
    events.forEach(e -> byOrder.computeIfAbsent(e.orderId(), id -> new ArrayList<>()).add(e));
    Map<String, OrderTruth> truths = new LinkedHashMap<>();
    orders.forEach(
        (id, created) -> truths.put(id, truth(created, byOrder.getOrDefault(id, List.of()))));
    return truths;
  }

  private static OrderTruth truth(OrderCreated created, List<Event> events) {
    Event latest = created;
    long tips = 0;
    long refunded = 0;
    int steps = 0;
    for (Event event : events) {
      if (event instanceof TipGiven tip) {
        tips += tip.cents();
        continue;
      }
      steps++;
      refunded += event instanceof OrderCancelled cancelled ? cancelled.refund() : 0;
      latest = event.at().isAfter(latest.at()) ? event : latest;
    }
    return new OrderTruth(
        created.consumerId(), status(latest), cost(created) + tips, tips, refunded, steps);
  }

  private static String status(Event event) {
    String status = STATUS.get(event.getClass());
    if (status == null) {
      throw new IllegalStateException("no status is known of " + event.getClass().getSimpleName());
    }
    return status;
  }

  private static long cost(OrderCreated order) {
    return order.lines().stream().mapToLong(OrderLine::cents).sum();
  }

  /** Sums by consumer and month, such as {@code consumer-1/2026-11}. */
  synchronized Map<String, SpendingTruth> spendingTruths() {
    Map<String, SpendingTruth> sums = new LinkedHashMap<>();
    for (Event event : events) {
      if (event instanceof OrderEvent order) {
        String row = order.consumerId() + "/" + order.at().toString().substring(0, 7);
        sums.put(row, sums.getOrDefault(row, SpendingTruth.NOTHING).plus(part(order)));
      }
    }
    return sums;
  }

  private static SpendingTruth part(OrderEvent event) {
    if (event instanceof OrderCreated created) {
      return new SpendingTruth(1, cost(created), 0, 0);
    }
    return event instanceof TipGiven tip
        ? new SpendingTruth(0, 0, tip.cents(), 0)
        : new SpendingTruth(0, 0, 0, ((OrderCancelled) event).refund());
  }
}
