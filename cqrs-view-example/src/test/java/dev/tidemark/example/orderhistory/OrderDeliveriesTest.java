package dev.tidemark.example.orderhistory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.Delivery;
import dev.tidemark.SourceEvent;
import dev.tidemark.example.orderhistory.OrderEvent.LineAdded;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCancelled;
import dev.tidemark.example.orderhistory.OrderEvent.OrderDelivered;
import dev.tidemark.example.orderhistory.OrderEvent.OrderPaid;
import dev.tidemark.example.orderhistory.OrderEvent.OrderPlaced;
import dev.tidemark.example.orderhistory.OrderEvent.OrderShipped;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A delivery of an order event")
class OrderDeliveriesTest {
  private static final OrderEvent PAID = new OrderPaid("a", 4, 400);

  @Test
  @DisplayName("carries the event that was sent, whatever its type")
  void carriesEvent() {
    List<OrderEvent> events =
        List.of(
            new OrderPlaced("a", 1, "Ada"),
            new LineAdded("a", 2, "rope", 2, 500),
            PAID,
            new OrderShipped("a", 5, "parcel-1"),
            new OrderDelivered("a", 6),
            new OrderCancelled("a", 7, "sold out"));
    for (OrderEvent event : events) {
      assertEquals(event, delivery(Identity.VERSION, OrderDeliveries.encode(event)).event());
    }
  }

  @Test
  @DisplayName("is identified by the order's version or by the record's offset, as chosen")
  void hasIdentity() {
    byte[] json = OrderDeliveries.encode(PAID);
    assertEquals(SourceEvent.of("Order", "a", 4), delivery(Identity.VERSION, json).message());
    assertEquals(SourceEvent.kafka("", "orders", 3, 17), delivery(Identity.OFFSET, json).message());
    assertEquals("orders-3", delivery(Identity.OFFSET, json).lane().orElseThrow());
  }

  @Test
  @DisplayName("is refused if the record is no order event")
  void refusesOthers() {
    byte[] other = "{\"type\":\"OrderEaten\"}".getBytes(StandardCharsets.UTF_8);
    assertThrows(UncheckedIOException.class, () -> delivery(Identity.VERSION, other));
  }

  private static Delivery delivery(Identity identity, byte[] json) {
    return new OrderDeliveries(identity).apply(new ConsumerRecord<>("orders", 3, 17, "a", json));
  }
}
