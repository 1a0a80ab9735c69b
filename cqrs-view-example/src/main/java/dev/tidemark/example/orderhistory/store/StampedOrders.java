package dev.tidemark.example.orderhistory.store;

import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.EntityStore;
import dev.tidemark.Write;
import dev.tidemark.example.orderhistory.OrderView;

/** Rows whose every write also stores a resume token, in the same write. */
final class StampedOrders extends ChangedOrders {
  private final String token;

  StampedOrders(EntityStore<OrderView> orders, String token) {
    super(orders);
    this.token = token;
  }

  @Override
  Write.Action<OrderView> changed(Write.Action<OrderView> action) {
    if (action instanceof Write.Action.Update<OrderView> update) {
      return new Write.Action.Update<>(update.update().in(Change.class).set("resumeToken", token));
    } else if (action instanceof Write.Action.Apply<OrderView> apply) {
      return new Write.Action.Apply<>(
          apply.initialOrNull(), row -> stamped(apply.function().apply(row)));
    }
    return action;
  }

  private Decision<OrderView> stamped(Decision<OrderView> decision) {
    if (decision instanceof Decision.To<OrderView> to) {
      to.entity().resumeToken = token;
    }
    return decision;
  }
}
