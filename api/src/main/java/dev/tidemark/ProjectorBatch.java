package dev.tidemark;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One batch on its way through a projector: deliveries become writes, and their results return. */
final class ProjectorBatch<T> {
  private final EntityStore<T> store;
  private final boolean inLaneOrder;
  private final Function<Delivery, @Nullable Write<T>> writes;
  private final Map<Object, Message> unkeyed = new HashMap<>();

  ProjectorBatch(
      EntityStore<T> store, boolean inLaneOrder, Function<Delivery, @Nullable Write<T>> writes) {
    this.store = store;
    this.inLaneOrder = inLaneOrder;
    this.writes = writes;
  }

  BatchOutcome<T> handle(List<Delivery> deliveries) {
    List<@Nullable Result<T>> decided = new ArrayList<>();
    List<Write<T>> made = new ArrayList<>();
    for (Delivery delivery : deliveries) {
      Result<T> result = heldBack(delivery);
      if (result == null) {
        result = keyed(delivery, made);
      }
      decided.add(result);
      if (result != null && !result.isDone()) {
        orders(delivery).forEach(order -> unkeyed.putIfAbsent(order, delivery.message()));
      }
    }
    List<Result<T>> written = made.isEmpty() ? List.of() : store.writeAll(made);
    return BatchOutcome.of(deliveries, joined(deliveries, decided, written));
  }

  private List<Result<T>> joined(
      List<Delivery> deliveries, List<@Nullable Result<T>> decided, List<Result<T>> written) {
    Map<String, Message> stopped = new HashMap<>();
    List<Result<T>> results = new ArrayList<>();
    int next = 0;
    for (int i = 0; i < deliveries.size(); i++) {
      String lane = inLaneOrder ? deliveries.get(i).lane().orElse(null) : null;
      Result<T> result = decided.get(i);
      result = result != null ? result : written.get(next++);
      Message behind = lane == null ? null : stopped.get(lane);
      if (behind != null && result.isDone()) { // an ignored event has its place in the lane too
        result = new Result.HeldBack<>(behind);
      }
      if (lane != null && !result.isDone()) {
        stopped.putIfAbsent(lane, deliveries.get(i).message());
      }
      results.add(result);
    }
    return results;
  }

  /** Adds the delivery's write to the others; a result if there is none to make. */
  private @Nullable Result<T> keyed(Delivery delivery, List<Write<T>> made) {
    try {
      Write<T> write = writes.apply(delivery);
      if (write == null) {
        return new Result.Done<>(new Outcome.Applied<>(null, false, null));
      }
      made.add(inLaneOrder ? delivery.lane().map(write::inLane).orElse(write) : write);
      return null;
    } catch (RuntimeException e) {
      return new Result.Failed<>(e);
    }
  }

  private @Nullable Result<T> heldBack(Delivery delivery) {
    for (Object order : orders(delivery)) {
      Message behind = unkeyed.get(order);
      if (behind != null) {
        return new Result.HeldBack<>(behind);
      }
    }
    return null;
  }

  /** What the delivery has a place in. */
  private List<Object> orders(Delivery delivery) {
    List<Object> orders = new ArrayList<>();
    if (delivery.message() instanceof SourceEvent event) {
      orders.add(event.source().generation(0));
    }
    if (inLaneOrder) {
      delivery.lane().ifPresent(orders::add);
    }
    return orders;
  }
}
