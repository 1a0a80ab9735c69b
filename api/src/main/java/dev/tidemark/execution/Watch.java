package dev.tidemark.execution;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How long a revision has been seen unchanged, by this process's own elapsed time: what tells that
 * a lease is over where clocks differ. It keeps the keys that were looked at last.
 */
final class Watch {
  private static final int KEPT = 10_000;

  private final LongSupplier nanos;
  private final Map<String, Seen> seen =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Seen> eldest) {
          return size() > KEPT;
        }
      };

  Watch(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Notes what is stored under a key, and tells for how long nothing else was. */
  synchronized Duration unchanged(String key, String revision) {
    long now = nanos.getAsLong();
    Seen before = seen.get(key);
    if (before == null || !before.revision.equals(revision)) {
      seen.put(key, new Seen(revision, now));
      return Duration.ZERO;
    }
    return Duration.ofNanos(now - before.since);
  }

  synchronized void forget(String key) {
    seen.remove(key);
  }

  private record Seen(String revision, long since) {}
}
