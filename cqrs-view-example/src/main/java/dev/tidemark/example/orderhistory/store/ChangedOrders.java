package dev.tidemark.example.orderhistory.store;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Freshness;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.example.orderhistory.OrderView;
import java.util.List;
import java.util.Optional;

/** Rows whose writes do something more than what they are asked to, in the same write. */
abstract class ChangedOrders implements EntityStore<OrderView> {
  private final EntityStore<OrderView> orders;

  ChangedOrders(EntityStore<OrderView> orders) {
    this.orders = orders;
  }

  /** What is done in place of what was asked for. */
  abstract Write.Action<OrderView> changed(Write.Action<OrderView> action);

  private Write<OrderView> changed(Write<OrderView> write) {
    return new Write<>(write.message(), write.key(), changed(write.action()), write.laneOrNull());
  }

  @Override
  public Tracking tracking() {
    return orders.tracking();
  }

  @Override
  public Outcome<OrderView> write(Write<OrderView> write) {
    return orders.write(changed(write));
  }

  @Override
  public List<Result<OrderView>> writeAll(List<Write<OrderView>> writes) {
    return orders.writeAll(writes.stream().map(this::changed).toList());
  }

  @Override
  public Optional<OrderView> find(EntityKey key) {
    return orders.find(key);
  }

  @Override
  public Freshness<OrderView> find(EntityKey key, NotBefore notBefore) {
    return orders.find(key, notBefore);
  }
}
