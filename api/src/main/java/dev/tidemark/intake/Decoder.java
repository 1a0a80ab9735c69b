package dev.tidemark.intake;

import dev.tidemark.projector.Delivery;

/**
 * Makes a delivery, which is an identity and an event, of a carrier's message.
 *
 * @param <M> the carrier's messages
 */
@FunctionalInterface
public interface Decoder<M> {
  /**
   * Reads a message.
   *
   * @param message as the carrier has it
   * @return its identity and its event; a lane is added by the {@link Intake}. Null counts as a
   *     failure
   * @throws Exception if the message cannot be decoded, now or ever: a checked exception or an
   *     {@link IllegalArgumentException}, so that the message is a dead letter at once; any other
   *     exception, and an {@link Error}, counts as a failure of the handler, which is tried again;
   *     an {@link InterruptedException}, a {@link java.nio.channels.ClosedByInterruptException},
   *     any {@link java.io.IOException} on a thread that is interrupted, an executor that takes no
   *     work or a client of HTTP that was closed, by itself or as a cause, is no message's failure:
   *     the message comes again
   */
  Delivery decode(M message) throws Exception;
}
