package dev.tidemark.mongodb;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.MongoWriteException;
import com.mongodb.WriteError;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoCursor;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.WriteModel;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.TooLargeException;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords.Answer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * Changes of many documents' outgoing messages, as one unordered bulk. A change that met other
 * messages than it was made for, but takes nothing else with it and leaves the same one first, is
 * made again over what is there.
 */
final class OutboxWrites {
  private static final BulkWriteOptions UNORDERED = new BulkWriteOptions().ordered(false);

  /** How often a change is made over what others have left; then its caller has to look. */
  private static final int MOST_ROUNDS = 3;

  private final Transport transport;
  private final OutboxFields fields;

  OutboxWrites(Transport transport, OutboxFields fields) {
    this.transport = transport;
    this.fields = fields;
  }

  /** One change, its statement, and what became of it. */
  private final class Part {
    private OutboxChange change;
    private OutboxStatement statement;
    private @Nullable Answer answer;

    /** Why it was not made, if it was not; a change that matched nothing has an error too. */
    private @Nullable RuntimeException error;

    private boolean mayBeMade;

    Part(OutboxChange change) {
      this.change = change;
      this.statement = OutboxStatement.of(fields, change);
    }

    OutboxKey key() {
      return (OutboxKey) change.before().key();
    }

    boolean isOpen() {
      return answer == null;
    }

    void made() {
      answer = new Answer.Written(statement.leavesNothing());
    }

    void unsure(RuntimeException e) {
      answer = new Answer.Unsure(e);
    }

    /** Others came in between, if what is there is not what the change takes. */
    void met(@Nullable OutboxRecord found, boolean again) {
      if (found == null && mayBeMade) {
        made();
      } else if (found == null || !isThere(change, found)) {
        answer = new Answer.Refused(found);
      } else if (again) {
        change =
            new OutboxChange(
                found,
                change.removed(),
                change.parked(),
                change.released(),
                change.tries(),
                change.due());
        statement = OutboxStatement.of(fields, change);
      } else {
        answer = error == null ? new Answer.Refused(found) : new Answer.Unsure(error);
      }
    }
  }

  /** Whether a record still has all that a change takes, and nothing stays that was not seen. */
  private static boolean isThere(OutboxChange change, OutboxRecord found) {
    OutboxRecord meant = change.before().after(change);
    OutboxRecord left = found.after(change);
    return taken(change.before().waiting(), change).equals(taken(found.waiting(), change))
        && taken(change.before().parked(), change).equals(taken(found.parked(), change))
        && first(meant).equals(first(left))
        && (left.isEmpty() || !meant.isEmpty());
  }

  /** The message of which tries are noted. */
  private static Optional<String> first(OutboxRecord record) {
    return record.waiting().stream().findFirst().map(OutboxMessage::id);
  }

  /** With what is there twice twice. */
  private static List<String> taken(List<OutboxMessage> messages, OutboxChange change) {
    return messages.stream()
        .map(OutboxMessage::id)
        .filter(
            id ->
                change.removed().contains(id)
                    || change.parked().contains(id)
                    || change.released().contains(id))
        .sorted()
        .toList();
  }

  List<Answer> write(List<OutboxChange> changes) {
    List<Part> parts = new ArrayList<>(changes.size());
    changes.forEach(change -> parts.add(new Part(change)));
    List<Part> open = parts;
    for (int round = 1; !open.isEmpty(); round++) {
      bulk(open);
      open = open(open);
      if (!open.isEmpty()) {
        look(open, round < MOST_ROUNDS);
        open = open(open);
      }
    }
    return parts.stream().map(part -> Objects.requireNonNull(part.answer)).toList();
  }

  private static List<Part> open(List<Part> parts) {
    return parts.stream().filter(Part::isOpen).toList();
  }

  private void bulk(List<Part> parts) {
    List<WriteModel<BsonDocument>> models = new ArrayList<>(parts.size());
    for (Part part : parts) {
      part.error = null;
      models.add(part.statement.model());
    }
    try {
      settle(parts, transport.writes().bulkWrite(models, UNORDERED));
    } catch (MongoBulkWriteException e) {
      partly(parts, e);
    } catch (MongoException e) {
      parts.forEach(part -> part.unsure(e));
    }
  }

