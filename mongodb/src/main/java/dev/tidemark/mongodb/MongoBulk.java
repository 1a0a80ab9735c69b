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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.bson.BsonDocument;

/**
 * The writes of many folds in one unordered bulk. Its reply tells totals, the new documents and the
 * errors; where the totals leave open which writes were made, one find tells.
 */
final class MongoBulk<T> {
  private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);

  private final MongoTransport transport;
  private final MongoContext<T> context;
  private final MongoLookups<T> lookups;
  private final List<MongoFold<T>> folds;
  private final Set<MongoFold<T>> looking = new HashSet<>();

  MongoBulk(MongoContext<T> context, MongoLookups<T> lookups, List<MongoFold<T>> folds) {
    this.transport = context.transport();
    this.context = context;
    this.lookups = lookups;
    this.folds = folds;
  }

  void send() {
    List<WriteModel<BsonDocument>> models = new ArrayList<>();
    folds.forEach(fold -> models.add(Objects.requireNonNull(fold.model())));
    try {
      answered(
          MongoRetries.contending(() -> transport.writes(models).bulkWrite(models, UNORDERED)));
    } catch (MongoBulkWriteException e) {
      partly(e);
    } catch (RuntimeException e) {
      failed(e);
    }
  }

  private void answered(BulkWriteResult result) {
    settle(result, folds);
  }

  /** Decides on those that met no error. */
  private void settle(BulkWriteResult result, List<MongoFold<T>> open) {
    Set<MongoFold<T>> created = new HashSet<>();
    result.getUpserts().forEach(upsert -> created.add(folds.get(upsert.getIndex())));
    int made = result.getModifiedCount() + result.getInsertedCount() + created.size();
    boolean all = made == open.size();
    List<MongoFold<T>> unclear = new ArrayList<>();
    int known = 0;
    for (MongoFold<T> fold : open) {
      boolean isNew = created.contains(fold);
      if ((all || isNew) && !fold.returns()) {
        fold.accepted(isNew);
        known++;
      } else {
        unclear.add(fold);
      }
    }
    if (!unclear.isEmpty() || !looking.isEmpty()) {
      look(unclear, made - known);
    }
  }

  /** Reads what is unclear, of which a known number was written. */
  private void look(List<MongoFold<T>> unclear, int made) {
    Function<MongoFold<T>, MongoStored<T>> stored;
    List<MongoFold<T>> read = new ArrayList<>(unclear);
    read.addAll(looking);
    try {
      stored = lookups.read(read);
    } catch (RuntimeException e) {
      for (MongoFold<T> fold : read) {
        fold.marking().attemptWasUncertain();
        fold.fault(e, false);
      }
      return;
    }
    if (stored == null) {
      read.forEach(MongoFold::singly);
      return;
    }
    Map<MongoFold<T>, MongoStored<T>> known = readable(read, stored);
    List<MongoFold<T>> overwritten = new ArrayList<>();
    int written = 0;
    for (MongoFold<T> fold : unclear) {
      MongoStored<T> now = known.get(fold);
      if (now != null && isWritten(fold, now)) {
        written++;
      } else if (now != null) {
        overwritten.add(fold);
      }
    }
    if (written < made) { // of some, another write came since
      overwritten.forEach(fold -> fold.marking().attemptWasUncertain());
    }
    known.forEach(this::over);
  }

  /** What can be read; the rest is a fault of its fold alone. */
  private Map<MongoFold<T>, MongoStored<T>> readable(
      List<MongoFold<T>> folds, Function<MongoFold<T>, MongoStored<T>> stored) {
    Map<MongoFold<T>, MongoStored<T>> readable = new LinkedHashMap<>();
    for (MongoFold<T> fold : folds) {
      try {
        readable.put(fold, stored.apply(fold));
      } catch (CorruptRecordException e) { // which no guard lets pass: single calls name it
        fold.singly();
      } catch (RuntimeException e) {
        fold.marking().attemptWasUncertain();
        fold.fault(e, false);
      }
    }
    return readable;
  }

  private void over(MongoFold<T> fold, MongoStored<T> stored) {
    try {
      fold.over(stored);
    } catch (RuntimeException e) { // what is stored cannot be read
      fold.fault(e, false);
    }
  }

  private boolean isWritten(MongoFold<T> fold, MongoStored<T> stored) {
    return fold.marking().token().equals(stored.found().revision(context.names()));
  }

  /** Some met errors, each its own; the others are as if there had been none. */
  private void partly(MongoBulkWriteException e) {
    List<MongoFold<T>> open = new ArrayList<>(folds);
    boolean unsure = e.getWriteConcernError() != null;
    for (BulkWriteError error : e.getWriteErrors()) {
      MongoFold<T> fold = folds.get(error.getIndex());
      open.remove(fold);
      error(fold, new MongoWriteException(plain(error), e.getServerAddress(), Set.of()));
    }
    if (unsure) {
      open.forEach(fold -> fold.marking().attemptWasUncertain());
      looking.addAll(open);
      look(List.of(), 0);
      return;
    }
    settle(e.getWriteResult(), open);
  }

  private static WriteError plain(BulkWriteError error) {
    return new WriteError(error.getCode(), error.getMessage(), error.getDetails());
  }

  private void error(MongoFold<T> fold, MongoWriteException e) {
    switch (MongoErrors.kind(e)) {
      case KEY_TAKEN, CONTENTION -> looking.add(fold);
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
          fold.fault(e, true);
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
          look(List.of(), 0);
          folds.forEach(MongoFold::lost);
        }
      }
      case TOO_LARGE -> { // what is too large may come behind what was sent
        folds.forEach(fold -> fold.marking().attemptWasUncertain());
        looking.addAll(folds);
        look(List.of(), 0);
        folds.forEach(MongoFold::halve);
      }
      default -> {
        boolean ofNone = e instanceof MongoClientException || e instanceof ContentionException;
        folds.forEach(fold -> fold.fault(e, !ofNone));
      }
    }
  }
}
