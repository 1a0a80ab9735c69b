package dev.tidemark.example.orderhistory;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCancelled;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCreated;
import dev.tidemark.example.orderhistory.OrderEvent.TipGiven;
import dev.tidemark.projector.Projector;
import java.time.YearMonth;
import java.time.ZoneOffset;

/** What consumers spend in a month. Nothing but sums: each event is one write without a read. */
public final class ConsumerSpending {
  private ConsumerSpending() {}

  /**
   * The projector of events into sums.
   *
   * @param spending where the sums are
   * @return a projector for any number of threads
   */
  public static Projector<SpendingView> into(EntityStore<SpendingView> spending) {
    return Projector.into(spending)
        .identifiedBy(delivery -> ((Event) delivery.event()).message())
        .declaring(Event.class)
        .updating(
            OrderCreated.class,
            ConsumerSpending::row,
            e -> change().createIfMissing().add("orders", 1).add("spent", e.cents()))
        .updating(
            TipGiven.class,
            ConsumerSpending::row,
            e -> change().createIfMissing().add("tips", e.cents()))
        .updating(
            OrderCancelled.class,
            ConsumerSpending::row,
            e -> change().createIfMissing().add("refunded", e.refund()))
        .ignoring(TicketEvent.class)
        .ignoring(DeliveryEvent.class)
        .build();
  }

  /**
   * The key of a row.
   *
   * @param consumerId who
   * @param month when, in UTC
   * @return one value of both
   */
  public static EntityKey row(String consumerId, YearMonth month) {
    return key(consumerId + "/" + month);
  }

  private static EntityKey row(OrderEvent event) {
    return row(event.consumerId(), YearMonth.from(event.at().atOffset(ZoneOffset.UTC)));
  }
}
