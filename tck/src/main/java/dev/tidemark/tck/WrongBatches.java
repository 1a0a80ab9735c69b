package dev.tidemark.tck;

import static dev.tidemark.tck.Mutant.named;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Message;
import dev.tidemark.Operation;
import dev.tidemark.Outcome;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** Mutants that get batches wrong, or recall what is no longer so. */
final class WrongBatches {
  private WrongBatches() {}

  /** Writes made in another way. */
  private interface Writes {
    List<Result<View>> make(EntityStore<View> sound, List<Write<View>> writes);
  }

  private static UnaryOperator<EntityStore<View>> writing(Writes wrong) {
    return store ->
        new MutantStore(store) {
          @Override
          public List<Result<View>> writeAll(List<Write<View>> writes) {
            return wrong.make(sound, writes);
          }
        };
  }

  private static Write<View> as(Write<View> write, Message message) {
    return new Write<>(message, write.key(), write.action(), write.laneOrNull());
  }

  /** What is there twice is written twice. */
  private static List<Result<View>> withoutDuplicates(
      EntityStore<View> sound, List<Write<View>> writes) {
    Set<Message> seen = new HashSet<>();
    List<Write<View>> all = new ArrayList<>();
    writes.forEach(
        write -> all.add(seen.add(write.message()) ? write : as(write, MutantStore.unasked())));
    return sound.writeAll(all);
  }

  /** One write after the other, the last first. */
  private static List<Result<View>> backwards(EntityStore<View> sound, List<Write<View>> writes) {
    List<Write<View>> reversed = new ArrayList<>(writes);
    Collections.reverse(reversed);
    List<Result<View>> results = new ArrayList<>();
    reversed.forEach(write -> results.addAll(sound.writeAll(List.of(write))));
    Collections.reverse(results);
    return results;
  }

  /** What follows an undone write of its source is not tried, whatever its position. */
  private static List<Result<View>> holdingByPlace(
      EntityStore<View> sound, List<Write<View>> writes) {
    Map<Object, Message> stopped = new HashMap<>();
    List<Result<View>> results = new ArrayList<>();
    for (Write<View> write : writes) {
      Object order = write.message() instanceof SourceEvent event ? event.source() : write;
      Message behind = stopped.get(order);
      Result<View> result =
          behind == null ? sound.writeAll(List.of(write)).get(0) : new Result.HeldBack<>(behind);
      if (!result.isDone()) {
        stopped.putIfAbsent(order, write.message());
      }
      results.add(result);
    }
    return results;
  }

  /** Something was written, so all was. */
  private static List<Result<View>> trustingTotals(
      EntityStore<View> sound, List<Write<View>> writes) {
    List<Result<View>> results = sound.writeAll(writes);
    boolean some = results.stream().anyMatch(WrongBatches::isApplied);
    return results.stream().map(result -> some && result.isDone() ? applied() : result).toList();
  }

  /** What was not all written may not have been written. */
  private static List<Result<View>> unsureOfTotals(
      EntityStore<View> sound, List<Write<View>> writes) {
    List<Result<View>> results = new ArrayList<>(sound.writeAll(writes));
    boolean all = results.stream().allMatch(WrongBatches::isApplied);
    for (int i = 0; !all && i < results.size(); i++) {
      EntityKey key = writes.get(i).key();
      RuntimeException unknown = new OutcomeUnknownException("the totals do not tell", key, null);
      results.set(i, isApplied(results.get(i)) ? new Result.Failed<>(unknown) : results.get(i));
    }
    return results;
  }

  /** A guard that takes a missing number for one at the bounds leaves the key alone. */
  private static List<Result<View>> leavingBareRows(
      EntityStore<View> sound, List<Write<View>> writes) {
    return sound.writeAll(writes.stream().map(WrongBatches::bareAtTheBounds).toList());
  }

  private static Write<View> bareAtTheBounds(Write<View> write) {
    boolean refused =
        write.action() instanceof Write.Action.Update<View> update
            && update.update() instanceof Change change
            && change.rules().creates()
            && change.operations().stream().anyMatch(WrongBatches::isAtTheBounds);
    return refused
        ? Write.update(write.message(), write.key(), Change.change().createIfMissing())
        : write;
  }

  private static boolean isAtTheBounds(Operation operation) {
    return operation.kind() == Operation.Kind.INCREASE
        && operation.amount().longValue() < Long.MIN_VALUE / 2;
  }

  private static boolean isApplied(Result<View> result) {
    return result instanceof Result.Judged<View> judged && judged.outcome().isApplied();
  }

  private static Result<View> applied() {
    return new Result.Judged<>(new Outcome.Applied<>(null, false, null));
  }

  /** What follows a gap is tried all the same. */
  private static List<Result<View>> holdingNothing(
      EntityStore<View> sound, List<Write<View>> writes) {
    List<Result<View>> results = new ArrayList<>();
    writes.forEach(write -> results.addAll(sound.writeAll(List.of(write))));
    return results;
  }

  /** One bad message is the end of all that follow. */
  private static List<Result<View>> stoppingAtFaults(
      EntityStore<View> sound, List<Write<View>> writes) {
    List<Result<View>> results = new ArrayList<>(sound.writeAll(writes));
    for (int i = 1; i < results.size(); i++) {
      boolean stopped = !results.get(i - 1).isDone();
      results.set(i, stopped ? new Result.HeldBack<>(writes.get(i - 1).message()) : results.get(i));
    }
    return results;
  }

