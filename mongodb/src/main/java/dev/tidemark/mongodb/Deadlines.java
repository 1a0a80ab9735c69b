package dev.tidemark.mongodb;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts how often the client's own deadline passed for commands of one call, of a batch as a
 * whole. Entities of a batch want different commands, so that none of them meets all the deadlines.
 * After the last one no command is sent, and each fails as that one did. For one thread.
 */
final class Deadlines {
  /** How often the deadline may pass, also where the server has answered in between. */
  static final int MOST = 3;

  private int passed;
  private @Nullable RuntimeException last;

  /** Sends a command, unless the server is not waited for any longer. */
  <A extends @Nullable Object> A within(Supplier<A> command) {
    if (last != null) {
      throw last;
    }
    try {
      return command.get();
    } catch (RuntimeException e) {
      if (Errors.isDeadline(e) && ++passed == MOST) {
        last = e;
      }
      throw e;
    }
  }

  /** Whether no command is sent any more. */
  boolean areOver() {
    return last != null;
  }
}
