package dev.tidemark.mongodb;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.MongoWriteException;
import com.mongodb.WriteError;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.bulk.WriteConcernError;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.WriteModel;
import dev.tidemark.EntityKey;
import dev.tidemark.kernel.Reply;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.bson.BsonDocument;

/**
 * Takes the steps of runs together: what has to be read in one find, what has to be written in one
 * unordered bulk whose reply names those that were refused, as often as it takes.
 */
final class Runs<T> {
  private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);

  /** Well below the 100,000 writes and 48,000,000 bytes, keys included, at which drivers split. */
  private static final int MOST_IN_COMMAND = 10_000;

  private static final long MOST_BYTES_IN_COMMAND = 32_000_000;

  private final Transport transport;
  private final Lookups<T> lookups;
  private final Replies<T> replies;
  private final Deadlines deadlines;

  Runs(Context<T> context, Deadlines deadlines) {
    this.deadlines = deadlines;
    this.transport = context.transport();
    this.lookups = new Lookups<>(context);
    this.replies = new Replies<>(context);
  }

  /** Goes on until every write has a result. */
  void run(List<Runner<T>> runners) {
    List<Runner<T>> open = advanced(runners);
    while (!open.isEmpty()) {
      long left = Long.MAX_VALUE;
      for (Runner<T> runner : open) {
        left = Math.min(left, runner.left());
      }
      pause(left);
      List<Runner<T>> reading = new ArrayList<>();
      List<Runner<T>> sending = new ArrayList<>();
      for (Runner<T> runner : open) {
        if (runner.left() <= 0 || isStopped()) {
          (runner.reads() ? reading : sending).add(runner);
        }
      }
      if (!reading.isEmpty()) {
        lookups.read(reading, deadlines);
      }
      send(sending);
      open = advanced(open);
    }
  }

  /** Those that need the store, each with its next step; the same again until it was taken. */
  private static <T> List<Runner<T>> advanced(List<Runner<T>> runners) {
    List<Runner<T>> open = new ArrayList<>(runners.size());
    for (Runner<T> runner : runners) {
      if (runner.advance()) {
        open.add(runner);
      }
    }
    return open;
  }

  /** An interrupted thread does not pause; it stays interrupted. */
  private void pause(long nanos) {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0 && !isStopped(); left = end - System.nanoTime()) {
      LockSupport.parkNanos(this, left);
    }
  }

  private static boolean isStopped() {
    return Thread.currentThread().isInterrupted();
  }

  private void send(List<Runner<T>> runners) {
    List<Runner<T>> together = new ArrayList<>();
    for (Runner<T> runner : runners) {
      if (!runner.isFormed(runners.size() == 1)) {
        continue;
      }
      if (runner.command().wantsImage()) {
        forImage(runner);
      } else if (runner.standsInBulk()) {
        together.add(runner);
      } else {
        bulk(List.of(runner));
      }
    }
    // A command each, as the driver sends them: an error of one says nothing of the others.
    while (!together.isEmpty()) {
      Class<?> kind = together.get(0).command().model().getClass();
      List<Runner<T>> others = new ArrayList<>();
      together.removeIf(one -> one.command().model().getClass() != kind && others.add(one));
      bulk(together);
      together = others;
    }
  }

  private void forImage(Runner<T> runner) {
    BsonDocument image;
    try {
      image = deadlines.within(() -> runner.command().findAndUpdate(transport));
    } catch (RuntimeException e) {
      failed(runner, e);
      return;
    }
    runner.on(replies.image(runner, image));
  }

  private void bulk(List<Runner<T>> all) {
    List<WriteModel<BsonDocument>> models = new ArrayList<>(all.size());
    all.forEach(one -> models.add(one.command().model()));
    try {
      settle(deadlines.within(() -> transport.writes().bulkWrite(models, UNORDERED)), all, all);
    } catch (MongoBulkWriteException e) {
      partly(e, all);
    } catch (RuntimeException e) {
      failed(all, e);
    }
  }

  /**
   * Those that met no error were made, unless they are refused by matching nothing; the entities
   * that outcomes have to carry are read next.
   */
  private void settle(BulkWriteResult result, List<Runner<T>> all, List<Runner<T>> fine) {
    Set<Runner<T>> created = new HashSet<>();
    result.getUpserts().forEach(upsert -> created.add(all.get(upsert.getIndex())));
    int found = result.getMatchedCount() + result.getInsertedCount() + result.getDeletedCount();
    int matched = found + created.size();
    List<Runner<T>> made = new ArrayList<>(fine);
    if (matched < fine.size()) {
      List<Runner<T>> open = fine.stream().filter(one -> !one.command().raises()).toList();
      made.removeAll(open);
      made.addAll(matching(open, matched - made.size()));
    }
    for (Runner<T> runner : made) {
      Reply.Accepted<T> accepted = replies.made(runner, created.contains(runner));
      if (runner.request().rules().returns()) {
        runner.awaitsEntity(accepted);
      } else {
        runner.on(accepted);
      }
    }
  }

  /**
   * Those of a bulk that matched, of which it tells the number alone: each has left its token. If
   * there are fewer tokens, others have written since, and the rest may have been made too.
   */
  private List<Runner<T>> matching(List<Runner<T>> open, int number) {
    Set<Object> tokens = Set.of();
    try {
      if (number > 0) {
        List<EntityKey> keys = open.stream().map(Runner::key).toList();
        tokens = deadlines.within(() -> lookups.revisions(keys));
      }
    } catch (RuntimeException e) {
      open.forEach(one -> one.on(new Reply.Lost<>(one.mayTryAgain(e), e)));
      return List.of();
    }
    List<Runner<T>> made = new ArrayList<>();
    List<Runner<T>> others = new ArrayList<>();
    for (Runner<T> runner : open) {
      (tokens.contains(runner.request().marking().token()) ? made : others).add(runner);
    }
    if (made.size() < number) {
      others.forEach(Runner::mayHaveBeenMade);
    }
    others.forEach(one -> one.on(replies.unmatched(one)));
    return made;
  }

  /** Some met errors, each its own; the others are as if there had been none. */
  private void partly(MongoBulkWriteException e, List<Runner<T>> all) {
    List<Runner<T>> made = new ArrayList<>(all);
    for (BulkWriteError error : e.getWriteErrors()) {
      Runner<T> runner = all.get(error.getIndex());
      made.remove(runner);
      WriteError plain = new WriteError(error.getCode(), error.getMessage(), error.getDetails());
      failed(runner, new MongoWriteException(plain, e.getServerAddress(), Set.of()));
    }
    WriteConcernError concern = e.getWriteConcernError();
    if (concern != null) { // the others may be rolled back
      MongoException weak =
          new MongoWriteConcernException(concern, null, e.getServerAddress(), Set.of());
      made.forEach(one -> one.on(new Reply.Lost<>(true, weak)));
      made.clear();
    }
    settle(e.getWriteResult(), all, made);
  }

  /** The bulk failed as a whole. One write may be the cause; those before it may have been made. */
  private void failed(List<Runner<T>> all, RuntimeException e) {
    boolean tooLarge = Errors.kind(e) == Errors.Kind.TOO_LARGE;
    boolean several = all.size() > 1 && (tooLarge || mayTakeSeveralCommands(all));
    if (several) {
      all.forEach(Runner::mayHaveBeenMade);
    }
    if (!several || Errors.isTransient(e)) {
      all.forEach(one -> failed(one, e));
    } else {
      bulk(all.subList(0, all.size() / 2));
      bulk(all.subList(all.size() / 2, all.size()));
    }
  }

  private void failed(Runner<T> runner, RuntimeException e) {
    if (transport.inSession()) {
      throw replies.ending(runner, e);
    }
    runner.on(replies.error(runner, e));
  }

  /** Whether the driver may have split a bulk, so that the error is that of one part. */
  private static <T> boolean mayTakeSeveralCommands(List<Runner<T>> bulk) {
    long bytes = bulk.stream().mapToLong(one -> one.command().bytes()).sum();
    return bulk.size() > MOST_IN_COMMAND || bytes > MOST_BYTES_IN_COMMAND;
  }
}
