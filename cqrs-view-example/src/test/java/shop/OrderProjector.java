// snippet: start-projector
package shop;

import static dev.tidemark.Change.change;

import dev.tidemark.EntityStore;
import dev.tidemark.projector.Projector;
import shop.OrderEvent.Paid;
import shop.OrderEvent.Placed;

public final class OrderProjector {
  private OrderProjector() {}

  public static <T> Projector<T> into(EntityStore<T> orders) {
    return Projector.into(orders)
        .declaring(OrderEvent.class)
        .updating(
            Placed.class,
            OrderEvent::row,
            e -> change().createIfMissing().set("status", "PLACED").set("total", e.cents()))
        .updating(
            Paid.class, OrderEvent::row, e -> change().set("status", "PAID").add("total", e.fee()))
        .build();
  }
}
// end
