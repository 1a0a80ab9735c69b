package dev.tidemark.projector;

import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Holds;
import dev.tidemark.kernel.LaneGate;
import dev.tidemark.kernel.Turns;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One batch on its way through a projector: deliveries become writes, and their results return. */
final class ProjectorBatch<T> {
  /** Counts a write that is still to be made among those that overtake what waits. */
  private static final Result<?> MAY_OVERTAKE = new Result.Judged<>(new Outcome.Ignored<>());

  private final Tracking tracking;
  private final Handlers<T> handlers;
  private final List<Told<T>> told;
  private final List<Delivery> deliveries;
  private final Map<Integer, Write<T>> keyed = new LinkedHashMap<>();
  private final List<@Nullable Result<T>> decided = new ArrayList<>();
  private final Map<Source, SourceEvent> unkeyed = new HashMap<>();

  ProjectorBatch(Tracking tracking, Handlers<T> handlers, List<Told<T>> told) {
    this.tracking = tracking;
    this.handlers = handlers;
    this.told = told;
    this.deliveries = told.stream().map(Told::delivery).toList();
    for (Told<T> one : told) {
      decided.add(key(one));
      if (one.fault() != null && one.message() instanceof SourceEvent event) {
        unkeyed.merge(event.source().generation(0), event, (a, b) -> a.isLaterThan(b) ? b : a);
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

  /**
   * Holds back what must not be written, since something before it waits or has no key. What is
   * before it is told by the order in which the store makes writes. So an earlier event that waits
   * holds back the later ones of its entity, also those in front of it.
   */
  private void holdBack() {
    List<Write<T>> writes = IntStream.range(0, told.size()).mapToObj(this::write).toList();
    Holds holds = new Holds(tracking);
    for (int i : Turns.of(writes)) {
      Told<T> one = told.get(i);
      Message behind = holds.awaitedBy(writes.get(i));
      behind = behind == null ? one.behind() : behind;
      behind = behind == null ? behindInSource(one) : behind;
      Result<T> result = decided.get(i);
      if (behind != null && !(result instanceof Result.Failed)) {
        keyed.remove(i);
        result = new Result.HeldBack<>(behind);
        decided.set(i, result);
      }
      holds.ended(writes.get(i), result == null ? MAY_OVERTAKE : result);
    }
  }

  private Write<T> write(int index) {
    Write<T> write = keyed.get(index);
    Told<T> one = told.get(index);
    return write == null ? handlers.inItsLane(one.delivery(), one.alone()) : write;
  }

  private @Nullable Message behindInSource(Told<T> one) {
    if (one.isIgnored() || !(one.message() instanceof SourceEvent event)) {
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
    LaneGate<String, Message> lanes = new LaneGate<>();
    List<Result<T>> results = new ArrayList<>();
    int next = 0;
    for (int i = 0; i < deliveries.size(); i++) {
      String lane = handlers.inLaneOrder() ? deliveries.get(i).lane().orElse(null) : null;
      Result<T> ignored = decided.get(i);
      Result<T> result = ignored != null ? ignored : written.get(next++);
      Message behind = lanes.ahead(lane);
      if (behind != null && ignored != null && ignored.isDone()) {
        result = new Result.HeldBack<>(behind);
      }
      if (!result.isDone()) {
        lanes.stop(lane, deliveries.get(i).message());
      }
      results.add(result);
    }
    return results;
  }

  /** Adds the delivery's write to the others; a result if there is none to make. */
  private @Nullable Result<T> key(Told<T> one) {
    if (one.fault() != null) {
      return new Result.Failed<>(one.fault());
    }
    if (one.isIgnored()) {
      return new Result.Judged<>(new Outcome.Ignored<>());
    }
    Write<T> write = Objects.requireNonNull(Objects.requireNonNull(one.doing()).write());
    keyed.put(decided.size(), handlers.inItsLane(one.delivery(), write));
    return null;
  }
}
