package dev.tidemark.tck.contract;

import dev.tidemark.MessageId;
import dev.tidemark.execution.Completion;
import java.util.Optional;

/**
 * A completion at whose write the process dies.
 *
 * @param completion makes the write
 * @param before whether it dies before the write, and not behind it
 */
record DyingCompletion<C, R>(Completion<C, R> completion, boolean before)
    implements Completion<C, R> {
  /** The end of the process. */
  static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  @Override
  public Optional<R> find(MessageId message) {
    return completion.find(message);
  }

  @Override
  public Optional<Made<R>> make(MessageId message, C prepared) {
    if (!before) {
      completion.make(message, prepared);
    }
    throw new Killed();
  }
}
