package dev.tidemark.outbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/** Finds what a pass of a relay works on, by looks at shards and by hints. For one thread. */
final class Finding {
  private final OutboxRecords records;
  private final int batch;
  private final long size;
  private final Duration interval;
  private final Duration grace;
  private final boolean looksAtAll;
  private final Retries retries;
  private final LongSupplier nanos;
  private final Hints hints;
  private final Shards shards;
  private final Clearing clearing;

  /** When to look in a shard for what is due far in the future. */
  private final long[] nextAhead;

  /** The shard with which a pass begins: the one that the pass before had no room for. */
  private int first;

  /** Up to when a look finds what is due. */
  private long until = Long.MAX_VALUE;

  private static final int NONE = -1;

  /** For how long an index may not show what is due already, in milliseconds. */
  private static final long LAG = 1_000;

  /** Up to when the last look has found what is due. */
  private long seen = Long.MIN_VALUE;

  /** How much memory the rest of a pass may take. */
  private long left;

  Finding(RelayBuilder builder, Hints hints, Shards shards, Clearing clearing) {
    this.records = builder.records;
    this.batch = builder.batch;
    this.size = builder.size;
    this.interval = builder.interval;
    this.grace = builder.grace;
    this.looksAtAll = builder.looks;
    this.retries = builder.retries;
    this.nanos = builder.nanos;
    this.hints = hints;
    this.shards = shards;
    this.clearing = clearing;
    this.nextAhead = new long[records.shards()];
    Arrays.fill(nextAhead, nanos.getAsLong() + retries.longest() * 1_000_000);
  }

  /**
   * A drain begins, in which a look finds what is due by now: what the drain itself puts off is
   * left to the next one. Its first look at each shard finds what is due far in the future, too.
   */
  void beginDrain() {
    until = records.clock().millis();
    clearing.beginDrain(until - grace.toMillis());
    Arrays.fill(nextAhead, nanos.getAsLong());
  }

  boolean isDrain() {
    return until != Long.MAX_VALUE;
  }

  /** It has ended. */
  void endDrain() {
    until = Long.MAX_VALUE;
    clearing.endDrain();
  }

  /**
   * How long it is until a look would find what this relay has put off, or what it could not read:
   * a first pause at least.
   *
   * @param answered whether the store has answered
   * @return empty if there is nothing of that
   */
  Optional<Duration> untilRetry(boolean answered) {
    OptionalLong due = clearing.nextDue(seen);
    if (!looksAtAll || (answered && due.isEmpty())) {
      return Optional.empty();
    }
    long now = records.clock().millis();
    long left = answered ? due.getAsLong() + grace.toMillis() - now : LAG;
    return Optional.of(Duration.ofMillis(Math.max(left, retries.pause(1))));
  }

  /** The records to work on, and what they have waiting. */
  List<Parcel> found(boolean looks, Tally tally) {
    long now = records.clock().millis();
    Map<Object, Parcel> parcels = new LinkedHashMap<>();
    left = size;
    seen = looks ? now - grace.toMillis() - LAG : seen;
    int count = records.shards();
    int begin = first;
    for (int i = 0; i < count; i++) {
      int shard = (begin + i) % count;
      if (shards.isMine(shard)) {
        tally.mine.add(shard);
        if (left <= 0) { // the next pass begins with it
          continue;
        }
        first = (shard + 1) % count;
        if (!looksAtAll) {
          tally.ended.add(shard);
        } else if (looks) {
          lookBoth(shard, now, parcels, tally);
        }
      }
    }
    if (left > 0) {
      look(hints.take(batch, shards::isMine), now, parcels, tally);
    }
    List<Parcel> found = new ArrayList<>(parcels.values());
    found.forEach(parcel -> tally.found.add(parcel.shard()));
    clearing.count(now, Math.min(10 * interval.toMillis(), retries.longest()), tally);
    return found;
  }

  /** Looks at a shard, and each longest pause and in each drain ahead. */
  private void lookBoth(int shard, long now, Map<Object, Parcel> parcels, Tally tally) {
    tally.ended.add(shard);
    look(shard, now, parcels, tally);
    if (nanos.getAsLong() - nextAhead[shard] >= 0) {
      nextAhead[shard] = nanos.getAsLong() + retries.longest() * 1_000_000;
      lookAhead(shard, now, parcels, tally);
    }
  }

