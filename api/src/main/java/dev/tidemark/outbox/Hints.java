package dev.tidemark.outbox;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.IntPredicate;
import java.util.function.UnaryOperator;

/** Records that are said to have messages, each once; and what a relay at rest waits for. */
final class Hints {
  private static final int MOST = 10_000;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition woken = lock.newCondition();
  private final Map<Object, Integer> shards = new LinkedHashMap<>();
  private final UnaryOperator<Object> bare;
  private boolean isWoken;

  /** Whether all shards are to be looked at, too. */
  private boolean looks;

  /**
   * There are none yet.
   *
   * @param bare as {@link OutboxRecords#bare} has it
   */
  Hints(UnaryOperator<Object> bare) {
    this.bare = bare;
  }

  /** Notes a record; false if there are too many. */
  boolean add(int shard, Object key) {
    Object kept = bare.apply(ClusterKey.raw(key));
    lock.lock();
    try {
      if (shards.size() >= MOST && !shards.containsKey(kept)) {
        return false;
      }
      shards.put(kept, shard);
      woken.signalAll();
      return true;
    } finally {
      lock.unlock();
    }
  }

  boolean isEmpty() {
    lock.lock();
    try {
      return shards.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  /** Notes that all shards are to be looked at. */
  void look() {
    lock.lock();
    try {
      looks = true;
      woken.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Whether that was noted since this was asked before. */
  boolean takeLook() {
    lock.lock();
    try {
      boolean taken = looks;
      looks = false;
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Ends a wait, and each that begins later. */
  void wake() {
    lock.lock();
    try {
      isWoken = true;
      woken.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Takes those of some shards out, the longest there first; those of others are dropped. */
  Map<Object, Integer> take(int most, IntPredicate mine) {
    lock.lock();
    try {
      Map<Object, Integer> taken = new LinkedHashMap<>();
      var all = shards.entrySet().iterator();
      while (all.hasNext() && taken.size() < most) {
        Map.Entry<Object, Integer> one = all.next();
        if (mine.test(one.getValue())) {
          taken.put(one.getKey(), one.getValue());
        }
        all.remove();
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Waits for a record, or for the end. */
  void await(Duration most) throws InterruptedException {
    lock.lock();
    try {
      long left = most.toNanos();
      while (shards.isEmpty() && !looks && !isWoken && left > 0) {
        left = woken.awaitNanos(left);
      }
    } finally {
      lock.unlock();
    }
  }
}
