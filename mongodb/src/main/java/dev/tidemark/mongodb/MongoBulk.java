package dev.tidemark.mongodb;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientException;
import com.mongodb.MongoWriteException;
import com.mongodb.WriteError;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.WriteModel;
import dev.tidemark.ContentionException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.TooLargeException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The writes of many folds in one unordered bulk. Its reply names those that were refused, by the
 * errors that their guards raise, and those that were new; the others were made. One find tells
 * what refused a write.
 */
final class MongoBulk<T> {
  private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);

  private final MongoTransport transport;
  private final MongoLookups<T> lookups;
  private final List<MongoFold<T>> folds;
  private final Set<MongoFold<T>> looking = new LinkedHashSet<>();
  private boolean doubtful;

  MongoBulk(MongoContext<T> context, MongoLookups<T> lookups, List<MongoFold<T>> folds) {
    this.transport = context.transport();
    this.lookups = lookups;
    this.folds = folds;
  }

  void send() {
    List<WriteModel<BsonDocument>> models = new ArrayList<>();
    folds.forEach(fold -> models.add(Objects.requireNonNull(fold.model())));
    try {
      settle(
          MongoRetries.contending(
              () -> transport.writes(models).bulkWrite(models, UNORDERED), this::refused),
          folds);
    } catch (MongoBulkWriteException e) {
      if (doubtful) {
        folds.forEach(fold -> fold.marking().attemptWasUncertain());
      }
      partly(e);
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  /** The bulk is sent again, although some of it may have been carried out. */
  private void refused(RuntimeException e) {
    long commands =
        folds.stream()
            .map(fold -> Objects.requireNonNull(fold.model()).getClass())
            .distinct()
            .count();
    doubtful |= commands > 1 || transport.mayHideAttempt(e);
  }

  /** Decides on those that met no error: they were made. */
  private void settle(BulkWriteResult result, List<MongoFold<T>> made) {
    Set<MongoFold<T>> created = new HashSet<>();
    result.getUpserts().forEach(upsert -> created.add(folds.get(upsert.getIndex())));
    List<MongoFold<T>> returning = new ArrayList<>();
    for (MongoFold<T> fold : made) {
      if (fold.returns()) {
        returning.add(fold);
      } else {
        fold.accepted(created.contains(fold));
      }
    }
    look(returning, created);
  }

  /** Reads what errors leave open, and the entities that outcomes of writes made have to carry. */
  private void look(List<MongoFold<T>> returning, Set<MongoFold<T>> created) {
    List<MongoFold<T>> read = new ArrayList<>(returning);
    read.addAll(looking);
    if (read.isEmpty()) {
      return;
    }
    Function<MongoFold<T>, MongoStored<T>> stored;
    try {
      stored = lookups.read(read);
    } catch (RuntimeException e) {
      returning.forEach(fold -> fold.accepted(created.contains(fold)));
      looking.forEach(fold -> fold.fault(e, false));
      return;
    }
    returning.forEach(fold -> returned(fold, created.contains(fold), stored));
    looking.forEach(fold -> over(fold, stored));
  }

  /** A write that was made: its entity as it is now, if it can be had. */
  private void returned(
      MongoFold<T> fold, boolean created, @Nullable Function<MongoFold<T>, MongoStored<T>> stored) {
    T entity;
    try {
      entity = stored == null ? null : stored.apply(fold).found().entity();
    } catch (RuntimeException e) {
      entity = null; // what another writer left cannot be read; that ours was made is certain
    }
    fold.accepted(created, entity);
  }

  private void over(MongoFold<T> fold, @Nullable Function<MongoFold<T>, MongoStored<T>> stored) {
    MongoStored<T> now = stored == null ? null : readable(fold, stored);
    if (now != null) {
      try {
        fold.over(now);
      } catch (RuntimeException e) {
        fold.fault(e, false);
      }
    } else if (stored == null) {
      fold.singly();
    }
  }

  /** What is stored; null where it cannot be read, which is a fault of its fold alone. */
  private @Nullable MongoStored<T> readable(
      MongoFold<T> fold, Function<MongoFold<T>, MongoStored<T>> stored) {
    try {
      return stored.apply(fold);
    } catch (CorruptRecordException e) { // which no guard lets pass: single calls name it
      fold.singly();
    } catch (RuntimeException e) {
      fold.fault(e, false);
    }
    return null;
  }

  /** Some met errors, each its own; the others are as if there had been none. */
  private void partly(MongoBulkWriteException e) {
    List<MongoFold<T>> made = new ArrayList<>(folds);
    for (BulkWriteError error : e.getWriteErrors()) {
      MongoFold<T> fold = folds.get(error.getIndex());
      made.remove(fold);
      error(fold, new MongoWriteException(plain(error), e.getServerAddress(), Set.of()));
    }
    if (e.getWriteConcernError() != null) { // they may be taken back
      made.forEach(fold -> fold.marking().attemptWasUncertain());
      looking.addAll(made);
      made.clear();
    }
    settle(e.getWriteResult(), made);
  }

  private static WriteError plain(BulkWriteError error) {
    return new WriteError(error.getCode(), error.getMessage(), error.getDetails());
  }

  private void error(MongoFold<T> fold, MongoWriteException e) {
    switch (MongoErrors.kind(e)) {
      case REFUSED, KEY_TAKEN, CONTENTION -> looking.add(fold);
      case UNCERTAIN -> {
        fold.marking().attemptWasUncertain();
        looking.add(fold);
      }
      case NO_PIPELINES -> {
        transport.lacksPipelines();
        fold.singly();
      }
      case TOO_LARGE ->
          fold.fault(
              new TooLargeException(
                  "the document would be larger than MongoDB allows", fold.key(), e),
              true);
      default -> {
        if (fold.isBlind() && MongoErrors.isOfExpression(e)) {
          looking.add(fold); // what its guard takes for granted of the record is not so
        } else {
          fold.fault(MongoFaults.of(e, fold.key()), true);
        }
      }
    }
  }

  /** The bulk as a whole met an error. */
  private void failed(RuntimeException e) {
    switch (MongoErrors.kind(e)) {
      case NO_PIPELINES -> {
        transport.lacksPipelines();
        folds.forEach(MongoFold::singly);
      }
      case UNCERTAIN -> {
        folds.forEach(fold -> fold.marking().attemptWasUncertain());
        if (MongoErrors.isInterruption(e)) {
          folds.forEach(fold -> fold.fault(e, false));
        } else {
          looking.addAll(folds);
          look(List.of(), Set.of());
          folds.forEach(MongoFold::lost);
        }
      }
      case TOO_LARGE -> { // what is too large may come behind what was sent
        folds.forEach(fold -> fold.marking().attemptWasUncertain());
        looking.addAll(folds);
        look(List.of(), Set.of());
        folds.forEach(MongoFold::halve);
      }
      default -> {
        boolean ofNone =
            e instanceof MongoClientException
                || e instanceof ContentionException
                || MongoErrors.isUnsent(e);
        folds.forEach(fold -> fold.fault(e, !ofNone));
      }
    }
  }
}
