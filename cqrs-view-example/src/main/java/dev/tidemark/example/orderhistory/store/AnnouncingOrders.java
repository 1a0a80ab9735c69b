package dev.tidemark.example.orderhistory.store;

import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Freshness;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.example.orderhistory.Announcements;
import dev.tidemark.example.orderhistory.OrderView;
import java.util.List;
import java.util.Optional;

/**
 * Rows that publish each change of their status in the write that makes it.
 *
 * @param orders the rows
 * @param announcements what they publish
 * @param begin false in a rebuild, whose rows publish only where they have begun to speak for their
 *     order
 */
record AnnouncingOrders(EntityStore<OrderView> orders, Announcements announcements, boolean begin)
    implements EntityStore<OrderView> {
  /** No change of a sum is one of the status. */
  private Write<OrderView> announced(Write<OrderView> write) {
    return write.action() instanceof Write.Action.Apply<OrderView> apply
        ? new Write<>(
            write.message(),
            write.key(),
            new Write.Action.Apply<>(
                apply.initialOrNull(), row -> announced(apply.function().apply(row))),
            write.laneOrNull())
        : write;
  }

  private Decision<OrderView> announced(Decision<OrderView> decision) {
    return decision instanceof Decision.To<OrderView> to && to.published().isEmpty()
        ? announcements.announced(to.entity(), begin)
        : decision;
  }

  @Override
  public Tracking tracking() {
    return orders.tracking();
  }

  @Override
  public Outcome<OrderView> write(Write<OrderView> write) {
    return orders.write(announced(write));
  }

  @Override
  public List<Result<OrderView>> writeAll(List<Write<OrderView>> writes) {
    return orders.writeAll(writes.stream().map(this::announced).toList());
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
