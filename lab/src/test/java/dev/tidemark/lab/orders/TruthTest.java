package dev.tidemark.lab.orders;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.example.orderhistory.DeliveryEvent.CourierAssigned;
import dev.tidemark.example.orderhistory.DeliveryEvent.MealDelivered;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCancelled;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCreated;
import dev.tidemark.example.orderhistory.OrderEvent.TipGiven;
import dev.tidemark.example.orderhistory.OrderLine;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.SpendingView;
import dev.tidemark.example.orderhistory.TicketEvent.TicketAccepted;
import dev.tidemark.example.orderhistory.TimelineStep;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The truth about orders")
class TruthTest {
  private static final OrderLine RAMEN = new OrderLine("Green Ramen", 2, 1_200);
  private static final OrderLine TEA = new OrderLine("Green Tea", 1, 500);
  private static final List<Event> EVENTS =
      List.of(
          created("a", "10:00:00.001"),
          new TipGiven("e2", "a", 2, at("12:00:00"), "ada", 250),
          new TicketAccepted("e3", "t", 1, at("10:01:00"), "a"),
          new CourierAssigned("e4", "d", 1, at("10:02:00"), "a", "Kim"),
          new CourierAssigned("e5", "d", 2, at("10:03:00"), "a", "Noor"),
          new MealDelivered("e6", "d", 3, at("11:00:00"), "a"),
          created("b", "13:00:00"),
          new OrderCancelled("e8", "b", 2, at("13:01:00"), "ada", 1_700));

  private final Truth truth = new Truth(EVENTS);

  private static OrderCreated created(String order, String time) {
    return new OrderCreated(
        "c" + order, order, 1, at(time), "ada", "Two Lanterns", List.of(RAMEN, TEA));
  }

  private static Instant at(String time) {
    return Instant.parse("2026-11-01T" + time + "Z");
  }

  @Test
  @DisplayName("is that an order has its lines, tips, last courier and steps by time")
  void delivered() {
    assertEquals(
        Map.ofEntries(
            Map.entry("consumer", "ada"),
            Map.entry("placed", "2026-11-01T10:00:00.001Z"),
            Map.entry("restaurant", "Two Lanterns"),
            Map.entry("status", "DELIVERED"),
            Map.entry("lines", "[2 Green Ramen for 1200, 1 Green Tea for 500]"),
            Map.entry("keywords", "[two, lanterns, green, ramen, tea]"),
            Map.entry("total", "1950"),
            Map.entry("tips", "250"),
            Map.entry("refunded", "0"),
            Map.entry("courier", "Noor"),
            Map.entry(
                "timeline",
                "[2026-11-01T10:00:00.001Z CREATED, 2026-11-01T10:01:00.000Z ACCEPTED,"
                    + " 2026-11-01T10:02:00.000Z COURIER_ASSIGNED,"
                    + " 2026-11-01T10:03:00.000Z COURIER_ASSIGNED,"
                    + " 2026-11-01T11:00:00.000Z DELIVERED]")),
        truth.row("history of a"));
  }

  @Test
  @DisplayName("is that a consumer's month has the sums of all orders, refunds apart")
  void spending() {
    assertEquals(
        Map.of("orders", "2", "spent", "3400", "tips", "250", "refunded", "1700"),
        truth.row("spending of ada/2026-11"));
    assertEquals(3, truth.size());
  }

  @Test
  @DisplayName("does not depend on the order in which events stand")
  void anyOrder() {
    List<Event> backwards = new ArrayList<>(EVENTS);
    Collections.reverse(backwards);
    for (String row : List.of("history of a", "history of b", "spending of ada/2026-11")) {
      assertEquals(truth.row(row), new Truth(backwards).row(row));
    }
  }

  @Test
  @DisplayName("finds nothing wrong with right rows")
  void right() {
    assertEquals(List.of(), truth.wrong(new Rows(List.of(orderA(), orderB()), List.of(ada()))));
  }

  @Test
  @DisplayName("finds a row that differs, one that is missing and one that should not be there")
  void wrong() {
    OrderView other = orderB();
    other.orderId = "c";
    SpendingView twice = ada();
    twice.tips = 500;
    List<Truth.Wrong> wrong = truth.wrong(new Rows(List.of(orderA(), other), List.of(twice)));
    assertEquals(
        List.of(
            new Truth.Wrong("history of b", "is missing"),
            new Truth.Wrong("history of c", "should not be there"),
            new Truth.Wrong("spending of ada/2026-11", "tips 500 instead of 250")),
        wrong);
  }

  @Test
  @DisplayName("finds any field of a row that is wrong")
  void everyField() {
    List<Consumer<OrderView>> mutants =
        List.of(
            row -> row.consumerId = "ben",
            row -> row.consumerId = null,
            row -> row.createdAt = "2026-11-01T10:00:00.002Z",
            row -> row.restaurant = "One Lantern",
            row -> row.status = "CREATED",
            row -> row.lines = List.of(RAMEN, TEA, TEA),
            row -> row.keywords = List.of("two"),
            row -> row.total = 2_200,
            row -> row.tips = 500,
            row -> row.refunded = 1,
            row -> row.courier = "Kim",
            row -> row.timeline.remove(0));
    for (Consumer<OrderView> mutant : mutants) {
      OrderView row = orderA();
      mutant.accept(row);
      List<Truth.Wrong> wrong = truth.wrong(new Rows(List.of(row, orderB()), List.of(ada())));
      assertEquals(List.of("history of a"), wrong.stream().map(Truth.Wrong::row).toList());
    }
  }

  private static OrderView orderA() {
    OrderView row = placed("a", "2026-11-01T10:00:00.001Z", "DELIVERED");
    row.total = 1_950;
    row.tips = 250;
    row.courier = "Noor";
    step(row, "ACCEPTED", "10:01");
    step(row, "COURIER_ASSIGNED", "10:02");
    step(row, "COURIER_ASSIGNED", "10:03");
    step(row, "DELIVERED", "11:00");
    return row;
  }

  private static OrderView orderB() {
    OrderView row = placed("b", "2026-11-01T13:00:00.000Z", "CANCELLED");
    row.total = 1_700;
    row.refunded = 1_700;
    step(row, "CANCELLED", "13:01");
    return row;
  }

  private static OrderView placed(String id, String at, String status) {
    OrderView row = new OrderView();
    row.orderId = id;
    row.consumerId = "ada";
    row.createdAt = at;
    row.restaurant = "Two Lanterns";
    row.status = status;
    row.lines = List.of(RAMEN, TEA);
    row.keywords = List.of("two", "lanterns", "green", "ramen", "tea");
    row.timeline.add(new TimelineStep("CREATED", at));
    return row;
  }

  private static void step(OrderView row, String status, String minute) {
    row.timeline.add(new TimelineStep(status, "2026-11-01T" + minute + ":00.000Z"));
  }

  private static SpendingView ada() {
    SpendingView sum = new SpendingView();
    sum.id = "ada/2026-11";
    sum.orders = 2;
    sum.spent = 3_400;
    sum.tips = 250;
    sum.refunded = 1_700;
    return sum;
  }
}
