package dev.tidemark.projector;

import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Faults;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One batch on its way through a projector: deliveries become writes, and their results return. */
final class ProjectorBatch<T> {
  private final Tracking tracking;
  private final Handlers<T> handlers;
  private final Function<Delivery, Handlers.Doing<T>> doing;
  private final List<Delivery> deliveries;
  private final Map<Integer, Write<T>> keyed = new LinkedHashMap<>();
  private final List<@Nullable Result<T>> decided = new ArrayList<>();
  private final Map<Source, SourceEvent> unkeyed = new HashMap<>();

  /** A batch of deliveries; what one does may have been asked before. */
  ProjectorBatch(
      Tracking tracking,
      Handlers<T> handlers,
      Function<Delivery, Handlers.Doing<T>> doing,
      List<Delivery> deliveries) {
    this.tracking = tracking;
    this.handlers = handlers;
    this.doing = doing;
    this.deliveries = deliveries;
    for (Delivery delivery : deliveries) {
      Result<T> result = key(delivery);
      decided.add(result);
      if (result instanceof Result.Failed && delivery.message() instanceof SourceEvent event) {
        unkeyed.merge(
            event.source().generation(0), event, (one, next) -> one.isLaterThan(next) ? next : one);
      }
    }
    holdBack();
  }

  /** What the store has to make. */
  List<Write<T>> writes() {
    return List.copyOf(keyed.values());
  }

  /** What became of the deliveries, once the writes have their results. */
  BatchOutcome<T> outcome(List<Result<T>> written) {
    return new BatchOutcome<>(deliveries, joined(written));
  }

  /** Holds back what must not be written, since something before it has no key. */
  private void holdBack() {
    Map<String, Message> stopped = new HashMap<>();
    for (int i = 0; i < deliveries.size(); i++) {
      Delivery delivery = deliveries.get(i);
      String lane = handlers.inLaneOrder() ? delivery.lane().orElse(null) : null;
      Message behind = lane == null ? null : stopped.get(lane);
      behind = behind == null ? behindInSource(delivery) : behind;
      Result<T> result = decided.get(i);
      if (behind != null && !(result instanceof Result.Failed)) {
        keyed.remove(i);
        result = new Result.HeldBack<>(behind);
        decided.set(i, result);
      }
      if (lane != null && result != null && !result.isDone()) {
        stopped.putIfAbsent(lane, delivery.message());
      }
    }
  }

  private @Nullable Message behindInSource(Delivery delivery) {
    if (!(delivery.message() instanceof SourceEvent event)) {
      return null;
    }
    SourceEvent first = unkeyed.get(event.source().generation(0));
    return first != null && event.isLaterThan(first) && waits(event, first) ? first : null;
  }

  /** A window that gives up no holes takes later events of the generation all the same. */
  private boolean waits(SourceEvent event, SourceEvent first) {
    EventPolicy policy = tracking.events(event.source().type());
    boolean patient = policy.kind() == EventPolicy.Kind.DENSE_WINDOW && !policy.givesUpHoles();
    return !patient || event.source().generation() != first.source().generation();
  }

  /** Results in the order of the batch; in a lane that has stopped nothing is ignored either. */
  private List<Result<T>> joined(List<Result<T>> written) {
    Map<String, Message> stopped = new HashMap<>();
    List<Result<T>> results = new ArrayList<>();
    int next = 0;
    for (int i = 0; i < deliveries.size(); i++) {
      String lane = handlers.inLaneOrder() ? deliveries.get(i).lane().orElse(null) : null;
      Result<T> ignored = decided.get(i);
      Result<T> result = ignored != null ? ignored : written.get(next++);
      Message behind = lane == null ? null : stopped.get(lane);
      if (behind != null && ignored != null && ignored.isDone()) {
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
  private @Nullable Result<T> key(Delivery delivery) {
    try {
      Handlers.Doing<T> does = doing.apply(delivery);
      if (does.transaction() != null) { // what it does could not be told when the batch was parted
        throw new IllegalStateException("a transaction was known too late for its batch");
      }
      Write<T> write = does.write();
      if (write == null) {
        return new Result.Judged<>(new Outcome.Ignored<>());
      }
      keyed.put(decided.size(), handlers.inItsLane(delivery, write));
      return null;
    } catch (Throwable e) {
      return new Result.Failed<>(Faults.unchecked(e));
    }
  }
}
