package dev.tidemark.example.orderhistory;

import dev.tidemark.example.orderhistory.DeliveryEvent.CourierAssigned;
import dev.tidemark.example.orderhistory.DeliveryEvent.MealDelivered;
import dev.tidemark.example.orderhistory.DeliveryEvent.MealPickedUp;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCancelled;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCreated;
import dev.tidemark.example.orderhistory.OrderEvent.TipGiven;
import dev.tidemark.example.orderhistory.TicketEvent.MealReady;
import dev.tidemark.example.orderhistory.TicketEvent.TicketAccepted;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.UUID;

/** Events of one order, for tests. */
public final class Samples {
  /** Midnight of today, so that no event is older than what sums remember. */
  @SuppressWarnings("TimeInStaticInitializer") // tests of one run share a day
  public static final Instant START =
      Instant.now().truncatedTo(ChronoUnit.DAYS).minus(1, ChronoUnit.DAYS);

  private Samples() {}

  /**
   * All events of an order with two lines and a tip that was delivered, each aggregate's in turn.
   */
  public static List<Event> delivered(String orderId, String consumerId) {
    return List.of(
        created(orderId, consumerId, 0),
        new TipGiven(id(), orderId, 2, at(50), consumerId, 250),
        new TicketAccepted(id(), "ticket-" + orderId, 1, at(10), orderId),
        new MealReady(id(), "ticket-" + orderId, 2, at(30), orderId),
        new CourierAssigned(id(), "delivery-" + orderId, 1, at(20), orderId, "Kim"),
        new MealPickedUp(id(), "delivery-" + orderId, 2, at(40), orderId),
        new MealDelivered(id(), "delivery-" + orderId, 3, at(45), orderId));
  }

  /**
   * The first event of an order, of two lines for 1,700 cents, placed so many minutes after START.
   */
  public static OrderCreated created(String orderId, String consumerId, int minutes) {
    return new OrderCreated(
        id(),
        orderId,
        1,
        at(minutes),
        consumerId,
        "The Wooden Spoon",
        List.of(new OrderLine("Ramen", 2, 1_200), new OrderLine("Green Tea", 1, 500)));
  }

  /** The event that follows {@link #created}. */
  public static OrderCancelled cancelled(String orderId, String consumerId, int minutes) {
    return new OrderCancelled(id(), orderId, 2, at(minutes), consumerId, 1_700);
  }

  /** An assignment of a courier, so many minutes after START. */
  public static CourierAssigned assigned(
      String orderId, long version, int minutes, String courier) {
    return new CourierAssigned(id(), "delivery-" + orderId, version, at(minutes), orderId, courier);
  }

  /** A time so many minutes after START. */
  public static Instant at(int minutes) {
    return START.plus(minutes, ChronoUnit.MINUTES);
  }

  private static String id() {
    return UUID.randomUUID().toString();
  }
}
