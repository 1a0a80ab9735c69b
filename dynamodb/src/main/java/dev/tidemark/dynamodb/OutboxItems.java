package dev.tidemark.dynamodb;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Tracking;
import dev.tidemark.Tracking.AttributeNames;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * What items keep of outgoing messages.
 *
 * @param names of the attributes
 * @param tombstone the attribute by which deleted entities expire
 * @param shards over how many shards records of their own are spread
 * @param cluster where they are published; empty where there is one cluster
 */
record OutboxItems(Names names, String tombstone, int shards, String cluster) {
  /** The key of records of their own. */
  static final String ID = "id";

  static OutboxItems of(Tracking tracking) {
    AttributeNames names = tracking.names();
    return new OutboxItems(
        Names.flat(tracking), names.tombstone(), tracking.outboxShards(), tracking.cluster());
  }

  /** The primary key of a message's record of its own. */
  static Map<String, AttributeValue> key(String id) {
    return Map.of(ID, AttributeValue.fromS(id));
  }

  /** That an item is a record of its own. */
  String own() {
    return names.outbox() + "#own";
  }

  /** What has to be read of an item beside its key. */
  List<String> attributes() {
    return List.of(
        names.outbox(),
        names.outboxParked(),
        names.outboxShard(),
        names.outboxDue(),
        names.outboxTries(),
        own(),
        tombstone);
  }

  /** What an item has only while it keeps messages. */
  List<String> kept() {
    return List.of(
        names.outbox(),
        names.outboxParked(),
        names.outboxShard(),
        names.outboxDue(),
        names.outboxTries());
  }

  /** A key of which nothing else is known. */
  OutboxKey key(Map<String, AttributeValue> attributes) {
    return new OutboxKey(attributes, 0, null, false, Map.of());
  }

  /**
   * The record of an item.
   *
   * @param key the attributes of its primary key
   * @throws CorruptRecordException if its messages cannot be read
   */
  OutboxRecord record(Map<String, AttributeValue> key, Map<String, AttributeValue> item) {
    List<OutboxMessage> waiting = messages(item, names.outbox());
    List<OutboxMessage> parked = messages(item, names.outboxParked());
    Map<String, AttributeValue> messages = new HashMap<>();
    note(waiting, item.get(names.outbox()), messages);
    note(parked, item.get(names.outboxParked()), messages);
    long shard = Outbox.shard(number(item, names.outboxShard()));
    AttributeValue own = item.get(own());
    OutboxKey known =
        new OutboxKey(
            key,
            shard,
            given(item, tombstone),
            own != null && Boolean.TRUE.equals(own.bool()),
            messages);
    return new OutboxRecord(
        known,
        waiting,
        parked,
        number(item, names.outboxTries()),
        number(item, names.outboxDue()),
        shard);
  }

  /**
   * The shard of an item that has something to send; -1 if it has nothing, or a relay has put it
   * off. What is due later than now, at the very time at which it was stored, is of a writer whose
   * clock is ahead. A relay that looks sends it then, or at once if that is far; one that has hints
   * alone leaves what is due in less than a pause to another one.
   *
   * @param item as it was at some time, so whatever it has is not trusted
   */
  int shardOfDue(Map<String, AttributeValue> item, long now) {
    try {
      boolean waits =
          given(item, names.outbox()) != null && given(item, names.outboxShard()) != null;
      long due = number(item, names.outboxDue());
      boolean isPutOff = due > now && due != storedAt(item);
      long shard = waits && !isPutOff ? number(item, names.outboxShard()) : -1;
      return shard < shards ? (int) Math.max(-1, shard) : -1;
    } catch (CorruptRecordException e) {
      return -1;
    }
  }

  /** When the first message that waits was stored; 0 if that is not told. */
  private long storedAt(Map<String, AttributeValue> item) {
    AttributeValue list = given(item, names.outbox());
    Object first = list == null || list.l().isEmpty() ? null : Values.toNeutral(list.l().get(0));
    return first == null ? 0 : Outbox.storedAt(first);
  }

  /** An attribute; null where it is missing, or a stored NULL. */
  private static @Nullable AttributeValue given(Map<String, AttributeValue> item, String name) {
    AttributeValue value = item.get(name);
    return value == null || value.type() == AttributeValue.Type.NUL ? null : value;
  }

  private static long number(Map<String, AttributeValue> item, String name) {
    AttributeValue value = given(item, name);
    if (value == null) {
      return 0;
    }
    try {
      return Long.parseLong(value.n());
    } catch (NumberFormatException e) {
      throw new CorruptRecordException("attribute '" + name + "' is no whole number", null, null);
    }
  }

  private static List<OutboxMessage> messages(Map<String, AttributeValue> item, String name) {
    List<OutboxMessage> messages = new ArrayList<>();
    AttributeValue list = given(item, name);
    if (list != null && !list.hasL()) {
      throw new CorruptRecordException("attribute '" + name + "' is no list", null, null);
    }
    for (AttributeValue element : list == null ? List.<AttributeValue>of() : list.l()) {
      Object value = Values.toNeutral(element);
      Object stored = value == null ? Map.of() : value;
      OutgoingMessage message = Outbox.message(stored);
      Instant at = Instant.ofEpochMilli(Outbox.storedAt(stored));
      messages.add(
          new OutboxMessage(message.id().orElseThrow(), at, message, Outbox.origin(stored)));
    }
    return messages;
  }

  /** Takes note of messages as they are stored. */
  private static void note(
      List<OutboxMessage> messages,
      @Nullable AttributeValue list,
      Map<String, AttributeValue> stored) {
    for (int i = 0; list != null && i < messages.size(); i++) {
      stored.putIfAbsent(messages.get(i).id(), list.l().get(i));
    }
  }

  /** Messages as a list has them, with what only a later version knows. */
  static AttributeValue list(OutboxKey key, List<OutboxMessage> messages) {
    List<AttributeValue> stored = new ArrayList<>();
    for (OutboxMessage message : messages) {
      AttributeValue known = key.stored(message.id());
      stored.add(
          known == null
              ? Values.toNative(
                  (Object) Outbox.stored(message.message(), message.storedAt(), message.origin()))
              : known);
    }
    return AttributeValue.fromL(stored);
  }

  /** The record of its own of a message that has an ID, beside entities of some clusters. */
  Map<String, AttributeValue> own(
      OutgoingMessage message, Instant now, Collection<String> clusters) {
    String from = Outbox.cluster(cluster, clusters);
    String id = message.id().orElseThrow();
    Map<String, AttributeValue> item = new HashMap<>(key(id));
    item.put(names.outbox(), Values.toNative(List.of(Outbox.stored(message, now, from))));
    item.put(names.outboxShard(), Values.toNative(Outbox.shard(EntityKey.key(id), shards)));
    item.put(names.outboxDue(), Values.toNative(now.toEpochMilli()));
    item.put(own(), AttributeValue.fromBool(true));
    return item;
  }
}
