package dev.tidemark.kernel;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Writes of many entities, in rounds: those of one round may be made in any order of entities, each
 * entity's in their own order, in which events of one source stand by position. There is one round
 * unless lanes lead from one entity to another. For one thread at a time.
 *
 * @param <T> the entity's type
 */
public final class Batch<T> {
  /**
   * The writes of one entity in one round.
   *
   * @param key the entity
   * @param indexes where they stand among all, in the order of judging
   * @param writes in that order
   * @param <T> the entity's type
   */
  public record Group<T>(EntityKey key, List<Integer> indexes, List<Write<T>> writes) {}

  private final List<Integer> turns;
  private final List<Write<T>> writes;
  private final List<@Nullable Result<T>> results = new ArrayList<>();
  private final Tracking tracking;
  private final Holds holds;

  /**
   * A batch of which nothing is done yet.
   *
   * @param writes in order
   * @param tracking the policies
   */
  public Batch(List<Write<T>> writes, Tracking tracking) {
    this.turns = Turns.of(given(writes));
    this.writes = turns.stream().map(writes::get).toList();
    this.tracking = tracking;
    this.holds = new Holds(tracking);
    writes.forEach(write -> results.add(null));
  }

  /**
   * Requires that a batch was given, and each of its writes.
   *
   * @param writes of the batch
   * @param <T> the entity's type
   * @return the same
   * @throws IllegalArgumentException if something is null
   */
  public static <T> List<Write<T>> given(List<Write<T>> writes) {
    int place = 0;
    for (Write<T> write : Text.given("writes of a batch", writes)) {
      Text.given("write " + place++ + " of the batch", write);
    }
    return writes;
  }

  /**
   * The next round.
   *
   * @return writes by entity; empty if all have a result
   */
  public List<Group<T>> next() {
    Map<EntityKey, Group<T>> groups = new LinkedHashMap<>();
    Map<String, EntityKey> lanes = new HashMap<>();
    Set<String> blockedLanes = new HashSet<>();
    Set<EntityKey> blockedKeys = new HashSet<>();
    Set<Object> counting = new HashSet<>();
    for (int i = 0; i < writes.size(); i++) {
      Write<T> write = writes.get(i);
      if (results.get(i) != null) {
        continue;
      }
      String lane = write.laneOrNull();
      boolean elsewhere =
          lane != null && !lanes.getOrDefault(lane, write.key()).equals(write.key());
      boolean blocked =
          elsewhere || blockedKeys.contains(write.key()) || blockedLanes.contains(lane);
      if (!blocked && isHeldBack(i)) { // what is blocked waits for what is before it
        continue;
      }
      Object counted = holds.countedBy(write);
      blocked |= counted != null && !counting.add(counted); // the runs know nothing of each other
      if (blocked) {
        blockedKeys.add(write.key());
      } else {
        groups.computeIfAbsent(write.key(), Batch::group).writes().add(write);
        groups.get(write.key()).indexes().add(i);
      }
      if (lane != null) {
        lanes.putIfAbsent(lane, write.key());
        if (blocked) {
          blockedLanes.add(lane);
        }
      }
    }
    return List.copyOf(groups.values());
  }

  private static <T> Group<T> group(EntityKey key) {
    return new Group<>(key, new ArrayList<>(), new ArrayList<>());
  }

  private boolean isHeldBack(int index) {
    Message awaited = holds.awaitedBy(writes.get(index));
    if (awaited != null) {
      end(index, new Result.HeldBack<>(awaited));
    }
    return awaited != null;
  }

  /**
   * Takes the results of a group.
   *
   * @param group a group of the round
   * @param ended one result for each of its writes
   */
  public void end(Group<T> group, List<Result<T>> ended) {
    for (int i = 0; i < ended.size(); i++) {
      end(group.indexes().get(i), ended.get(i));
    }
  }

  private void end(int index, Result<T> result) {
    results.set(index, told(writes.get(index).message(), result));
    holds.ended(writes.get(index), result);
  }

  /**
   * A folded write does not tell the highest position of a window, so no result of a batch does.
   */
  private Result<T> told(Message message, Result<T> result) {
    boolean window =
        message instanceof SourceEvent event
            && Judge.isWindow(tracking.events(event.source().type()));
    if (!window || !(result instanceof Result.Judged<T> judged)) {
      return result;
    }
    if (judged.outcome() instanceof Outcome.Applied<T> applied) {
      return new Result.Judged<>(
          new Outcome.Applied<>(applied.entityOrNull(), applied.created(), null));
    }
    if (judged.outcome() instanceof Outcome.Recorded<T> recorded) {
      return new Result.Judged<>(new Outcome.Recorded<>(recorded.entityOrNull(), null));
    }
    return judged.outcome() instanceof Outcome.Duplicate<T> duplicate
        ? new Result.Judged<>(new Outcome.Duplicate<>(duplicate.entityOrNull(), null))
        : result;
  }

  /**
   * What became of all writes, once there is no further round.
   *
   * @return in the order of the batch
   */
  public List<Result<T>> results() {
    List<@Nullable Result<T>> all = new ArrayList<>(results);
    for (int turn = 0; turn < turns.size(); turn++) {
      all.set(turns.get(turn), results.get(turn));
    }
    return all.stream().<Result<T>>map(Objects::requireNonNull).toList();
  }

  /**
   * Makes writes one after the other, each by a call of its own, the events of one source and
   * entity by position: what a batch means.
   *
   * @param store makes them
   * @param writes in order
   * @param <T> the entity's type
   * @return what became of each, in the order of the list
   */
  public static <T> List<Result<T>> oneByOne(EntityStore<T> store, List<Write<T>> writes) {
    return oneByOne(writes, store.tracking(), write -> alone(store, write));
  }

  /**
   * The same, made by anything.
   *
   * @param writes in order
   * @param tracking the policies
   * @param alone makes one write, and tells what became of it
   * @param <T> the entity's type
   * @return what became of each, in the order of the list
   */
  public static <T> List<Result<T>> oneByOne(
      List<Write<T>> writes, Tracking tracking, Function<Write<T>, Result<T>> alone) {
    Batch<T> batch = new Batch<>(writes, tracking);
    for (int turn = 0; turn < writes.size(); turn++) {
      if (!batch.isHeldBack(turn)) {
        batch.end(turn, alone.apply(batch.writes.get(turn)));
      }
    }
    return batch.results();
  }

  /**
   * Makes one write by a call of its own.
   *
   * @param store makes it
   * @param write the write
   * @param <T> the entity's type
   * @return what became of it
   */
  public static <T> Result<T> alone(EntityStore<T> store, Write<T> write) {
    try {
      return new Result.Judged<>(store.write(write));
    } catch (RuntimeException e) {
      return new Result.Failed<>(e);
    }
  }
}
