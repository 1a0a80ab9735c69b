package dev.tidemark.intake;

import dev.tidemark.kernel.Uninterrupted;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.transaction.OpenTransactions;
import java.util.List;
import java.util.function.Function;

/**
 * Hands batches of a carrier's messages to a handler, such as a projector, and says of each message
 * what to tell the carrier:
 *
 * <pre>{@code
 * Intake<Message> intake =
 *     Intake.builder(Message::messageId, decoder, projector::handle).deadLetters(letters).build();
 * Taken<Message> taken = intake.take(messages); // acknowledge taken.toAcknowledge()
 * }</pre>
 *
 * <p><b>Promised.</b> A message is acknowledged only if it is handled, or kept among the dead
 * letters. In a lane, no message behind the first one that is neither is acknowledged. A message
 * that cannot be decoded is a dead letter as soon as everything before it in its lane is done. A
 * message that fails in the handler is tried again, and given up by a policy ({@link
 * IntakeBuilder#parkAfter}). Messages that waited behind a dead letter are handled in the same
 * call, unless others meet an outage; none of them is handled before the letter is kept. A handled
 * message that has to come again, since an earlier message of its lane is not done, is a duplicate
 * then.
 *
 * <p><b>Not promised.</b> A dead letter may be kept several times: again after a crash, and by each
 * intake that its message comes to while something before it in its lane is not done.
 *
 * <p>It has no thread of its own, and talks to no carrier. For any number of threads, each with
 * messages of its own.
 *
 * @param <M> the carrier's messages
 */
public final class Intake<M> {
  private final IntakeBuilder<M> settings;
  private final Failures failures;

  Intake(IntakeBuilder<M> settings) {
    this.settings = settings;
    this.failures = new Failures(settings.parkAfter, settings.nanos);
  }

  /**
   * Settings of an intake.
   *
   * @param id gives the identity by which the carrier itself knows a message, so that the failures
   *     of the message can be counted: a value with {@code equals}, such as a message's ID, or
   *     partition and offset
   * @param decoder makes deliveries of messages
   * @param handler handles deliveries, as projectors do, and answers for each of them: a delivery
   *     that its outcome leaves out is not done, and counts as failed
   * @param <M> the carrier's messages
   * @return a builder
   */
  public static <M> IntakeBuilder<M> builder(
      Function<? super M, ?> id,
      Decoder<? super M> decoder,
      Function<List<Delivery>, ? extends BatchOutcome<?>> handler) {
    return new IntakeBuilder<>(id, decoder, handler);
  }

  /**
   * Handles a batch.
   *
   * <p>What the decoder, the handler and the dead letters throw is taken for a failure whatever it
   * is, {@link Error} and undeclared checked exceptions included. {@link OutOfMemoryError} and each
   * other {@link VirtualMachineError} that is no {@link StackOverflowError} is thrown, and nothing
   * of the batch may be acknowledged then.
   *
   * <p>An {@link InterruptedException} counts as no message's failure, nor does what else fails
   * since the thread is interrupted: a {@link java.nio.channels.ClosedByInterruptException}, or any
   * {@link java.io.IOException} while it is. Messages in front of it are handled, none behind it is
   * begun, and the thread is interrupted afterwards, so that a loop around this method can end. On
   * a thread that is not the caller's own, use {@link #takeOnContainerThread}.
   *
   * @param messages in the order in which they came, of each lane in the lane's order
   * @return what became of each; faults are in there and are not thrown, but for those of the
   *     listener and of the JVM
   * @throws IllegalArgumentException if the lane of a message is empty; nothing is handled
   * @throws IllegalStateException in an open transaction of Spring: what is acknowledged beside it
   *     would be lost by a rollback. Nothing is handled, and no dead letter kept
   */
  public Taken<M> take(List<M> messages) {
    OpenTransactions.requireNone("an intake");
    IntakeBatch<M> batch = new IntakeBatch<>(settings, failures, messages);
    Taken<M> taken = batch.taken();
    settings.listener.taken(taken);
    return taken;
  }

  /**
   * Handles a batch on a thread of a container or of a function's runtime, which would never clear
   * its interrupt: as {@link #take} does, but the thread is interrupted afterwards only if it was
   * before.
   *
   * @param messages as of {@link #take}
   * @return as of {@link #take}
   * @throws IllegalStateException as of {@link #take}
   */
  public Taken<M> takeOnContainerThread(List<M> messages) {
    return Uninterrupted.asFound(() -> take(messages));
  }
}
