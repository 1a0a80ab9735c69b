package dev.tidemark.outbox;

import dev.tidemark.TooLargeException;
import dev.tidemark.kernel.Uninterrupted;
import dev.tidemark.outbox.OutboxRecords.Answer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Tells the store what was sent and what was not, by IDs, so that what was published meanwhile
 * stays. What it could not tell it keeps, so that this relay does not send it twice. For one
 * thread.
 */
final class Clearing {
  private static final int ROUNDS = 5;

  /** So many messages that were sent are worth a request, while others are on their way. */
  private static final int WORTH = 20;

  private static final int KEPT = 20_000;

  private final OutboxRecords records;
  private final Patience patience;

  /** Up to when looks of the present drain find what is due; the least of all where none runs. */
  private long drained = Long.MIN_VALUE;

  /** Messages that were sent and are stored all the same. */
  private final Map<String, Boolean> sent = new LinkedHashMap<>();

  /** What was put off, by the hash of the record's key, which may be large itself. */
  private final Map<Integer, Held> held = new LinkedHashMap<>();

  Clearing(OutboxRecords records, Patience patience) {
    this.records = records;
    this.patience = patience;
  }

  /** A drain begins, whose looks find what is due up to a time. */
  void beginDrain(long until) {
    drained = until;
  }

  /** It has ended. */
  void endDrain() {
    drained = Long.MIN_VALUE;
  }

  /**
   * When a record is due of which more may go at once: now, behind all others. A drain has to find
   * it again, so it goes half the way to the end of what that finds: behind others, and not all of
   * them to one time, of which a look cannot read a part.
   */
  private long next(OutboxRecord found, long now) {
    long due = found.due();
    return due < drained ? due + (drained - due + 1) / 2 : now;
  }

  /**
   * Messages that wait for a later try.
   *
   * @param noted whether the store knows of it
   */
  private record Held(int count, long since, long due, boolean noted) {}

  /** A record as it was found, without what is known to be sent. */
  Parcel parcel(int shard, OutboxRecord found, Tally tally) {
    held.remove(found.key().hashCode());
    found.parked().forEach(message -> patience.noted(Set.of(message.id())));
    Set<String> before = new HashSet<>();
    for (OutboxMessage message : sent.isEmpty() ? List.<OutboxMessage>of() : found.waiting()) {
      if (sent.remove(mark(found, message.id())) != null) {
        before.add(message.id());
      }
    }
    Parcel parcel = new Parcel(shard, found, before, patience::isOver);
    tally.prevented += parcel.sent().size();
    return parcel;
  }

  /** What the store is told of a parcel; null if it need not be told anything. */
  @FunctionalInterface
  private interface Telling {
    @Nullable OutboxChange of(Parcel parcel, OutboxRecord found, long now);
  }

  /** Takes off what was sent, if that is enough, while other messages are still to be sent. */
  void takeOff(List<Parcel> parcels, Tally tally) {
    if (tally.sent - tally.takenOff >= WORTH) {
      tally.takenOff = tally.sent;
      List<Parcel> some = parcels.stream().filter(parcel -> !parcel.sent().isEmpty()).toList();
      tell(some, (parcel, found, now) -> parcel.taking(found, next(found, now)), tally);
    }
  }

  /** Changes records by what came of their messages, at the end of a pass. */
  void clear(List<Parcel> parcels, Tally tally) {
    tell(
        parcels.stream().filter(Parcel::isTouched).toList(),
        (parcel, found, now) -> parcel.change(found, patience, now, next(found, now)),
        tally);
    parcels.forEach(this::remember);
  }

  private void tell(List<Parcel> parcels, Telling telling, Tally tally) {
    Map<Parcel, OutboxRecord> open = new LinkedHashMap<>();
    parcels.forEach(one -> open.put(one, one.record()));
    for (int round = 0; round < ROUNDS && !open.isEmpty(); round++) {
      round(open, telling, tally);
    }
  }

  /** What could not be taken off, a later pass takes off, and sends no more. */
  private void remember(Parcel parcel) {
    parcel.sent().forEach(id -> keep(sent, mark(parcel.record(), id), true));
  }

  private static String mark(OutboxRecord record, String id) {
    return record.key().hashCode() + "/" + id;
  }