  /** Lanes go first, so that what stops in them stops what is before it elsewhere. */
  private static List<Result<View>> lanesFirst(EntityStore<View> sound, List<Write<View>> writes) {
    Map<Write<View>, Result<View>> results = new HashMap<>();
    for (boolean inLane : new boolean[] {true, false}) {
      List<Write<View>> turn =
          writes.stream().filter(write -> write.lane().isPresent() == inLane).toList();
      List<Result<View>> ended = inLane ? sound.writeAll(turn) : Batch.oneByOne(sound, turn);
      for (int i = 0; i < turn.size(); i++) {
        boolean stopped =
            !inLane && results.values().stream().anyMatch(Result.HeldBack.class::isInstance);
        Result<View> heldBack = new Result.HeldBack<>(turn.get(i).message());
        results.put(turn.get(i), stopped ? heldBack : ended.get(i));
      }
    }
    return writes.stream().map(results::get).toList();
  }

  /** What does not fit into a slot is not judged. */
  private static List<Result<View>> afraidOfMany(
      EntityStore<View> sound, List<Write<View>> writes) {
    return writes.size() <= 20
        ? sound.writeAll(writes)
        : writes.stream()
            .<Result<View>>map(
                write ->
                    new Result.Failed<>(new OutcomeUnknownException("too many", write.key(), null)))
            .toList();
  }

  private static BiFunction<EntityStore<View>, MutantFaults, EntityStore<View>> afterLoss(
      UnaryOperator<Write<View>> again) {
    return (store, faults) ->
        new MutantStore(store) {
          @Override
          public List<Result<View>> writeAll(List<Write<View>> writes) {
            List<Result<View>> results = sound.writeAll(writes);
            return faults.isLost() ? sound.writeAll(writes.stream().map(again).toList()) : results;
          }
        };
  }

  /** Recalls messages for ever, whatever becomes of the entity. */
  private static EntityStore<View> recallingAll(EntityStore<View> store) {
    Map<EntityKey, Map<Message, Boolean>> applied = new ConcurrentHashMap<>();
    return new MutantStore(store) {
      @Override
      Outcome<View> updated(Message message, EntityKey key, Change change) {
        Map<Message, Boolean> known = applied.computeIfAbsent(key, k -> new HashMap<>());
        if (known.containsKey(message)) {
          return new Outcome.Duplicate<>(null, null);
        }
        Outcome<View> outcome = sound.update(message, key, change);
        known.put(message, outcome.isApplied());
        return outcome;
      }
    };
  }

  /** Takes the highest position that it has seen of a source for a floor. */
  private static EntityStore<View> recallingHighest(EntityStore<View> store) {
    Map<EntityKey, SourceEvent> highest = new ConcurrentHashMap<>();
    return new MutantStore(store) {
      @Override
      Outcome<View> updated(Message message, EntityKey key, Change change) {
        SourceEvent known = highest.get(key);
        if (message instanceof SourceEvent event && known != null && !event.isLaterThan(known)) {
          return new Outcome.Duplicate<>(null, null);
        }
        Outcome<View> outcome = sound.update(message, key, change);
        if (message instanceof SourceEvent event && outcome instanceof Outcome.Duplicate) {
          highest.put(key, event);
        }
        return outcome;
      }
    };
  }

  static List<Mutant> all() {
    return List.of(
        named("fold ignores a duplicate in the batch", "BatchContract#duplicates", "Duplicate")
            .does(writing(WrongBatches::withoutDuplicates)),
        named("order of a source broken", "BatchOrderContract#order", "Stale")
            .does(writing(WrongBatches::backwards)),
        named("batch judged in the order of places", "BatchOrderContract#before", "HeldBack")
            .does(writing(WrongBatches::holdingByPlace)),
        named("window waits for what was refused", "BatchDisorderContract#windows", "HeldBack")
            .does(writing(WrongBatches::holdingByPlace)),
        named("disorder stands still", "BatchDisorderContract#progress", "stands still")
            .does(writing(WrongBatches::holdingByPlace)),
        named("bulk totals trusted", "BatchContract#duplicates", "Duplicate")
            .does(writing(WrongBatches::trustingTotals)),
        named("bulk totals in doubt", "ConcurrentBatchesContract#sameMessages", "OutcomeUnknown")
            .does(writing(WrongBatches::unsureOfTotals)),
        named("refused upsert leaves a bare row", "WholeCreatesContract#batch", "total of")
            .does(writing(WrongBatches::leavingBareRows)),
        named("nothing held back", "BatchOrderContract#gap", "HeldBack")
            .does(writing(WrongBatches::holdingNothing)),
        named("fault stops the others", "BatchContract#misfit", "Applied")
            .does(writing(WrongBatches::stoppingAtFaults)),
        named("held back by what comes later", "BatchOrderContract#lanesOfSources", "HeldBack")
            .does(writing(WrongBatches::lanesFirst)),
        named("more ids than a slot takes unknown", "BatchIdsContract#someKnown", "Unknown")
            .does(writing(WrongBatches::afraidOfMany)),
        named("lost fold written again", "BatchContract#lostReply", "expected: <3>")
            .loses(afterLoss(write -> as(write, MutantStore.unasked()))),
        named("lost fold read as duplicates", "BatchContract#lostReply", "Duplicate")
            .loses(afterLoss(write -> write)),
        named("cache answers after delete", "CacheContract#forgotten", "Duplicate")
            .does(WrongBatches::recallingAll),
        named(
                "highest position taken for a floor",
                "CachePoliciesContract#belowWindow",
                "Duplicate")
            .does(WrongBatches::recallingHighest),
        named(
                "policy of another process ignored",
                "CachePoliciesContract#rollingDeployment",
                "Duplicate")
            .does(WrongBatches::recallingHighest));
  }
}
