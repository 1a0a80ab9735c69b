package dev.tidemark.outbox;

import dev.tidemark.outbox.OutboxRecords.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tells the store what was sent and what was not, by IDs, so that what was published meanwhile
 * stays. What it could not tell it keeps, so that this relay does not send it twice. For one
 * thread.
 */
final class Clearing {
  private static final int ROUNDS = 5;
  private static final int KEPT = 20_000;

  private final OutboxRecords records;
  private final Retries retries;

  /** Messages that were sent and are stored all the same. */
  private final Map<String, Boolean> sent = new LinkedHashMap<>();

  /** What was put off, by the hash of the record's key, which may be large itself. */
  private final Map<Integer, Held> held = new LinkedHashMap<>();

  Clearing(OutboxRecords records, Retries retries) {
    this.records = records;
    this.retries = retries;
  }

  /** Messages that wait for a later try. */
  private record Held(int count, long since, long due) {}

  /** A record as it was found, without what is known to be sent. */
  Parcel parcel(int shard, OutboxRecord found, Tally tally) {
    held.remove(found.key().hashCode());
    Set<String> before = new HashSet<>();
    for (OutboxMessage message : sent.isEmpty() ? List.<OutboxMessage>of() : found.waiting()) {
      if (sent.remove(mark(found, message.id())) != null) {
        before.add(message.id());
      }
    }
    Parcel parcel = new Parcel(shard, found, before);
    tally.prevented += parcel.sent().size();
    return parcel;
  }

  /** Changes records by what came of their messages. */
  void clear(List<Parcel> parcels, Duration quiet, Tally tally) {
    Map<Parcel, OutboxRecord> open = new LinkedHashMap<>();
    parcels.stream().filter(Parcel::isTouched).forEach(one -> open.put(one, one.record()));
    for (int round = 0; round < ROUNDS && !open.isEmpty(); round++) {
      round(open, quiet, tally);
    }
    open.keySet().forEach(this::remember);
  }

  /** A later pass takes them off, and sends them no more. */
  private void remember(Parcel parcel) {
    parcel.sent().forEach(id -> keep(sent, mark(parcel.record(), id), true));
  }

  private static String mark(OutboxRecord record, String id) {
    return record.key().hashCode() + "/" + id;
  }

  private void round(Map<Parcel, OutboxRecord> open, Duration quiet, Tally tally) {
    long now = records.clock().millis();
    List<Parcel> parcels = new ArrayList<>();
    List<OutboxChange> changes = new ArrayList<>();
    for (Map.Entry<Parcel, OutboxRecord> one : List.copyOf(open.entrySet())) {
      Parcel parcel = one.getKey();
      OutboxChange change = parcel.change(one.getValue(), retries, now, quiet);
      if (change == null) {
        open.remove(parcel);
      } else {
        parcels.add(parcel);
        changes.add(change);
      }
    }
    if (changes.isEmpty()) {
      return;
    }
    List<Answer> answers;
    try {
      answers = records.write(changes);
    } catch (RuntimeException e) {
      tally.error(e);
      parcels.forEach(this::remember);
      open.keySet().removeAll(parcels);
      return;
    }
    for (int i = 0; i < changes.size(); i++) {
      told(answers.get(i), parcels.get(i), changes.get(i), open, tally);
    }
  }

  private void told(
      Answer answer,
      Parcel parcel,
      OutboxChange change,
      Map<Parcel, OutboxRecord> open,
      Tally tally) {
    if (answer instanceof Answer.Written) {
      open.remove(parcel);
      tally.parked += change.parked().size();
      holdBack(change);
      goOn(parcel, change, tally);
    } else if (answer instanceof Answer.Refused refused) {
      tally.refused++;
      if (refused.found() == null) {
        open.remove(parcel);
      } else {
        open.put(parcel, refused.found());
      }
    } else if (answer instanceof Answer.Unsure unsure) {
      tally.error(unsure.error());
      remember(parcel);
      open.remove(parcel);
    }
  }

  /** A record that still has something to send is looked at again: no stream may tell of it. */
  private void goOn(Parcel parcel, OutboxChange change, Tally tally) {
    OutboxRecord after = change.before().after(change);
    if (!after.waiting().isEmpty() && after.due() <= records.clock().millis()) {
      tally.again.put(after.key(), parcel.shard());
    }
  }

  /** Keeps in mind what is not due for some time, and is counted all the same. */
  private void holdBack(OutboxChange change) {
    OutboxRecord after = change.before().after(change);
    if (after.tries() > 0 && !after.waiting().isEmpty()) {
      long since = after.waiting().get(0).storedAt().toEpochMilli();
      keep(held, after.key().hashCode(), new Held(after.waiting().size(), since, after.due()));
    }
  }

  private static <K, V> void keep(Map<K, V> kept, K key, V value) {
    kept.put(key, value);
    if (kept.size() > KEPT) {
      kept.remove(kept.keySet().iterator().next());
    }
  }

  /** Counts what was put off; what is long due by now, somebody else has seen to. */
  void count(long now, Duration interval, Tally tally) {
    held.values().removeIf(one -> one.due() + 10 * interval.toMillis() < now);
    for (Held one : held.values()) {
      tally.pending += one.count();
      tally.oldest = Math.max(tally.oldest, now - one.since());
    }
  }
}
