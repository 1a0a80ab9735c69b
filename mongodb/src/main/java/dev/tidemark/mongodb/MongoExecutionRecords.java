package dev.tidemark.mongodb;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndReplaceOptions;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.Projections;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.Sorts;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.execution.ExecutionRecord;
import dev.tidemark.execution.ExecutionRecord.Point;
import dev.tidemark.execution.ExecutionRecord.State;
import dev.tidemark.execution.ExecutionRecord.Stored;
import dev.tidemark.execution.ExecutionRecords;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Records of executions in a MongoDB collection of their own, whose {@code _id} has scope and
 * idempotency key together. A claim is one command, which inserts the record or brings the one that
 * is there; each later write is one command under the revision. Safe for use by many threads.
 *
 * <p>Before the first of these, two commands ask the server whether different keys may be equal in
 * the collection, or records be dropped. Where it has a default collation, is capped, a time series
 * or a view, each call is an {@link IllegalStateException}, and nothing runs.
 */
public final class MongoExecutionRecords implements ExecutionRecords {
  private static final String ID = "_id";
  private static final String REVISION = "revision";
  private static final String PENDING = "pending";
  private static final String LEASE_END = "leaseEnd";
  private static final String EXPIRES = "expires";

  /** Where the name of a flow stands otherwise, which starts with a slash. */
  private static final String PARKED = "!parked";

  /** MongoDB's 16 MB, and what it does to the oplog, are far beyond this. */
  private static final int MOST_BYTES = 1_000_000;

  /** With their pauses these take about a second, as the tries of a write do. */
  private static final int MOST_READS = 15;

  private final OwnCollection<Document> records;
  private final Clock clock;

