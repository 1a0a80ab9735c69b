package dev.tidemark.outbox;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.MessageId;
import dev.tidemark.kernel.TypedRecords;
import dev.tidemark.store.Answer;
import dev.tidemark.store.RecordStore;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What relays of one cluster have seen waiting in one shard, and since when, as a record of that
 * cluster: a relay that begins anew goes on with it. Times are milliseconds by the cluster's clock.
 * For one thread.
 */
final class Sightings {
  /** The most bytes of a record, whose every change is a write of all of it. */
  private static final int MOST_BYTES = 64_000;

  private final TypedRecords<ClusterNote> store;
  private final Clusters clusters;
  private final String key;
  private final int room;

  /** The revision of what is stored; null if nothing is. */
  private @Nullable String revision;

  private boolean isKnown;
  private boolean isChanged;

  /** Whether a message that could not be sent makes room since the last save of such. */
  private boolean hasTried;

  private SightingsText text = new SightingsText();

  /** What was seen since the record was read or written, so that it is not there yet. */
  private final Map<Long, Long> fresh = new LinkedHashMap<>();

  Sightings(RecordStore store, String name, int shard, Clusters clusters) {
    this.store = new TypedRecords<>(store, ClusterNote.CODEC);
    this.clusters = clusters;
    this.key =
        MessageId.of("tidemark.cluster.seen", name, clusters.id(), Integer.toString(shard)).value();
    this.room = SightingsText.room(Math.min(MOST_BYTES, store.mostBytes() / 2));
  }

  /** What stands for a message: the same in all processes, and short. */
  private static long hash(String message) {
    return ByteBuffer.wrap(Succession.place(message, "")).getLong();
  }

  /** Reads what is stored, unless that is known. */
  void know() {
    if (!isKnown) {
      read();
      isKnown = true;
    }
  }

  /** What others of this cluster have stored meanwhile is to be read. */
  void doubt() {
    isKnown = false;
  }

  private void read() {
    try {
      found(store.read(key).orElse(null));
    } catch (CorruptRecordException e) { // what cannot be read is as good as forgotten
      Answer<ClusterNote> unused = store.removeUnreadable(key);
      found(null);
    }
  }

  private void found(@Nullable ClusterNote note) {
    revision = note == null ? null : note.revision();
    boolean isOver = note == null || note.expires() <= now() / 1_000;
    text = SightingsText.of(note == null || isOver ? null : note.text());
    isChanged = false;
    fresh.forEach((hash, since) -> isChanged |= text.put(hash, since, room));
  }

  private long now() {
    return store.clock().millis();
  }

  /** Where the next look at the index begins. */
  long next() {
    return text.next;
  }

  /** Notes where the next look begins, where that matters to another relay. */
  void next(long next) {
    isChanged |= text.next != next;
    text.next = next;
  }

  /** Since when a message was seen here; null if that is not known. */
  @Nullable Long since(OutboxMessage message) {
    return text.since(hash(message.id()));
  }

  /** Since when a message of this cluster was there when a relay looked; null if never. */
  @Nullable Long sinceLook(OutboxMessage message) {
    return text.looks.ceiling(message.storedAt().toEpochMilli());
  }

  /** Notes that a message is still there. */
  void note(OutboxMessage message) {
    text.note(hash(message.id()));
  }

  /** Keeps in mind that a message was seen, if there is room. */
  void add(OutboxMessage message, long since) {
    if (text.put(hash(message.id()), since, room)) {
      fresh.put(hash(message.id()), since);
      isChanged = true;
    }
  }

  /** Keeps in mind that a relay has looked, unless one did lately. */
  void look(long now, long delay) {
    isChanged |= text.look(now, delay);
  }

  /** Forgets a message that was sent. */
  void forget(String message) {
    fresh.remove(hash(message));
    isChanged |= text.remove(hash(message));
  }

  /** Forgets what was not seen since this was called last, when all was looked at. */
  void endCycle() {
    isChanged |= text.endCycle();
  }

  /** Whether one more message can be kept in mind. */
  boolean hasRoom() {
    return text.hasRoom(room);
  }

  /** Notes that a message could not be sent, where that makes room for others. */
  void tried(String message) {
    hasTried |= text.isFull(room) && text.tried(hash(message));
  }

  /** Stores what could not be sent: a relay that comes later would try it first, for ever. */
  void saveTried() {
    if (hasTried) {
      isChanged = true;
      hasTried = false;
      save();
    }
  }

  boolean isChanged() {
    return isChanged;
  }

  /** Writes a note; what has become unreadable meanwhile is removed before the next one. */
  private Answer<ClusterNote> write(ClusterNote note) {
    try {
      return store.write(key, revision, note);
    } catch (CorruptRecordException e) {
      doubt();
      throw e;
    }
  }

  /**
   * Stores what is known. Where another relay of this cluster stored something meanwhile, that
   * counts, and what is new here is added to it.
   */
  void save() {
    for (int tries = 0; tries < 2 && isChanged; tries++) {
      ClusterNote note =
          ClusterNote.by(
              clusters.id(), store.clock().instant().plus(clusters.kept()), text.toText());
      Answer<ClusterNote> answer = write(note);
      if (answer instanceof Answer.Written) {
        revision = note.revision();
        isChanged = false;
        fresh.clear();
      } else if (answer instanceof Answer.Refused<ClusterNote> refused) {
        found(refused.found());
      } else { // what is stored is found out before it is used again
        doubt();
        throw ((Answer.Failed<ClusterNote>) answer).error();
      }
    }
  }
}
