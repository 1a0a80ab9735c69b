package dev.tidemark.kernel;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What this library throws at code that calls it wrongly. It says nothing of that code's work, and
 * so is told apart from the same exceptions of the work.
 */
public interface Misuse {
  /**
   * Makes something of arguments whose checks throw the plain exceptions, as those of {@link Text}.
   *
   * @param made checks the arguments
   * @param <T> what is made
   * @return the same
   * @throws Argument where an argument is refused
   */
  static <T> T checked(Supplier<T> made) {
    try {
      return made.get();
    } catch (IllegalArgumentException e) {
      throw new Argument(e.getMessage(), e);
    }
  }

  /**
   * Requires an argument, which is missing where a caller without null checks left it out.
   *
   * @param what it is, for the text of the fault
   * @param value what was given
   * @param <T> its type
   * @return the same
   * @throws Argument if it is null
   */
  static <T> T given(String what, @Nullable T value) {
    return checked(() -> Text.given(what, value));
  }

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
