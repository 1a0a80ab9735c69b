package dev.tidemark.tck.contract;

import dev.tidemark.MessageId;
import dev.tidemark.execution.Completion;
import java.util.Optional;

/**
 * A completion whose write is on its way for so long that others come between.
 *
 * @param completion makes the write
 * @param meanwhile what they do
 */
record HeldCompletion<C, R>(Completion<C, R> completion, Runnable meanwhile)
    implements Completion<C, R> {
  @Override
  public Optional<R> find(MessageId message) {
    return completion.find(message);
  }

  @Override
  public Optional<Made<R>> make(MessageId message, C prepared) {
    meanwhile.run();
    return completion.make(message, prepared);
  }
}
