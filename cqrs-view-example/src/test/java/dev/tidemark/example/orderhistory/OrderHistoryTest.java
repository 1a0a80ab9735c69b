package dev.tidemark.example.orderhistory;

import static dev.tidemark.Key.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Delivery;
import dev.tidemark.EntityStore;
import dev.tidemark.Outcome;
import dev.tidemark.Projector;
import dev.tidemark.Tracking;
import dev.tidemark.example.orderhistory.OrderEvent.LineAdded;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCancelled;
import dev.tidemark.example.orderhistory.OrderEvent.OrderDelivered;
import dev.tidemark.example.orderhistory.OrderEvent.OrderPaid;
import dev.tidemark.example.orderhistory.OrderEvent.OrderPlaced;
import dev.tidemark.example.orderhistory.OrderEvent.OrderShipped;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.ReferenceStore;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The order history")
class OrderHistoryTest {
  private static final List<OrderEvent> DELIVERED =
      List.of(
          new OrderPlaced("a", 1, "Ada"),
          new LineAdded("a", 2, "rope", 2, 500),
          new LineAdded("a", 3, "lamp", 1, 700),
          new OrderPaid("a", 4, 400),
          new OrderPaid("a", 5, 800),
          new OrderShipped("a", 6, "parcel-1"),
          new OrderDelivered("a", 7));

  private final EntityStore<OrderView> orders =
      ReferenceStore.of(new OrderViewMapper(), Tracking.of(OrderView.class), new MovableClock());
  private final Projector<OrderView> history = OrderHistory.into(orders);
  private long offset;

  @Test
  @DisplayName("shows an order that was paid in parts and delivered")
  void showsOrder() {
    DELIVERED.forEach(event -> assertTrue(deliver(Identity.VERSION, event).isApplied()));
    OrderView view = orders.find(key("a")).orElseThrow();
    assertEquals("a", view.getOrderId());
    assertEquals("Ada", view.getCustomer());
    assertEquals("DELIVERED", view.getStatus());
    assertEquals("[2 rope for 500, 1 lamp for 700]", view.getLines().toString());
    assertEquals(1200, view.getTotal());
    assertEquals(1200, view.getPaid());
    assertEquals(0, view.getRefunded());
    assertEquals("parcel-1", view.getParcel());
    assertEquals(List.of("PLACED", "PAID", "PAID", "SHIPPED", "DELIVERED"), view.getHistory());
  }

  @Test
  @DisplayName("pays back what was paid for an order that is cancelled")
  void paysBack() {
    DELIVERED.subList(0, 4).forEach(event -> deliver(Identity.VERSION, event));
    deliver(Identity.VERSION, new OrderCancelled("a", 5, "sold out"));
    OrderView view = orders.find(key("a")).orElseThrow();
    assertEquals("CANCELLED", view.getStatus());
    assertEquals(0, view.getPaid());
    assertEquals(400, view.getRefunded());
    assertEquals(List.of("PLACED", "PAID", "CANCELLED: sold out"), view.getHistory());
  }

  @Test
  @DisplayName("is not changed by events that come again, the last one or all of them")
  void bearsRepeats() {
    DELIVERED.forEach(event -> deliver(Identity.VERSION, event));
    assertInstanceOf(Outcome.Duplicate.class, deliver(Identity.VERSION, DELIVERED.get(6)));
    for (OrderEvent again : DELIVERED.subList(0, 6)) {
      Outcome<OrderView> outcome = deliver(Identity.VERSION, again);
      assertInstanceOf(Outcome.Stale.class, outcome);
      assertTrue(outcome.isDone());
    }
    OrderView view = orders.find(key("a")).orElseThrow();
    assertEquals(1200, view.getTotal());
    assertEquals(1200, view.getPaid());
    assertEquals(5, view.getHistory().size());
  }

  @Test
  @DisplayName("does not take an event before the order was placed, and does not lose it")
  void waitsForOrder() {
    Outcome<OrderView> outcome = deliver(Identity.VERSION, DELIVERED.get(1));
    assertInstanceOf(Outcome.Missing.class, outcome);
    assertFalse(outcome.isDone());
    assertTrue(orders.find(key("a")).isEmpty());
  }

  @Test
  @DisplayName("recognises by its offset a record that comes again, not an event sent twice")
  void offsetBelongsToRecord() {
    DELIVERED.subList(0, 3).forEach(event -> deliver(Identity.OFFSET, event));
    Delivery lamp = delivery(Identity.OFFSET, DELIVERED.get(2), offset - 1);
    assertInstanceOf(Outcome.Duplicate.class, history.handle(lamp));
    assertEquals(1200, orders.find(key("a")).orElseThrow().getTotal());
    assertTrue(deliver(Identity.OFFSET, DELIVERED.get(2)).isApplied());
    assertEquals(1900, orders.find(key("a")).orElseThrow().getTotal());
  }

  @Test
  @DisplayName("cannot be built with an event type left out")
  void complete() {
    Projector.Builder<OrderView> builder =
        Projector.into(orders)
            .declaring(OrderEvent.class)
            .deleting(OrderCancelled.class, e -> key(e.orderId()));
    IllegalStateException e = assertThrows(IllegalStateException.class, builder::build);
    assertEquals(
        "declared event type "
            + OrderPlaced.class.getName()
            + " is neither handled nor ignored by this projector",
        e.getMessage());
    assertTrue(builder.ignoring(OrderEvent.class).build().handle(placed()).isDone());
  }

  private static Delivery placed() {
    return delivery(Identity.VERSION, DELIVERED.get(0), 0);
  }

  private Outcome<OrderView> deliver(Identity identity, OrderEvent event) {
    return history.handle(delivery(identity, event, offset++));
  }

  private static Delivery delivery(Identity identity, OrderEvent event, long offset) {
    return new OrderDeliveries(identity)
        .apply(
            new ConsumerRecord<>(
                "orders", 3, offset, event.orderId(), OrderDeliveries.encode(event)));
  }
}
