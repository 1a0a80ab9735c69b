package dev.tidemark.mongodb;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/** The fields of a document that have to do with outgoing messages: their names, and reading. */
final class OutboxFields {
  private static final String ID = "_id";
  private static final BsonInt32 INCLUDED = new BsonInt32(1);

  private final Names names;
  private final List<String> routing;
  private final int shards;

  /**
   * Fields of a collection.
   *
   * @param routing the fields that an update's filter needs beside {@code _id}
   * @param shards how many the index has
   */
  OutboxFields(Names names, List<String> routing, int shards) {
    this.names = names;
    this.routing = List.copyOf(routing);
    this.shards = shards;
  }

  /** Whether an update's filter needs more than {@code _id}. */
  boolean isRouted() {
    return !routing.isEmpty();
  }

  int shards() {
    return shards;
  }

  String waiting() {
    return names.outbox();
  }

  String parked() {
    return names.outboxParked();
  }

  String shard() {
    return names.outboxShard();
  }

  String due() {
    return names.outboxDue();
  }

  String tries() {
    return names.outboxTries();
  }

  /** Only on documents that are there for their messages alone. */
  String own() {
    return names.outbox() + "#own";
  }

  String tombstone() {
    return names.tombstone();
  }

  /** All that is read of a document, and nothing of the caller's but its key. */
  BsonDocument projection() {
    BsonDocument projection = new BsonDocument(ID, INCLUDED);
    routing.forEach(field -> projection.append(field, INCLUDED));
    MarkFields.outbox(names).forEach(field -> projection.append(field, INCLUDED));
    return projection.append(own(), INCLUDED).append(tombstone(), INCLUDED);
  }

  /** The key of a document that was read. */
  OutboxKey key(BsonDocument document) {
    BsonDocument id = new BsonDocument(ID, document.get(ID));
    routing.forEach(field -> id.append(field, at(document, field)));
    return new OutboxKey(id, document);
  }

  /** Null where there is none, which a filter on null finds too. Events have whole paths. */
  private static BsonValue at(BsonDocument document, String field) {
    if (document.containsKey(field)) {
      return document.get(field);
    }
    BsonValue value = document;
    for (String name : field.split("\\.", -1)) {
      value = value.isDocument() ? value.asDocument().get(name, BsonNull.VALUE) : BsonNull.VALUE;
    }
    return value;
  }

  /** A filter on one document. */
  static BsonDocument filter(OutboxKey key) {
    BsonDocument filter = new BsonDocument();
    key.id().forEach((name, value) -> filter.append(name, new BsonDocument("$eq", value)));
    return filter;
  }

  /** A filter on several documents; at least one. */
  static BsonDocument filter(List<OutboxKey> keys) {
    if (keys.size() == 1) {
      return filter(keys.get(0));
    }
    boolean isRouted = keys.get(0).id().size() > 1;
    BsonArray any = new BsonArray();
    keys.forEach(key -> any.add(isRouted ? filter(key) : key.id().get(ID)));
    return isRouted
        ? new BsonDocument("$or", any)
        : new BsonDocument(ID, new BsonDocument("$in", any));
  }

  /**
   * What a document keeps.
   *
   * @throws CorruptRecordException if that cannot be read
   */
  OutboxRecord record(BsonDocument document) {
    return new OutboxRecord(
        key(document),
        messages(document, waiting()),
        messages(document, parked()),
        number(document, tries()),
        number(document, due()),
        Outbox.shard(number(document, shard())));
  }

  private static List<OutboxMessage> messages(BsonDocument document, String field) {
    List<OutboxMessage> messages = new ArrayList<>();
    for (BsonValue stored : elements(document, field)) {
      Object members = Values.decode(stored);
      var message = Outbox.message(members);
      messages.add(
          new OutboxMessage(
              message.id().orElseThrow(),
              Instant.ofEpochMilli(Outbox.storedAt(members)),
              message,
              Outbox.origin(members)));
    }
    return messages;
  }

  private static BsonArray elements(BsonDocument document, String field) {
    BsonValue stored = document.get(field, BsonNull.VALUE);
    if (!stored.isNull() && !stored.isArray()) {
      throw new CorruptRecordException(
          "'" + field + "' is no list of outgoing messages", null, null);
    }
    return stored.isNull() ? new BsonArray() : stored.asArray();
  }

  private static long number(BsonDocument document, String field) {
    return document.isNumber(field) ? document.getNumber(field).longValue() : 0;
  }

  /** The shard of a document, whether messages wait in it or are parked. */
  int shardOf(BsonDocument document) {
    return Outbox.shard(number(document, shard()), shards);
  }

  /** Messages in the form in which they were stored, with what only a later version knows. */
  BsonArray stored(BsonDocument document, List<OutboxMessage> messages) {
    List<BsonValue> known = new ArrayList<>(elements(document, waiting()));
    known.addAll(elements(document, parked()));
    BsonArray stored = new BsonArray();
    for (OutboxMessage message : messages) {
      stored.add(
          known.stream()
              .filter(one -> isOf(one, message.id()))
              .findFirst()
              .orElseGet(
                  () ->
                      Values.mark(
                          Outbox.stored(message.message(), message.storedAt(), message.origin()))));
    }
    return stored;
  }

  private static boolean isOf(BsonValue stored, String id) {
    return stored.isDocument() && new BsonString(id).equals(stored.asDocument().get("id"));
  }

  /** The fields, but for its key, of a document that is there for a message alone. */
  BsonDocument own(BsonValue message, long shard, long due) {
    return new BsonDocument(waiting(), new BsonArray(List.of(message)))
        .append(shard(), new BsonInt64(shard))
        .append(due(), new BsonInt64(due))
        .append(own(), BsonBoolean.TRUE);
  }
}
