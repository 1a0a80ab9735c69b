package dev.tidemark.mongodb;

import dev.tidemark.ContentionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Reads that no write is made of, again after failures that pass. */
final class ReadTries {
  private ReadTries() {}

  /**
   * Reads, with growing pauses.
   *
   * @param most how many tries there are; fewer where the client's own deadline ends them
   * @throws ContentionException if failures that pass went on for longer, unless the last one is
   *     that there is no server
   */
  static <A extends @Nullable Object> A read(int most, Supplier<A> read) {
    Deadlines deadlines = new Deadlines();
    for (int tries = 1; ; tries++) {
      try {
        return deadlines.within(read);
      } catch (RuntimeException e) {
        if (!Errors.isTransient(e)) {
          throw e;
        }
        boolean last = tries == most || deadlines.areOver();
        if (last || Thread.currentThread().isInterrupted()) {
          throw Errors.isUnsent(e)
              ? e
              : new ContentionException("failures outlasted " + tries + " tries", null, e);
        }
        LockSupport.parkNanos(Calls.PAUSES.after(tries).toNanos());
      }
    }
  }
}
