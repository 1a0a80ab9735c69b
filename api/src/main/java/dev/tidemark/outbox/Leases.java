package dev.tidemark.outbox;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.MessageId;
import dev.tidemark.kernel.Lease;
import dev.tidemark.kernel.TypedRecords;
import dev.tidemark.kernel.Uninterrupted;
import dev.tidemark.store.Answer;
import dev.tidemark.store.RecordStore;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Shards that instances share, each under a lease: a record that its owner replaces every third of
 * a lease. An owner is silent once its record was seen unchanged for a lease, by the elapsed time
 * of who looks. Every write is under the revision that was read. A record that cannot be read is
 * removed once it was so for a lease: whoever has the shard by then could not renew its lease. Safe
 * for use by many threads.
 *
 * <p>An instance that has less than its share takes one shard at a time from the instance that has
 * the most, and begins with it a lease later: by then the other one has noticed. One that stands
 * back takes what nobody else has taken for a lease, and nothing from others.
 */
final class Leases implements Shards {
  /** How long a record stays behind the end of its lease. */
  private static final long KEPT_SECONDS = 86_400;

  private final TypedRecords<ShardLease> store;
  private final String me = UUID.randomUUID().toString();
  private final Duration lease;
  private final LongSupplier nanos;
  private final List<Shard> shards;
  private long next;

  /** Up to when this instance stands back. */
  private long back;

  Leases(RecordStore store, OutboxRecords records, Duration lease, LongSupplier nanos) {
    this.store = new TypedRecords<>(store, ShardLease.CODEC);
    this.lease = lease;
    this.nanos = nanos;
    this.next = nanos.getAsLong();
    this.back = next;
    this.shards =
        IntStream.range(0, records.shards())
            .mapToObj(number -> new Shard(key(records.name(), number)))
            .toList();
  }

  private static String key(String name, int shard) {
    return MessageId.of("tidemark.relay", name + "/" + shard).value();
  }

  /** What is known of a shard. */
  private static final class Shard {
    private final String key;

    /** What is stored, as far as is known; null if nothing is. */
    private @Nullable ShardLease found;

    /** Since when that is stored, at the latest. */
    private long since;

    /** For how long nothing else was stored, as seen. */
    private long unchanged;

    /** Since when what is stored could not be read; null if it could. */
    private @Nullable Long unreadable;

    /** The lease that was granted last; null if the shard is not this instance's. */
    private @Nullable Lease lease;

    /** From when on to work on it. */
    private long begin;

    /** Whether {@link Leases#hasNew} has told of it. */
    private boolean isTold;

    /** Whether it was free at the last look, too. */
    private boolean isLeft;

    /** When it was found free first, if it was since. */
    private long leftAt;

    Shard(String key) {
      this.key = key;
    }

    /** Notes what is stored. */
    void note(@Nullable ShardLease record, long asked, long answered) {
      boolean same = found != null && record != null && found.revision().equals(record.revision());
      since = same ? since : answered;
      unchanged = same ? asked - since : 0;
      found = record;
      unreadable = null;
    }

    /** Notes that what is stored cannot be read, and tells whether that was so for a time. */
    boolean isUnreadable(long asked, long answered, Duration time) {
      found = null;
      unreadable = unreadable == null ? (Long) answered : unreadable;
      return asked - unreadable >= time.toNanos();
    }

    /** The instance that has it; null if none does. */
    @Nullable String owner() {
      return found == null || isSilent() ? null : found.owner();
    }

    /** Whether it was this instance's when it was told last, be its lease over by now. */
    boolean isMine() {
      return lease != null;
    }

    boolean isSilent() {
      return found != null && unchanged >= Duration.ofMillis(found.leaseMillis()).toNanos();
    }
  }

  @Override
  public synchronized boolean isMine(int shard) {
    Shard one = shards.get(shard);
    return one.lease != null && one.lease.isMine() && nanos.getAsLong() - one.begin >= 0;
  }

  @Override
  public synchronized boolean hasNew() {
    boolean hasNew = false;
    for (int number = 0; number < shards.size(); number++) {
      boolean isMine = isMine(number);
      hasNew |= isMine && !shards.get(number).isTold;
      shards.get(number).isTold = isMine;
    }
    return hasNew;
  }

  @Override
  public synchronized Duration untilNext() {
    return Duration.ofNanos(Math.max(0, next - nanos.getAsLong()));
  }

  @Override
  public synchronized void tend(Tally tally) {
    if (nanos.getAsLong() - next < 0) {
      return;
    }
    next = nanos.getAsLong() + lease.toNanos() / 3;
    tally.isTended = true;
    for (Shard shard : shards) {
      try {
        keep(shard);
      } catch (Throwable e) { // a relay that ends sends nothing any more
        tally.untended(e);
      }
    }
    balance(tally);
    tally.asksNone = !standsBack() && shards.stream().noneMatch(Shard::isMine);
  }

  private void keep(Shard shard) {
    long asked = nanos.getAsLong();
    try {
      renew(shard);
    } catch (CorruptRecordException e) {
      if (shard.isUnreadable(asked, nanos.getAsLong(), lease)
          && store.removeUnreadable(shard.key) instanceof Answer.Written) {
        shard.lease = null;
        shard.note(null, asked, nanos.getAsLong());
      }
      throw e;
    }
  }

  private void renew(Shard shard) {
    if (shard.isMine()) {
      write(shard, nanos.getAsLong());
    } else {
      long asked = nanos.getAsLong();
      shard.note(store.read(shard.key).orElse(null), asked, nanos.getAsLong());
      if (me.equals(shard.owner())) { // a claim of this instance whose reply was lost
        write(shard, nanos.getAsLong() + lease.toNanos());
      }
    }
  }

