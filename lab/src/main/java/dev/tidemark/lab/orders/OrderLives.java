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
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/**
 * Makes up the lives of orders. The same seed makes the same events on any day, but for their
 * times, which begin two weeks before it. For one thread.
 */
final class OrderLives {
  private static final int OPEN_AT_ONCE = 100;
  private static final List<String> MEALS =
      List.of("Ramen", "Green Tea", "Margherita", "Fish Soup", "Dumplings", "Lemon Cake");
  private static final List<String> RESTAURANTS =
      List.of("The Wooden Spoon", "Harbour Kitchen", "Two Lanterns", "Kim and Sons");
  private static final List<String> COURIERS = List.of("Kim", "Ada", "Noor", "Ben", "Luz");

  private final Random random;
  private final Instant start;

  OrderLives(long seed, Clock clock) {
    random = new Random(seed);
    start = clock.instant().truncatedTo(ChronoUnit.DAYS).minus(Duration.ofDays(14));
  }

  /** The events of that many orders, each order's own in turn, those of different orders mixed. */
  List<Event> events(int orders) {
    List<Event> events = new ArrayList<>();
    List<Deque<Event>> open = new ArrayList<>();
    int opened = 0;
    while (opened < orders || !open.isEmpty()) {
      if (opened < orders && open.size() < OPEN_AT_ONCE) {
        opened++;
        open.add(
            life(opened, start.plus(Duration.ofDays(13).multipliedBy(opened).dividedBy(orders))));
        continue;
      }
      int chosen = random.nextInt(open.size());
      events.add(open.get(chosen).remove());
      if (open.get(chosen).isEmpty()) {
        open.remove(chosen);
      }
    }
    return events;
  }

  private Deque<Event> life(int number, Instant placed) {
    Life life = new Life("order-" + number, "consumer-" + random.nextInt(200), placed);
    List<OrderLine> lines = lines();
    life.created(RESTAURANTS.get(random.nextInt(RESTAURANTS.size())), lines);
    long total = lines.stream().mapToLong(OrderLine::cents).sum();
    if (oneIn(12)) {
      life.cancelled(total);
    } else {
      life.accepted();
      life.assigned();
      if (oneIn(3)) {
        life.assigned(); // another courier takes over
      }
      if (oneIn(12)) {
        life.cancelled(total / 2);
      } else if (!oneIn(12)) { // else the kitchen is still at it
        life.delivered();
      }
    }
    return life.events;
  }

  private List<OrderLine> lines() {
    List<OrderLine> lines = new ArrayList<>();
    for (int left = 1 + random.nextInt(3); left > 0; left--) {
      int quantity = 1 + random.nextInt(3);
      String meal = MEALS.get(random.nextInt(MEALS.size()));
      lines.add(new OrderLine(meal, quantity, quantity * (300L + random.nextInt(1_500))));
    }
    return lines;
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }

  /** One order with its ticket and its delivery; each event is later than the one before it. */
  private final class Life {
    private final Deque<Event> events = new ArrayDeque<>();
    private final String order;
    private final String consumer;
    private Instant now;
    private long orderVersion;
    private long ticketVersion;
    private long deliveryVersion;

    Life(String order, String consumer, Instant placed) {
      this.order = order;
      this.consumer = consumer;
      this.now = placed;
    }

    private String id() {
      return new UUID(random.nextLong(), random.nextLong()).toString();
    }

    private Instant later() {
      now = now.plusMillis(1_000 + random.nextInt(600_000));
      return now;
    }

    private String ticket() {
      return "ticket-of-" + order;
    }

    private String delivery() {
      return "delivery-of-" + order;
    }

    void created(String restaurant, List<OrderLine> lines) {
      events.add(
          new OrderCreated(id(), order, ++orderVersion, later(), consumer, restaurant, lines));
    }

    void cancelled(long refund) {
      events.add(new OrderCancelled(id(), order, ++orderVersion, later(), consumer, refund));
    }

    void accepted() {
      events.add(new TicketAccepted(id(), ticket(), ++ticketVersion, later(), order));
    }

    void assigned() {
      String courier = COURIERS.get(random.nextInt(COURIERS.size()));
      events.add(new CourierAssigned(id(), delivery(), ++deliveryVersion, later(), order, courier));
    }

    void delivered() {
      events.add(new MealReady(id(), ticket(), ++ticketVersion, later(), order));
      events.add(new MealPickedUp(id(), delivery(), ++deliveryVersion, later(), order));
      events.add(new MealDelivered(id(), delivery(), ++deliveryVersion, later(), order));
      for (int tips = random.nextInt(3); tips > 0; tips--) {
        long cents = 50L + random.nextInt(500);
        events.add(new TipGiven(id(), order, ++orderVersion, later(), consumer, cents));
      }
    }
  }
}
