package dev.tidemark.example.orderhistory.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.example.orderhistory.OrderEvent;
import dev.tidemark.example.orderhistory.OrderEvent.LineAdded;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCancelled;
import dev.tidemark.example.orderhistory.OrderEvent.OrderDelivered;
import dev.tidemark.example.orderhistory.OrderEvent.OrderPaid;
import dev.tidemark.example.orderhistory.OrderEvent.OrderPlaced;
import dev.tidemark.example.orderhistory.OrderEvent.OrderShipped;
import dev.tidemark.example.orderhistory.OrderLine;
import dev.tidemark.example.orderhistory.OrderView;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The truth about orders")
class TruthTest {
  private static final List<OrderEvent> EVENTS =
      List.of(
          new OrderPlaced("a", 1, "Ada"),
          new OrderPlaced("b", 1, "Ben"),
          new LineAdded("a", 2, "rope", 2, 500),
          new OrderPaid("b", 2, 300),
          new OrderPaid("a", 3, 200),
          new OrderPaid("a", 4, 300),
          new OrderCancelled("b", 3, "too late"),
          new OrderShipped("a", 5, "parcel-1"),
          new OrderDelivered("a", 6));
  private final Truth truth = new Truth(EVENTS);

  @Test
  @DisplayName("is that an order has its lines, payments and steps")
  void delivered() {
    assertEquals(
        new Truth.Summary(
            "Ada",
            "DELIVERED",
            List.of("2 rope for 500"),
            500,
            500,
            0,
            "parcel-1",
            List.of("PLACED", "PAID", "PAID", "SHIPPED", "DELIVERED")),
        truth.summaries().get("a"));
  }

  @Test
  @DisplayName("is that a cancelled order is paid back")
  void cancelled() {
    assertEquals(
        new Truth.Summary(
            "Ben",
            "CANCELLED",
            List.of(),
            0,
            0,
            300,
            "null",
            List.of("PLACED", "PAID", "CANCELLED: too late")),
        truth.summaries().get("b"));
  }

  @Test
  @DisplayName("finds nothing wrong with right views")
  void right() {
    assertEquals(List.of(), truth.wrong(List.of(ada(), ben())));
  }

  @Test
  @DisplayName("finds a view that differs, one that is missing and one that should not be there")
  void wrong() {
    OrderView twice = ada();
    twice.setLines(List.of(twice.getLines().get(0), twice.getLines().get(0)));
    OrderView other = ben();
    other.setOrderId("c");
    List<Truth.Wrong> wrong = truth.wrong(List.of(twice, other));
    assertEquals(List.of("a", "b", "c"), wrong.stream().map(Truth.Wrong::orderId).toList());
    assertEquals(
        "lines [2 rope for 500, 2 rope for 500] instead of [2 rope for 500]",
        wrong.get(0).difference());
    assertEquals("is missing", wrong.get(1).difference());
    assertEquals("should not be there", wrong.get(2).difference());
  }

  private static OrderView ada() {
    OrderView view = view("a", "Ada", "DELIVERED");
    view.setLines(List.of(new OrderLine("rope", 2, 500)));
    view.setTotal(500);
    view.setPaid(500);
    view.setParcel("parcel-1");
    view.setHistory(List.of("PLACED", "PAID", "PAID", "SHIPPED", "DELIVERED"));
    return view;
  }

  private static OrderView ben() {
    OrderView view = view("b", "Ben", "CANCELLED");
    view.setRefunded(300);
    view.setHistory(List.of("PLACED", "PAID", "CANCELLED: too late"));
    return view;
  }

  private static OrderView view(String id, String customer, String status) {
    OrderView view = new OrderView();
    view.setOrderId(id);
    view.setCustomer(customer);
    view.setStatus(status);
    return view;
  }
}
