package dev.tidemark.example.orderhistory;

import static dev.tidemark.Change.change;
import static dev.tidemark.Key.key;

import dev.tidemark.EntityStore;
import dev.tidemark.Key;
import dev.tidemark.Projector;
import dev.tidemark.example.orderhistory.OrderEvent.LineAdded;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCancelled;
import dev.tidemark.example.orderhistory.OrderEvent.OrderDelivered;
import dev.tidemark.example.orderhistory.OrderEvent.OrderPaid;
import dev.tidemark.example.orderhistory.OrderEvent.OrderPlaced;
import dev.tidemark.example.orderhistory.OrderEvent.OrderShipped;

/**
 * The order history: which event changes which view, and how. The same on every store. What needs
 * the view is a function of it (one read, one write); what does not is a change of it (one write).
 */
public final class OrderHistory {
  private OrderHistory() {}

  /**
   * The projector of order events into views.
   *
   * @param orders where the views are
   * @return a projector for any number of threads
   */
  public static Projector<OrderView> into(EntityStore<OrderView> orders) {
    return Projector.into(orders)
        .declaring(OrderEvent.class)
        .on(OrderPlaced.class, OrderHistory::view, OrderView::new, OrderView::placed)
        .on(LineAdded.class, OrderHistory::view, OrderView::lineAdded)
        .updating(
            OrderPaid.class,
            OrderHistory::view,
            e -> change().add("paid", e.cents()).set("status", "PAID").append("history", "PAID"))
        .updating(
            OrderShipped.class,
            OrderHistory::view,
            e ->
                change()
                    .set("status", "SHIPPED")
                    .set("parcel", e.parcel())
                    .append("history", "SHIPPED"))
        .updating(
            OrderDelivered.class,
            OrderHistory::view,
            e -> change().set("status", "DELIVERED").append("history", "DELIVERED"))
        .on(OrderCancelled.class, OrderHistory::view, OrderView::cancelled)
        .build();
  }

  private static Key view(OrderEvent event) {
    return key(event.orderId());
  }
}
