package dev.tidemark.example.orderhistory;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.example.orderhistory.DeliveryEvent.CourierAssigned;
import dev.tidemark.example.orderhistory.DeliveryEvent.MealDelivered;
import dev.tidemark.example.orderhistory.DeliveryEvent.MealPickedUp;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCancelled;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCreated;
import dev.tidemark.example.orderhistory.OrderEvent.TipGiven;
import dev.tidemark.example.orderhistory.TicketEvent.MealReady;
import dev.tidemark.example.orderhistory.TicketEvent.TicketAccepted;
import dev.tidemark.projector.Projector;
import java.util.Comparator;
import java.util.function.BiFunction;

/**
 * The order history: which event changes which row, and how. The same on every store. Whichever
 * event of an order comes first makes its row.
 */
public final class OrderHistory {
  private static final Comparator<TimelineStep> BY_TIME =
      Comparator.comparing(TimelineStep::at).thenComparing(TimelineStep::status);

  private OrderHistory() {}

  /**
   * The projector of events into rows. No handler asks in which order events of different
   * aggregates come, so none waits for another one's row.
   *
   * @param orders where the rows are
   * @return a projector for any number of threads
   */
  public static Projector<OrderView> into(EntityStore<OrderView> orders) {
    // snippet: first-projector
    return Projector.into(orders)
        .declaring(Event.class)
        .on(OrderCreated.class, OrderHistory::row, OrderView::new, OrderHistory::created)
        .updating(
            TipGiven.class,
            OrderHistory::row,
            e -> change().createIfMissing().add("tips", e.cents()).add("total", e.cents()))
        .on(OrderCancelled.class, OrderHistory::row, OrderView::new, OrderHistory::cancelled)
        .on(TicketAccepted.class, OrderHistory::row, OrderView::new, step("ACCEPTED"))
        .on(MealReady.class, OrderHistory::row, OrderView::new, step("READY"))
        .on(CourierAssigned.class, OrderHistory::row, OrderView::new, OrderHistory::assigned)
        .on(MealPickedUp.class, OrderHistory::row, OrderView::new, step("PICKED_UP"))
        .on(MealDelivered.class, OrderHistory::row, OrderView::new, step("DELIVERED"))
        .build();
    // end
  }

  private static EntityKey row(Event event) {
    return key(event.orderId());
  }

  private static OrderView created(OrderView row, OrderCreated event) {
    row.consumerId = event.consumerId();
    row.createdAt = OrderView.time(event.at());
    row.restaurant = event.restaurant();
    row.lines = event.lines();
    row.keywords = OrderView.keywords(event.restaurant(), event.lines());
    row.total += event.cents();
    return reached(row, "CREATED", event);
  }

  private static OrderView cancelled(OrderView row, OrderCancelled event) {
    row.refunded += event.refund();
    return reached(row, "CANCELLED", event);
  }

  // snippet: first-handler
  private static OrderView assigned(OrderView row, CourierAssigned event) {
    if (event.version() > row.courierVersion) { // else we know who took over after that
      row.courier = event.courier();
      row.courierVersion = event.version();
    }
    return reached(row, "COURIER_ASSIGNED", event);
  }

  // end

  private static BiFunction<OrderView, Event, OrderView> step(String status) {
    return (row, event) -> reached(row, status, event);
  }

  private static OrderView reached(OrderView row, String status, Event event) {
    row.timeline.add(new TimelineStep(status, OrderView.time(event.at())));
    row.timeline.sort(BY_TIME);
    row.status = row.timeline.get(row.timeline.size() - 1).status();
    return row;
  }
}