  private void look(int shard, long now, Map<Object, Parcel> parcels, Tally tally) {
    tally.isAsked = true;
    try {
      Look look =
          records.look(shard, Long.MIN_VALUE, Math.min(now, until) - grace.toMillis(), batch, left);
      tally.note(look);
      if (look.goesOn()) {
        tally.ended.remove(shard);
      }
      for (OutboxRecord record : look.records()) {
        add(shard, record, now, parcels, tally);
      }
    } catch (Throwable e) { // a relay that ends sends nothing any more
      tally.countLook(true, e);
    }
  }

  /**
   * Looks for what no relay has put off for so long: the clock of its writer is ahead of this one.
   */
  private void lookAhead(int shard, long now, Map<Object, Parcel> parcels, Tally tally) {
    try {
      Look look =
          records.look(
              shard, now + retries.longest() + 1, Long.MAX_VALUE, batch, Math.max(1, left));
      tally.note(look);
      if (look.goesOn() || look.records().size() == batch) {
        nextAhead[shard] = nanos.getAsLong();
        tally.ended.remove(shard);
      }
      for (OutboxRecord record : look.records()) {
        tally.ahead += record.waiting().size();
        add(shard, record, now, parcels, tally);
      }
    } catch (Throwable e) { // a relay that ends sends nothing any more
      tally.unread(e);
    }
  }

  /**
   * Whether no relay has put a record off: it is due later than after the pause of its tries. Of
   * what its destination has deferred no try is stored; but that was stored in the past, or is due
   * before the time at which it was.
   */
  private boolean isAhead(OutboxRecord record, long now) {
    long pause = retries.pause(Tries.of(record.tries()).all());
    if (record.due() <= now + pause || record.waiting().isEmpty()) {
      return false;
    }
    long storedAt = record.waiting().get(0).storedAt().toEpochMilli();
    return storedAt > now && storedAt <= record.due();
  }

  private void look(
      Map<Object, Integer> hinted, long now, Map<Object, Parcel> parcels, Tally tally) {
    hinted.keySet().removeAll(parcels.keySet());
    if (hinted.isEmpty()) {
      return;
    }
    tally.isAsked = true;
    try {
      for (OutboxRecord record : records.readAll(List.copyOf(hinted.keySet()), left)) {
        Integer told = hinted.remove(ClusterKey.raw(record.key()));
        int shard = told == null ? NONE : mine(record, told);
        boolean isAhead = isAhead(record, now);
        if (shard != NONE && (record.due() <= now || isAhead)) {
          tally.ahead += isAhead ? record.waiting().size() : 0;
          add(shard, record, now, parcels, tally);
        } else if (shard != NONE) {
          clearing.holdBack(record);
        }
      }
      hinted.forEach((key, shard) -> hints.add(shard, key)); // the next pass reads them
      tally.countLook(!looksAtAll, null);
    } catch (Throwable e) { // a relay that ends sends nothing any more
      tally.countLook(!looksAtAll, e);
    }
  }

  /**
   * The shard that was read of a record, if it is this relay's: it decides whose the record is. A
   * hint may go by another key or number of shards, and an index may lag.
   */
  private int mine(OutboxRecord record, int told) {
    long shard = record.shard() < 0 ? told : record.shard();
    return shard < records.shards() && shards.isMine((int) shard) ? (int) shard : NONE;
  }

  private void add(
      int told, OutboxRecord record, long now, Map<Object, Parcel> parcels, Tally tally) {
    Object key = ClusterKey.raw(record.key());
    int shard = mine(record, told);
    if (shard != NONE
        && !record.waiting().isEmpty()
        && !parcels.containsKey(key)
        && !clearing.isAtRest(record, now)) {
      left -= ClusterKey.size(record);
      parcels.put(key, clearing.parcel(shard, record, tally));
      tally.pending += record.waiting().size();
      long age = now - record.waiting().get(0).storedAt().toEpochMilli();
      tally.oldest = Math.max(tally.oldest, age);
    }
  }
}
