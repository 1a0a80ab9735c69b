package dev.tidemark.mongodb;

import dev.tidemark.Change;
import dev.tidemark.ContentionException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EntityUpdate;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import dev.tidemark.kernel.Backoff;
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
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.bson.BsonDocument;

/** The tracked calls of one store: runs of one write, and those of a batch together. */
final class Calls<T> {
  static final int MOST_TRIES = 40;

  static final Backoff PAUSES = Backoff.contending(Duration.ofMillis(2));

  private static final Patience PATIENCE =
      new Patience(MOST_TRIES, MOST_TRIES, 0, PAUSES::after, race -> PAUSES.after(1));

  private final Context<T> context;

  Calls(Context<T> context) {
    this.context = context;
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
    run.deletingBlindly();
    return new Runner<>(context, writes, run, deadlines);
  }

  /** The write as it is sent; refused where the driver or the entity's class would. */
  private Write<T> formed(Write<T> given) {
    BsonDocument id = context.mapping().key(given.key());
    EntityKey key = context.mapping().stored(given.key());
    Write<T> write = new Write<>(given.message(), key, given.action(), given.laneOrNull());
    if (!(write.action() instanceof Write.Action.Update<T> update)) {
      return write;
    }
    if (update.update() instanceof Change change) {
      context.mapping().properties().check(change, write.key(), id);
      if (context.mapping().properties().mayCreate(change)
          && context.mapping().values().asksForMore()) {
        requireReadable(change, id);
      }
      return of(write, context.mapping().properties().naming(change));
    }
    return of(write, NativeWrite.of(context, write.key(), update.update()));
  }

  private static <T> Write<T> of(Write<T> write, EntityUpdate update) {
    Write.Action<T> action = new Write.Action.Update<>(update);
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
  List<Result<T>> writeAll(List<Write<T>> writes, EntityStore<T> store) {
    List<Write<T>> spelled = spelledOnce(Batch.given(writes));
    IdentityHashMap<Write<T>, Write<T>> own = new IdentityHashMap<>();
    for (int i = 0; i < writes.size(); i++) {
      if (!writes.get(i).key().routing().equals(spelled.get(i).key().routing())) {
        own.put(spelled.get(i), writes.get(i));
      }
    }
    if (!own.isEmpty()) { // to each other document, or to none
      return Batch.oneByOne(
          spelled, context.tracking(), write -> Batch.alone(store, own.getOrDefault(write, write)));
    }
    Batch<T> batch = new Batch<>(spelled, context.tracking());
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
   * The writes, those of one id under the key that comes first: it may come in another form that is
   * stored alike, and its events are ordered, folded and held back as those of one entity.
   */
  private List<Write<T>> spelledOnce(List<Write<T>> writes) {
    Map<Object, EntityKey> seen = new HashMap<>();
    List<Write<T>> spelled = new ArrayList<>();
    for (Write<T> write : writes) {
      EntityKey key =
          seen.merge(context.mapping().identity(write.key()), write.key(), (first, next) -> first);
      spelled.add(
          key.equals(write.key())
              ? write
              : new Write<>(write.message(), key, write.action(), write.laneOrNull()));
    }
    return spelled;
  }
}
