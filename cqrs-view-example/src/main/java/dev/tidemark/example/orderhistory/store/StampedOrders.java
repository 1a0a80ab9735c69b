package dev.tidemark.example.orderhistory.store;

import dev.tidemark.Change;
import dev.tidemark.Decision;
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
import java.util.function.Function;

/** Rows whose every write also stores a resume token, in the same write. */
final class StampedOrders implements EntityStore<OrderView> {
  private final EntityStore<OrderView> orders;
  private final String token;

  StampedOrders(EntityStore<OrderView> orders, String token) {
    this.orders = orders;
    this.token = token;
  }

  private Change stamped(Change change) {
    return change.set("resumeToken", token);
  }

  private Function<OrderView, Decision<OrderView>> stamped(
      Function<OrderView, Decision<OrderView>> function) {
    return row -> {
      Decision<OrderView> decision = function.apply(row);
      if (decision instanceof Decision.To<OrderView> to) {
        to.entity().setResumeToken(token);
      }
      return decision;
    };
  }

  private Write<OrderView> stamped(Write<OrderView> write) {
    Write.Action<OrderView> action = write.action();
    if (action instanceof Write.Action.Update<OrderView> update) {
      action = new Write.Action.Update<>(stamped(update.update().in(Change.class)));
    } else if (action instanceof Write.Action.Apply<OrderView> apply) {
      action = new Write.Action.Apply<>(apply.initialOrNull(), stamped(apply.function()));
    }
    return new Write<>(write.message(), write.key(), action, write.laneOrNull());
  }

  @Override
  public Tracking tracking() {
    return orders.tracking();
  }

  @Override
  public Outcome<OrderView> write(Write<OrderView> write) {
    return orders.write(stamped(write));
  }

  @Override
  public List<Result<OrderView>> writeAll(List<Write<OrderView>> writes) {
    return orders.writeAll(writes.stream().map(this::stamped).toList());
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
