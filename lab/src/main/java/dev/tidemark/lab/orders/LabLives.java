package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.DeliveryEvent.CourierAssigned;
import dev.tidemark.example.orderhistory.DeliveryEvent.MealDelivered;
import dev.tidemark.example.orderhistory.DeliveryEvent.MealPickedUp;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCancelled;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCreated;
import dev.tidemark.example.orderhistory.OrderEvent.TipGiven;
import dev.tidemark.example.orderhistory.OrderLine;
import dev.tidemark.example.orderhistory.TicketEvent.MealReady;
import dev.tidemark.example.orderhistory.TicketEvent.TicketAccepted;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/** Makes up orders and what happens to them. Each event is some time after the one before. */
final class LabLives {
  private static final Map<String, List<OrderLine>> MENUS =
      Map.of(
          "The Wooden Spoon",
              List.of(line("Ramen", 1190), line("Gyoza", 650), line("Green Tea", 320)),
          "Casa Lucia", List.of(line("Margherita", 980), line("Tiramisu", 590), line("Acqua", 290)),
          "Spice Route",
              List.of(line("Paneer Tikka", 1240), line("Garlic Naan", 350), line("Lassi", 420)),
          "Blue Door Bakery",
              List.of(line("Rye Loaf", 540), line("Almond Croissant", 380), line("Espresso", 260)));
  private static final List<String> RESTAURANTS = MENUS.keySet().stream().sorted().toList();
  private static final List<String> COURIERS = List.of("Kim", "Noor", "Alex", "Sam");

  private final Random random;
  private int last;

  LabLives(long seed) {
    random = new Random(seed);
  }

  private static OrderLine line(String name, long cents) {
    return new OrderLine(name, 1, cents);
  }

  /** A new order. */
  synchronized OrderCreated placed(String consumerId, Instant at) {
    String restaurant = RESTAURANTS.get(random.nextInt(RESTAURANTS.size()));
    List<OrderLine> menu = new ArrayList<>(MENUS.getOrDefault(restaurant, List.of()));
    Collections.shuffle(menu, random);
    List<OrderLine> lines = new ArrayList<>();
    for (OrderLine line : menu.subList(0, 1 + random.nextInt(menu.size()))) {
      int quantity = 1 + random.nextInt(2);
      lines.add(new OrderLine(line.name(), quantity, quantity * line.cents()));
    }
    last++;
    String orderId = "order-" + (1000 + last);
    return new OrderCreated(id(), orderId, 1, at, consumerId, restaurant, lines);
  }

  /** What is left of an order's life until it is delivered, each step some time after the other. */
  synchronized List<Event> rest(OrderCreated order, Instant from, Duration step) {
    String id = order.orderId();
    String ticket = "ticket-" + id;
    String delivery = "delivery-" + id;
    String courier = COURIERS.get(random.nextInt(COURIERS.size()));
    return List.of(
        new TicketAccepted(id(), ticket, 1, from.plus(step), id),
        new CourierAssigned(id(), delivery, 1, from.plus(step.multipliedBy(2)), id, courier),
        new MealReady(id(), ticket, 2, from.plus(step.multipliedBy(3)), id),
        new MealPickedUp(id(), delivery, 2, from.plus(step.multipliedBy(4)), id),
        new MealDelivered(id(), delivery, 3, from.plus(step.multipliedBy(5)), id));
  }

  synchronized TipGiven tip(OrderCreated order, long version, Instant at) {
    long cents = 100 + 50L * random.nextInt(5);
    return new TipGiven(id(), order.orderId(), version, at, order.consumerId(), cents);
  }

  synchronized OrderCancelled cancelled(OrderCreated order, long version, Instant at) {
    long refund = order.lines().stream().mapToLong(OrderLine::cents).sum();
    return new OrderCancelled(id(), order.orderId(), version, at, order.consumerId(), refund);
  }

  /** One of some. */
  synchronized int any(int below) {
    return random.nextInt(below);
  }

  private String id() {
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }
}
