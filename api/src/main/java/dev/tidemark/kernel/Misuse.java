package dev.tidemark.kernel;

import org.jspecify.annotations.Nullable;

/**
 * What this library throws at code that calls it wrongly. It says nothing of that code's work, and
 * so is told apart from the same exceptions of the work.
 */
public interface Misuse {
  /** An argument that is refused. */
  final class Argument extends IllegalArgumentException implements Misuse {
    private static final long serialVersionUID = 1L;

    /**
     * Tells what is wrong.
     *
     * @param message what to do
     */
    public Argument(String message) {
      super(message);
    }

    /**
     * Tells what is wrong, and why.
     *
     * @param message what to do
     * @param cause what tells it
     */
    public Argument(@Nullable String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }

  /** A call that is refused where it is made. */
  final class State extends IllegalStateException implements Misuse {
    private static final long serialVersionUID = 1L;

    /**
     * Tells what is wrong.
     *
     * @param message what to do
     */
    public State(String message) {
      super(message);
    }
  }
}