  /** Takes what is free, up to this instance's share, or one shard from who has too many. */
  private void balance(Tally tally) {
    Map<String, Integer> owned = new TreeMap<>();
    owned.put(me, 0);
    for (Shard shard : shards) {
      String owner = shard.isMine() ? me : shard.owner();
      if (owner != null) {
        owned.merge(owner, 1, Integer::sum);
      }
    }
    int instances = owned.size();
    int rank = List.copyOf(owned.keySet()).indexOf(me);
    int most = (shards.size() + instances - 1) / instances;
    int mine = owned.get(me) + takeFree(most - owned.get(me), instances, rank, tally);
    if (!standsBack() && mine < shards.size() / instances) {
      takeFromRichest(owned, mine, tally);
    }
  }

  /** Takes free shards: at first those of its rank, so that two do not reach for the same. */
  private int takeFree(int most, int instances, int rank, Tally tally) {
    int taken = 0;
    int place = 0;
    for (Shard shard : shards) {
      if (shard.isMine() || shard.owner() != null || shard.unreadable != null) {
        shard.isLeft = false;
        continue;
      }
      long now = nanos.getAsLong();
      shard.leftAt = shard.isLeft ? shard.leftAt : now;
      boolean mayTake =
          standsBack()
              ? now - shard.leftAt >= lease.toNanos()
              : shard.isLeft || place++ % instances == rank;
      shard.isLeft = true;
      boolean silent = shard.isSilent();
      if (mayTake && taken < most && isTaken(shard, nanos.getAsLong(), tally)) {
        taken++;
        tally.takenOver += silent ? 1 : 0;
      }
    }
    return taken;
  }

  /** Takes a shard; a fault at one keeps no other from being taken. */
  private boolean isTaken(Shard shard, long begin, Tally tally) {
    try {
      return write(shard, begin);
    } catch (Throwable e) { // which the pass tells
      tally.untended(e);
      return false;
    }
  }

  private boolean standsBack() {
    return nanos.getAsLong() - back < 0;
  }

  private void takeFromRichest(Map<String, Integer> owned, int mine, Tally tally) {
    int richest = 0;
    Shard chosen = null;
    for (Shard shard : shards) {
      String owner = shard.isMine() ? null : shard.owner();
      int has = owner == null ? 0 : owned.getOrDefault(owner, 0);
      if (has > richest) {
        richest = has;
        chosen = shard;
      }
    }
    if (chosen != null && richest > mine + 1 && chosen.found != null) {
      long others = Duration.ofMillis(chosen.found.leaseMillis()).toNanos();
      boolean unused =
          isTaken(chosen, nanos.getAsLong() + Math.max(lease.toNanos(), others), tally);
    }
  }

  /**
   * Claims a shard, or renews its lease.
   *
   * @param begin from when on to work on it, where it is new
   * @return whether it is this instance's
   */
  private boolean write(Shard shard, long begin) {
    boolean had = shard.isMine();
    for (int tries = 0; tries < 2; tries++) {
      long asked = nanos.getAsLong();
      Lease granted = Lease.asked(nanos, () -> store.clock().millis(), lease);
      ShardLease before = shard.found;
      ShardLease record = renewed(before);
      Answer<ShardLease> answer =
          store.write(shard.key, before == null ? null : before.revision(), record);
      if (answer instanceof Answer.Written) {
        shard.note(record, asked, nanos.getAsLong());
        shard.isTold &= shard.lease != null && shard.lease.isMine(); // hints have passed it by
        shard.lease = granted;
        shard.begin = had ? shard.begin : begin;
        return true;
      }
      if (answer instanceof Answer.Failed<ShardLease> failed) {
        throw failed.error(); // whether it was made is found out at the next try
      }
      Answer.Refused<ShardLease> refused = (Answer.Refused<ShardLease>) answer;
      shard.note(refused.found(), asked, nanos.getAsLong());
      if (refused.found() == null || !refused.found().owner().equals(me)) {
        shard.lease = null;
        return false;
      }
    }
    return false;
  }

  private ShardLease renewed(@Nullable ShardLease before) {
    Clock clock = store.clock();
    boolean isMine = before != null && before.owner().equals(me);
    long fence = before == null ? clock.millis() : before.fence() + (isMine ? 0 : 1);
    long millis = lease.toMillis();
    return new ShardLease(
        UUID.randomUUID().toString(),
        me,
        fence,
        millis,
        clock.millis() + millis,
        (clock.millis() + millis) / 1_000 + KEPT_SECONDS);
  }

  @Override
  public synchronized void standBack(Duration time) {
    back = nanos.getAsLong() + time.toNanos();
    release();
  }

  @Override
  public synchronized void release() {
    List<Shard> mine = new ArrayList<>(shards);
    mine.removeIf(shard -> !shard.isMine());
    for (Shard shard : mine) {
      shard.lease = null;
      try {
        Uninterrupted.run(() -> remove(shard));
      } catch (Throwable e) {
        // It is free a lease later.
      }
    }
  }

  private void remove(Shard shard) {
    for (int tries = 0; tries < 3 && shard.found != null; tries++) {
      Answer<ShardLease> answer = store.remove(shard.key, shard.found.revision());
      if (answer instanceof Answer.Written) {
        shard.found = null;
      } else if (answer instanceof Answer.Refused<ShardLease> refused) {
        boolean mine = refused.found() != null && refused.found().owner().equals(me);
        shard.found = mine ? refused.found() : null;
      }
    }
  }
}