  /**
   * Those that raised errors are not made. Of deletes, a bulk tells how many were: where some were
   * and some not, those that are gone are as good as made, whoever did it.
   */
  private static void settle(List<Part> parts, BulkWriteResult result) {
    List<Part> deletes = new ArrayList<>();
    for (Part part : parts) {
      if (part.isOpen() && part.error == null) {
        if (part.statement.deletes()) {
          deletes.add(part);
        } else {
          part.made();
        }
      }
    }
    if (result.getDeletedCount() == deletes.size()) {
      deletes.forEach(Part::made);
    } else {
      deletes.forEach(part -> part.mayBeMade = result.getDeletedCount() > 0);
    }
  }

  private static void partly(List<Part> parts, MongoBulkWriteException e) {
    for (BulkWriteError error : e.getWriteErrors()) {
      WriteError plain = new WriteError(error.getCode(), error.getMessage(), error.getDetails());
      MongoException one = new MongoWriteException(plain, e.getServerAddress(), Set.of());
      parts.get(error.getIndex()).error =
          Errors.kind(one) == Errors.Kind.TOO_LARGE ? noRoom(one) : one;
      if (Errors.isTransient(one)) {
        parts.get(error.getIndex()).unsure(one);
      }
    }
    var concern = e.getWriteConcernError();
    if (concern == null) {
      settle(parts, e.getWriteResult());
      return;
    }
    MongoException weak =
        new MongoWriteConcernException(concern, null, e.getServerAddress(), Set.of());
    parts.stream().filter(part -> part.error == null).forEach(part -> part.unsure(weak));
  }

  private static TooLargeException noRoom(MongoException e) {
    return new TooLargeException(
        "a document has no room in MongoDB's 16,777,216 bytes for what came of its outgoing"
            + " messages; store less in it, or drop parked messages",
        null,
        e);
  }

  /** Reads what the statements met. */
  private void look(List<Part> parts, boolean again) {
    try {
      Map<OutboxKey, BsonDocument> found = found(parts.stream().map(Part::key).toList());
      parts.forEach(part -> met(part, found.get(part.key()), again));
    } catch (MongoException e) {
      parts.forEach(part -> part.unsure(e));
    }
  }

  private void met(Part part, @Nullable BsonDocument found, boolean again) {
    try {
      part.met(record(found).orElse(null), again);
    } catch (CorruptRecordException e) { // which is no reason to fail the others
      part.unsure(e);
    }
  }

  /** What a document keeps; empty if there is none, or if it keeps no messages. */
  private Optional<OutboxRecord> record(@Nullable BsonDocument found) {
    return Optional.ofNullable(found).map(fields::record).filter(record -> !record.isEmpty());
  }

  /** What the document of a key keeps. */
  Optional<OutboxRecord> read(OutboxKey key) {
    return record(found(List.of(key)).get(key));
  }

  /** What the documents of some keys keep, nothing for those that are corrupt or not there. */
  List<OutboxRecord> readAll(List<OutboxKey> keys, long size) {
    if (keys.isEmpty()) {
      return List.of();
    }
    Map<Object, OutboxRecord> records = new HashMap<>();
    try (MongoCursor<BsonDocument> found = find(keys).iterator()) {
      long taken = 0;
      while (taken < size && found.hasNext()) {
        OutboxRecord record = readable(found.next());
        records.put(record.key(), record);
        taken += record.size();
      }
      if (taken < size || !found.hasNext()) {
        keys.forEach(key -> records.putIfAbsent(key, OutboxRecord.nothing(key)));
      }
    }
    return List.copyOf(records.values());
  }

  private OutboxRecord readable(BsonDocument document) {
    try {
      return fields.record(document);
    } catch (CorruptRecordException e) { // which is no reason to leave out the others
      return OutboxRecord.nothing(fields.key(document));
    }
  }

  /** The documents of some keys, by one find. */
  private Map<OutboxKey, BsonDocument> found(List<OutboxKey> keys) {
    Map<OutboxKey, BsonDocument> found = new HashMap<>();
    find(keys).forEach(document -> found.put(fields.key(document), document));
    return found;
  }

  private FindIterable<BsonDocument> find(List<OutboxKey> keys) {
    return transport
        .reads()
        .find(OutboxFields.filter(keys))
        .projection(fields.projection())
        .batchSize(keys.size() + 1);
  }
}