  private void round(Map<Parcel, OutboxRecord> open, Telling telling, Tally tally) {
    long now = records.clock().millis();
    List<Parcel> parcels = new ArrayList<>();
    List<OutboxChange> changes = new ArrayList<>();
    for (Map.Entry<Parcel, OutboxRecord> one : List.copyOf(open.entrySet())) {
      Parcel parcel = one.getKey();
      OutboxChange change = telling.of(parcel, one.getValue(), now);
      if (change == null) {
        parcel.settled(one.getValue().waiting());
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
    boolean[] isCut = new boolean[1];
    try {
      answers =
          Uninterrupted.call(
              () -> {
                List<Answer> told = records.write(changes);
                isCut[0] = Thread.currentThread().isInterrupted();
                return told;
              });
    } catch (Throwable e) { // a relay that ends sends nothing any more
      tally.unanswered(e);
      tally.unwritten += changes.size();
      open.keySet().removeAll(parcels);
      return;
    }
    for (int i = 0; i < changes.size(); i++) {
      if (!isCut[0] || !isUnsure(answers.get(i))) { // the next round repeats what was cut short
        told(answers.get(i), parcels.get(i), changes.get(i), open, tally);
      }
    }
  }

  private static boolean isUnsure(Answer answer) {
    return answer instanceof Answer.Unsure unsure && !(unsure.error() instanceof TooLargeException);
  }

  private void told(
      Answer answer,
      Parcel parcel,
      OutboxChange change,
      Map<Parcel, OutboxRecord> open,
      Tally tally) {
    if (answer instanceof Answer.Written) {
      open.remove(parcel);
      parcel.made(change);
      tally.written++;
      tally.parked += change.parked().size();
      patience.noted(parcel.judged().keySet());
      holdBack(parcel.record());
      goOn(parcel, tally);
    } else if (answer instanceof Answer.Refused refused) {
      tally.refused++;
      if (refused.found() == null) {
        parcel.settled(List.of());
        open.remove(parcel);
      } else {
        open.put(parcel, refused.found());
      }
    } else if (answer instanceof Answer.Unsure unsure) {
      open.remove(parcel);
      if (unsure.error() instanceof TooLargeException) {
        tally.error(unsure.error());
        long rest = records.clock().millis() + patience.unnoted(parcel.judged());
        hold(parcel.record(), Math.max(change.due(), rest), false);
      } else {
        patience.noted(change.parked()); // it may have been made
        tally.unsure(unsure.error());
        tally.unwritten++;
      }
    }
  }

  /** Whether a record rests, and has no room for a note of that. */
  boolean isAtRest(OutboxRecord found, long now) {
    Held one = held.get(found.key().hashCode());
    return one != null && !one.noted() && one.due() > now;
  }

  /** A record that still has something to send is looked at again: no stream may tell of it. */
  private void goOn(Parcel parcel, Tally tally) {
    OutboxRecord after = parcel.record();
    Object key = records.bare(after.key());
    if (!after.waiting().isEmpty() && after.due() <= records.clock().millis()) {
      tally.again.put(key, parcel.shard());
    } else {
      tally.again.remove(key);
    }
  }

  /** Keeps in mind what is not due for some time, and is counted all the same. */
  void holdBack(OutboxRecord after) {
    if (!after.waiting().isEmpty() && after.due() > records.clock().millis()) {
      hold(after, after.due(), true);
    } else {
      held.remove(after.key().hashCode());
    }
  }

  private void hold(OutboxRecord record, long due, boolean noted) {
    long since = record.waiting().get(0).storedAt().toEpochMilli();
    keep(held, record.key().hashCode(), new Held(record.waiting().size(), since, due, noted));
  }

  private static <K, V> void keep(Map<K, V> kept, K key, V value) {
    kept.put(key, value);
    if (kept.size() > KEPT) {
      kept.remove(kept.keySet().iterator().next());
    }
  }

  /** When the first of what was put off is due, behind a time. */
  OptionalLong nextDue(long after) {
    return held.values().stream().mapToLong(Held::due).filter(due -> due > after).min();
  }

  /**
   * Counts what was put off.
   *
   * @param late how many milliseconds after its time somebody else has seen to it
   */
  void count(long now, long late, Tally tally) {
    held.values().removeIf(one -> one.due() + late < now);
    for (Held one : held.values()) {
      tally.pending += one.count();
      tally.oldest = Math.max(tally.oldest, now - one.since());
    }
  }
}