  private MongoExecutionRecords(MongoCollection<?> collection, Clock clock) {
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
  public static MongoExecutionRecords of(MongoCollection<?> collection) {
    return of(collection, Clock.systemUTC());
  }

  /**
   * Records by a clock.
   *
   * @param collection where they are kept, used by nothing else
   * @param clock tells leases and expiry
   * @return records, written and read by majority
   */
  public static MongoExecutionRecords of(MongoCollection<?> collection, Clock clock) {
    return new MongoExecutionRecords(collection, clock);
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
  public Answer write(String key, @Nullable String before, ExecutionRecord record) {
    Document stored = document(record);
    try {
      return before == null ? insert(key, stored, record) : replace(key, before, stored);
    } catch (RuntimeException e) {
      return failed(key, e);
    }
  }

  /** One command: the record is inserted, or the one that is there comes back. */
  private Answer insert(String key, Document stored, ExecutionRecord record) {
    Document found =
        records
            .get()
            .findOneAndUpdate(
                Filters.eq(ID, key),
                new Document("$setOnInsert", stored),
                new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER));
    ExecutionRecord left = found == null ? null : record(found);
    return left != null && left.revision().equals(record.revision())
        ? new Answer.Written()
        : new Answer.Refused(left);
  }

  private Answer replace(String key, String before, Document stored) {
    Document replaced =
        records
            .get()
            .findOneAndReplace(
                unchanged(key, before),
                stored,
                new FindOneAndReplaceOptions().projection(Projections.include(ID)));
    return replaced == null ? new Answer.Refused(found(key)) : new Answer.Written();
  }

  private static Bson unchanged(String key, String before) {
    return Filters.and(Filters.eq(ID, key), Filters.eq(REVISION, before));
  }

  @Override
  public Answer remove(String key, String before) {
    try {
      boolean removed = records.get().deleteOne(unchanged(key, before)).getDeletedCount() > 0;
      return removed ? new Answer.Written() : new Answer.Refused(found(key));
    } catch (RuntimeException e) {
      return failed(key, e);
    }
  }

  @Override
  public Answer removeUnreadable(String key) {
    Document found = records.get().find(Filters.eq(ID, key)).first();
    if (found == null) {
      return new Answer.Refused(null);
    }
    if (isReadable(found)) {
      return new Answer.Refused(record(found));
    }
    Document same = new Document(REVISION, new Document("$eq", found.get(REVISION)));
    try {
      boolean removed =
          records.get().deleteOne(Filters.and(Filters.eq(ID, key), same)).getDeletedCount() > 0;
      return removed ? new Answer.Written() : new Answer.Refused(read(key).orElse(null));
    } catch (RuntimeException e) {
      return failed(key, e);
    }
  }

  /** Whether it can be read, and has a revision by which it can be written over. */
  private static boolean isReadable(Document stored) {
    try {
      return !record(stored).revision().isEmpty();
    } catch (CorruptRecordException e) {
      return false;
    }
  }

  /** A key that was taken by a race of inserts is a refusal, as the record that is there tells. */
  private Answer failed(String key, RuntimeException e) {
    return switch (Errors.kind(e)) {
      case KEY_TAKEN -> taken(key);
      case CONTENTION -> Errors.mayHideAttempt(e) ? new Answer.Lost(e) : new Answer.Busy(e);
      case UNCERTAIN -> {
        if (Errors.isInterruption(e)) {
          throw new OutcomeUnknownException(
              "the wait for a write of an execution's record was interrupted", null, e);
        }
        yield new Answer.Lost(e, Errors.isDeadline(e));
      }
      case REFUSED, TOO_LARGE, OTHER -> throw e;
    };
  }

  private Answer taken(String key) {
    try {
      return new Answer.Refused(found(key));
    } catch (RuntimeException e) {
      return failed(key, e);
    }
  }

  @Override
  public Optional<ExecutionRecord> read(String key) {
    return Optional.ofNullable(ReadTries.read(MOST_READS, () -> found(key)));
  }

  /** One read; where it fails, a write that it is part of is tried again as a whole. */
  private @Nullable ExecutionRecord found(String key) {
    Document found = records.get().find(Filters.eq(ID, key)).first();
    return found == null ? null : record(found);
  }

  @Override
  public List<String> stale(String flow, long now, int most) {
    return records
        .get()
        .find(Filters.and(Filters.eq(PENDING, flow), Filters.lt(LEASE_END, now)))
        .projection(Projections.include(ID))
        .sort(Sorts.ascending(LEASE_END))
        .limit(most)
        .map(found -> found.getString(ID))
        .into(new ArrayList<>());
  }

  @Override
  public List<String> parked(String prefix, int most) {
    return keys(Filters.and(Filters.eq(PENDING, PARKED), startsWith(prefix)), most);
  }

  @Override
  public List<String> list(String prefix, @Nullable String after, int most) {
    Bson all = startsWith(prefix);
    return keys(after == null ? all : Filters.and(all, Filters.gt(ID, after)), most);
  }

  /** As a range, of which the index of keys knows. */
  private static Bson startsWith(String prefix) {
    String last = Character.toString(Character.MAX_CODE_POINT);
    return Filters.and(Filters.gte(ID, prefix), Filters.lt(ID, prefix + last));
  }

  private List<String> keys(Bson filter, int most) {
    return records
        .get()
        .find(filter)
        .projection(Projections.include(ID))
        .sort(Sorts.ascending(ID))
        .limit(most)
        .map(found -> found.getString(ID))
        .into(new ArrayList<>());
  }

  @Override
  public Clock clock() {
    return clock;
  }

  @Override
  public int mostBytes() {
    return MOST_BYTES;
  }

  private static Document document(ExecutionRecord record) {
    Document stored =
        new Document(REVISION, record.revision())
            .append("state", record.state().name())
            .append("owner", record.owner())
            .append("fence", record.fence())
            .append("leaseMillis", record.leaseMillis())
            .append(LEASE_END, record.leaseEnd())
            .append("fingerprint", record.fingerprint());
    if (record.expires() > 0) {
      stored.append(EXPIRES, Date.from(Instant.ofEpochSecond(record.expires())));
    }
    if (record.state() == State.PARKED) {
      stored.append(PENDING, PARKED);
    }
    if (!record.flow().isEmpty()) {
      stored.append("flow", record.flow());
      if (record.isOpen()) {
        stored.append(PENDING, record.flow());
      }
    }
    if (record.request() != null) {
      stored.append("request", record.request());
    }
    if (!record.points().isEmpty()) {
      // an array, since names of steps may be none of fields
      List<Document> points = new ArrayList<>();
      record.points().forEach((name, point) -> points.add(point(name, point)));
      stored.append("points", points);
    }
    Stored result = record.result();
    if (result != null) {
      stored.append("result", value(new Document(), result));
    }
    return stored;
  }

  private static Document point(String name, Point point) {
    return value(new Document("name", name).append("done", point.done()), point.value());
  }

  private static Document value(Document into, @Nullable Stored value) {
    if (value != null) {
      into.append("type", value.type());
      if (value.json() != null) {
        into.append("json", value.json());
      }
    }
    return into;
  }

  private static ExecutionRecord record(Document stored) {
    try {
      Date expires = stored.getDate(EXPIRES);
      Document result = stored.get("result", Document.class);
      return new ExecutionRecord(
          text(stored, REVISION),
          State.valueOf(text(stored, "state")),
          text(stored, "owner"),
          number(stored, "fence"),
          number(stored, "leaseMillis"),
          number(stored, LEASE_END),
          expires == null ? 0 : expires.toInstant().getEpochSecond(),
          text(stored, "fingerprint"),
          text(stored, "flow"),
          stored.getString("request"),
          points(stored),
          result == null ? null : value(result));
    } catch (ClassCastException | IllegalArgumentException e) {
      throw new CorruptRecordException(
          "the record of an execution has a field of another type, a point without a name, or no"
              + " state",
          null,
          dev.tidemark.kernel.Faults.silent(e));
    }
  }

  private static Map<String, Point> points(Document stored) {
    Map<String, Point> points = new LinkedHashMap<>();
    for (Document point : stored.getList("points", Document.class, List.of())) {
      String name = point == null ? null : point.getString("name");
      if (name == null) {
        throw new IllegalArgumentException("a point without a name");
      }
      points.put(name, new Point(point.getBoolean("done", false), value(point)));
    }
    return points;
  }

  private static @Nullable Stored value(Document parts) {
    String type = parts.getString("type");
    return type == null ? null : new Stored(type, parts.getString("json"));
  }

  private static String text(Document stored, String name) {
    String text = stored.getString(name);
    return text == null ? "" : text;
  }

  private static long number(Document stored, String name) {
    Number number = stored.get(name, Number.class);
    return number == null ? 0 : number.longValue();
  }
}
