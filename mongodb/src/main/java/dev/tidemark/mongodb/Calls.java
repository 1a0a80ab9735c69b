package dev.tidemark.mongodb;

import dev.tidemark.Change;
import dev.tidemark.ContentionException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Patience;
import dev.tidemark.kernel.Run;
import dev.tidemark.kernel.UnfitChangeException;
import dev.tidemark.mongodb.MongoNativeUpdate.NativeWrite;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.bson.BsonDocument;

/** The tracked calls of one store: runs of one write, and those of a batch together. */
final class Calls<T> {
  static final int MOST_TRIES = 40;

  private static final Patience PATIENCE =
      new Patience(MOST_TRIES, MOST_TRIES, 0, Calls::pause, race -> pause(1));

  private final Context<T> context;

  Calls(Context<T> context) {
    this.context = context;
  }

  /** From 2 ms to half a second, between half of that and all of it. */
  static Duration pause(int tries) {
    double millis = Math.min(500, 2 * Math.pow(1.5, tries - 1));
    return Duration.ofNanos((long) (millis * ThreadLocalRandom.current().nextDouble(5e5, 1e6)));
  }

  /** Makes one write. */
  Outcome<T> write(Write<T> write) {
    return write(write, token -> {});
  }

  /**
   * Makes one write.
   *
   * @param tokens takes the token that it has left, if it was made
   */
  Outcome<T> write(Write<T> write, Consumer<ByteBuffer> tokens) {
    Deadlines deadlines = new Deadlines();
    Runner<T> runner = runner(List.of(write), deadlines);
    new Runs<>(context, deadlines).run(List.of(runner));
    if (runner.token() != null) {
      tokens.accept(runner.token());
    }
    Result<T> result = results(runner).get(0);
    if (result instanceof Result.Failed<T> failed) {
      throw failed.fault();
    }
    return ((Result.Judged<T>) result).outcome();
  }

  private Runner<T> runner(List<Write<T>> writes, Deadlines deadlines) {
    boolean events = true;
    for (Write<T> write : writes) {
      events &= write.message() instanceof SourceEvent;
    }
    EntityKey key = writes.get(0).key();
    Run<T> run =
        new Run<>(
            writes,
            context.tracking(),
            context.names(),
            context.clock(),
            this::formed,
            context.recall(),
            PATIENCE);
    Object kept = events ? context.recall().stored(key) : null;
    if (kept != null) { // of ids it would not be known whether they have to be moved
      @SuppressWarnings("unchecked")
      StoredDocument<T> old = (StoredDocument<T>) kept;
      run.recalling(old);
    }
    if (context.transport().hasPipelines()) {
      run.deletingBlindly();
    }
    return new Runner<>(context, writes, run, deadlines);
  }

  /** The write as it is sent; refused where the driver or the entity's class would. */
  private Write<T> formed(Write<T> write) {
    BsonDocument id = context.mapping().key(write.key());
    if (!(write.action() instanceof Write.Action.Update<T> update)) {
      return write;
    }
    if (update.update() instanceof Change change) {
      context.mapping().properties().check(change, write.key(), id);
      if (change.rules().creates() && context.mapping().values().asksForMore()) {
        requireReadable(change, id);
      }
      return write;
    }
    Write.Action<T> action =
        new Write.Action.Update<>(NativeWrite.of(context, write.key(), update.update()));
    return new Write<>(write.message(), write.key(), action, write.laneOrNull());
  }

  /** Refuses what would create an entity that the class's codec does not read. */
  private void requireReadable(Change change, BsonDocument id) {
    try {
      T unused =
          context
              .mapping()
              .entity(new Documents<>(context).applied(change.operations(), id.clone()));
    } catch (CorruptRecordException e) {
      throw new UnfitChangeException(
          "a change that may create an entity of %s has to make one that its codec reads: %s"
              .formatted(context.mapping().owner(), e.getMessage()),
          e);
    } catch (InvalidChangeException e) { // which creates nothing either
      return;
    }
  }

  private List<Result<T>> results(Runner<T> runner) {
    runner.run().remember(runner.written());
    List<Result<T>> results = new ArrayList<>(runner.run().results());
    results.replaceAll(result -> told(result, runner.key()));
    return results;
  }

  /** What could not be reached at all is the driver's to say. */
  private static <T> Result<T> told(Result<T> result, EntityKey key) {
    if (!(result instanceof Result.Failed<T> failed)) {
      return result;
    }
    Throwable cause = failed.fault() instanceof ContentionException e ? e.getCause() : null;
    return cause instanceof RuntimeException unsent && Errors.isUnsent(unsent)
        ? new Result.Failed<>(unsent)
        : new Result.Failed<>(Faults.withKey(failed.fault(), key));
  }

  /** Makes many writes: those of one round together. */
  List<Result<T>> writeAll(List<Write<T>> writes, Supplier<List<Result<T>>> oneByOne) {
    if (spellsKeysTwice(writes)) {
      return oneByOne.get();
    }
    Batch<T> batch = new Batch<>(writes, context.tracking());
    Deadlines deadlines = new Deadlines();
    List<Batch.Group<T>> groups = batch.next();
    while (!groups.isEmpty()) {
      List<Runner<T>> runners =
          groups.stream().map(group -> runner(group.writes(), deadlines)).toList();
      new Runs<>(context, deadlines).run(runners);
      for (int i = 0; i < runners.size(); i++) {
        batch.end(groups.get(i), results(runners.get(i)));
      }
      groups = batch.next();
    }
    return batch.results();
  }

  /**
   * Whether one id comes with other routing fields too, or in another form that is stored alike:
   * then neither stands for the other.
   */
  private boolean spellsKeysTwice(List<Write<T>> writes) {
    Map<Object, EntityKey> seen = new HashMap<>();
    return writes.stream()
        .map(Write::key)
        .anyMatch(key -> !key.equals(seen.merge(stored(key), key, (first, next) -> first)));
  }

  /** Equal for keys of one document; a bad one as it is, to be refused where it is used. */
  private Object stored(EntityKey key) {
    try {
      return Values.comparable(context.mapping().id(key));
    } catch (IllegalArgumentException e) {
      return key.parts();
    }
  }
}
