package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.RecordDocuments.ID;
import static dev.tidemark.store.StoredRecord.EXPIRES;
import static dev.tidemark.store.StoredRecord.LEASE_END;
import static dev.tidemark.store.StoredRecord.PENDING;
import static dev.tidemark.store.StoredRecord.REVISION;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndReplaceOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.store.Answer;
import dev.tidemark.store.ConditionalWrite;
import dev.tidemark.store.Guard;
import dev.tidemark.store.RecordStore;
import dev.tidemark.store.StoredRecord;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Plain records in a MongoDB collection of their own: of executions, leases of relays, and what
 * clusters note. The {@code _id} has scope and idempotency key together. The first write of a
 * record is one command, which inserts the record or brings the one that is there; each later write
 * is one command under the revision. Safe for use by many threads.
 *
 * <p>Before the first of these, two commands ask the server whether different keys may be equal in
 * the collection, or records be dropped. Where it has a default collation, is capped, a time series
 * or a view, each call is an {@link IllegalStateException}, and nothing runs.
 */
public final class MongoRecordStore implements RecordStore {
  /** MongoDB's 16 MB, and what it does to the oplog, are far beyond this. */
  private static final int MOST_BYTES = 1_000_000;

  /** With their pauses these take about a second, as the tries of a write do. */
  private static final int MOST_READS = 15;

  private final OwnCollection<Document> records;
  private final Clock clock;

  private MongoRecordStore(MongoCollection<?> collection, Clock clock) {
    this.records = OwnCollection.of(collection, Document.class);
    this.clock = Objects.requireNonNull(clock, "clock");
  }

  /**
   * Records by the system's clock.
   *
   * @param collection where they are kept, used by nothing else; {@link #createIndexes} says what
   *     it needs
   * @return records, written and read by majority
   */
  public static MongoRecordStore of(MongoCollection<?> collection) {
    return of(collection, Clock.systemUTC());
  }

  /**
   * Records by a clock.
   *
   * @param collection where they are kept, used by nothing else
   * @param clock tells leases and expiry
   * @return records, written and read by majority
   */
  public static MongoRecordStore of(MongoCollection<?> collection, Clock clock) {
    return new MongoRecordStore(collection, clock);
  }

  /**
   * Creates the index that removes expired records, and the one of unfinished flows and of what
   * waits for a person. Calls after the first change nothing.
   *
   * @param collection where the records are kept
   * @throws IllegalStateException if it has a default collation, is capped, a time series or a view
   */
  public static void createIndexes(MongoCollection<?> collection) {
    MongoCollection<Document> records = OwnCollection.of(collection, Document.class).get();
    records.createIndex(
        Indexes.ascending(EXPIRES), new IndexOptions().expireAfter(0L, TimeUnit.SECONDS));
    records.createIndex(
        Indexes.ascending(PENDING, LEASE_END),
        new IndexOptions().partialFilterExpression(Filters.exists(PENDING)));
  }

  @Override
  public Answer<StoredRecord> write(ConditionalWrite write) {
    String key = write.key();
    Map<String, Object> fields = write.fields();
    try {
      if (!(write.guard() instanceof Guard.Unchanged before)) {
        return insert(key, Objects.requireNonNull(fields));
      }
      Bson unchanged =
          Filters.and(Filters.eq(ID, key), RecordDocuments.revision(before.revision()));
      boolean made = fields == null ? remove(unchanged) : replace(unchanged, fields);
      return made ? new Answer.Written<>() : new Answer.Refused<>(found(key));
    } catch (RuntimeException e) {
      return failed(key, e);
    }
  }

  /** One command: the record is inserted, or the one that is there comes back. */
  private Answer<StoredRecord> insert(String key, Map<String, Object> fields) {
    Document found =
        records
            .get()
            .findOneAndUpdate(
                Filters.eq(ID, key),
                new Document("$setOnInsert", RecordDocuments.document(fields)),
                new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER));
    return found != null && Objects.equals(found.get(REVISION), fields.get(REVISION))
        ? new Answer.Written<>()
        : new Answer.Refused<>(found == null ? null : RecordDocuments.record(found));
  }

  private boolean replace(Bson unchanged, Map<String, Object> fields) {
    return records
            .get()
            .findOneAndReplace(
                unchanged,
                RecordDocuments.document(fields),
                new FindOneAndReplaceOptions().projection(Projections.include(ID)))
        != null;
  }

  private boolean remove(Bson unchanged) {
    return records.get().deleteOne(unchanged).getDeletedCount() > 0;
  }

  /** A key that was taken by a race of inserts is a refusal, as the record that is there tells. */
  private Answer<StoredRecord> failed(String key, RuntimeException e) {
    return switch (Errors.kind(e)) {
      case KEY_TAKEN -> taken(key);
      case CONTENTION -> Errors.mayHideAttempt(e) ? new Answer.Lost<>(e) : new Answer.Busy<>(e);
      case UNCERTAIN -> {
        if (Errors.isInterruption(e)) {
          throw new OutcomeUnknownException(
              "the wait for a write of a record was interrupted", null, e);
        }
        yield new Answer.Lost<>(e, Errors.isDeadline(e));
      }
      case REFUSED, TOO_LARGE, OTHER -> throw e;
    };
  }

  private Answer<StoredRecord> taken(String key) {
    try {
      return new Answer.Refused<>(found(key));
    } catch (RuntimeException e) {
      return failed(key, e);
    }
  }

  @Override
  public Optional<StoredRecord> read(String key) {
    return Optional.ofNullable(ReadTries.read(MOST_READS, () -> found(key)));
  }

  /** One read; where it fails, a write that it is part of is tried again as a whole. */
  private @Nullable StoredRecord found(String key) {
    Document found = records.get().find(Filters.eq(ID, key)).first();
    return found == null ? null : RecordDocuments.record(found);
  }

  @Override
  public List<String> due(String partition, long from, long before, int most) {
    Bson due =
        Filters.and(
            Filters.eq(PENDING, partition),
            Filters.gte(LEASE_END, from),
            Filters.lt(LEASE_END, before));
    return keys(due, LEASE_END, most);
  }

  @Override
  public List<String> pending(String partition, String prefix, int most) {
    return keys(Filters.and(Filters.eq(PENDING, partition), startsWith(prefix)), ID, most);
  }

  @Override
  public List<String> list(String prefix, @Nullable String after, int most) {
    Bson all = startsWith(prefix);
    return keys(after == null ? all : Filters.and(all, Filters.gt(ID, after)), ID, most);
  }

  /** As a range, of which the index of keys knows. */
  private static Bson startsWith(String prefix) {
    String last = Character.toString(Character.MAX_CODE_POINT);
    return Filters.and(Filters.gte(ID, prefix), Filters.lt(ID, prefix + last));
  }

  private List<String> keys(Bson filter, String order, int most) {
    return ReadTries.read(
        MOST_READS,
        () ->
            records
                .get()
                .find(filter)
                .projection(Projections.include(ID))
                .sort(Sorts.ascending(order))
                .limit(most)
                .map(found -> found.getString(ID))
                .into(new ArrayList<>()));
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public int mostBytes() {
    return MOST_BYTES;
  }
}
