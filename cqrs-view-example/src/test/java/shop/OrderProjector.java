// snippet: start-projector
package shop;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;

import dev.tidemark.EntityStore;
import dev.tidemark.projector.Projector;

public final class OrderProjector {
  private OrderProjector() {}

  public static <T> Projector<T> into(EntityStore<T> orders) {
    return Projector.into(orders)
        .declaring(OrderEvent.class)
        .updating(
            OrderEvent.Placed.class,
            e -> key(e.orderId()),
            e -> change().createIfMissing().set("status", "PLACED").set("total", e.cents()))
        .updating(
            OrderEvent.Paid.class,
            e -> key(e.orderId()),
            e -> change().set("status", "PAID").add("total", e.fee()))
        .build();
  }
}
// end
