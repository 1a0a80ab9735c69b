package dev.tidemark.spring;

import dev.tidemark.intake.DeadLetters;
import dev.tidemark.intake.Decoder;
import dev.tidemark.intake.Intake;
import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.intake.Taken;
import dev.tidemark.intake.Taken.Fate;
import dev.tidemark.intake.Taken.Kind;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import io.awspring.cloud.sqs.MessageHeaderUtils;
import io.awspring.cloud.sqs.listener.SqsHeaders;
import io.awspring.cloud.sqs.listener.acknowledgement.BatchAcknowledgement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.messaging.Message;

/**
 * Hands the messages of an {@code @SqsListener} of Spring Cloud AWS to an {@link Intake}, and
 * acknowledges those that are done:
 *
 * <pre>{@code
 * @SqsListener(queueNames = "orders", acknowledgementMode = "MANUAL")
 * void orders(List<Message<String>> messages, BatchAcknowledgement<String> acknowledgement) {
 *   listener.take(messages, acknowledgement);
 * }
 * }</pre>
 *
 * <p>The mode has to be {@code MANUAL}: in others the container cannot call such a method, and in
 * {@code ALWAYS} it acknowledges the messages all the same. The visibility timeout has to be longer
 * than the container's interval between acknowledgements. What is not done is told by one line of
 * the log, a warning, and comes again after 2, 4, 8 seconds and so on up to a minute, by its
 * receive count. Of a FIFO group nothing is acknowledged behind a message that is not done.
 *
 * <p>Where the container's options ask for the queue's timeout, {@code
 * queueAttributeNames(List.of(QueueAttributeName.VISIBILITY_TIMEOUT))}, messages stay hidden from
 * other consumers for as long as they are worked on. The listener's {@code
 * messageVisibilitySeconds}, and the container's {@code messageVisibility}, must not be shorter
 * than the queue's timeout: they may end before the messages are hidden again.
 *
 * <p>For any number of threads.
 *
 * @param <T> the type of payloads
 */
public final class SqsIntakeListener<T> extends CountedIntake<Message<T>> {
  private static final Logger LOGGER = LoggerFactory.getLogger(SqsIntakeListener.class);

  private static final String BEHIND =
      "behind a message of its group that an earlier part of the same call has not done";

  private SqsIntakeListener(Intake<Message<T>> intake) {
    super(intake);
  }

  /**
   * Settings of an intake that knows a message by its ID, and whose lanes are the groups of a FIFO
   * queue. What Jackson cannot read is undecodable.
   *
   * @param decoder makes deliveries of messages
   * @param handler handles deliveries, as projectors do
   * @param <T> the type of payloads
   * @return a builder
   */
  public static <T> IntakeBuilder<Message<T>> builder(
      Decoder<? super Message<T>> decoder,
      Function<List<Delivery>, ? extends BatchOutcome<?>> handler) {
    IntakeBuilder<Message<T>> builder =
        Intake.builder(MessageHeaderUtils::getRawMessageId, decoder, handler);
    builder.lane(SqsIntakeListener::lane);
    return JacksonFaults.undecodable(builder);
  }

  /**
   * Wraps an intake for {@code @SqsListener} methods, which call {@link #take}.
   *
   * @param intake of {@link #builder}
   * @param <T> the type of payloads
   * @return for any number of listeners
   */
  public static <T> SqsIntakeListener<T> of(Intake<Message<T>> intake) {
    return new SqsIntakeListener<>(intake);
  }

  /**
   * Dead letters that are kept as SQS delivered them.
   *
   * @param letters such as {@code SqsDeadLetters} of {@code tidemark-aws}
   * @param <T> the type of payloads
   * @return for an intake
   */
  public static <T> DeadLetters<Message<T>> deadLetters(
      DeadLetters<? super software.amazon.awssdk.services.sqs.model.Message> letters) {
    return (message, reason) ->
        letters.keep(
            MessageHeaderUtils.getHeader(
                message,
                SqsHeaders.SQS_SOURCE_DATA_HEADER,
                software.amazon.awssdk.services.sqs.model.Message.class),
            reason);
  }

  /**
   * Handles a batch. What is not done is no error of the container, which would log it with a stack
   * trace: it is not acknowledged, and so comes again.
   *
   * <p>A message goes to one intake, since what that has done is acknowledged at once. For two
   * views of it, one handler calls both: {@code deliveries ->
   * one.handle(deliveries).and(two.handle(deliveries))}.
   *
   * <p>A listener may hand over a FIFO group in parts. What is behind a message that an earlier
   * call has not done is not handled by a further call of the same intake, and not acknowledged
   * where another one has done it. Which is behind is told by the sequence numbers; where the
   * container does not ask for them, all that comes later is. What an earlier call has acknowledged
   * stays so: hand over the parts in the order of the group, and in one call what may wait for a
   * message behind it.
   *
   * @param messages as the container hands them over
   * @param acknowledgement the container's own, by which the call is known: the same object for
   *     each part, on whatever thread
   * @throws IllegalStateException if the listener has given one of them to another intake; that may
   *     have acknowledged it, and nothing is handled here. So too in an open transaction of Spring,
   *     as {@link Intake#take} has it: no {@code @Transactional} on the listener
   */
  public void take(List<Message<T>> messages, BatchAcknowledgement<T> acknowledgement) {
    SqsCall call = SqsCall.of(acknowledgement);
    SqsCall.Part<T> part = call.begin(this, messages);
    List<Message<T>> again = new ArrayList<>(messages);
    Optional<String> reason = Optional.empty();
    try {
      Taken<Message<T>> taken;
      try (MessageVisibility hidden = MessageVisibility.keep(messages)) {
        taken = handled(part.open());
      }
      reason = reason(taken);
      List<Message<T>> done = taken.toAcknowledge();
      call.done(done);
      done = done.stream().filter(part.free()::contains).toList();
      again.removeAll(done);
      if (!done.isEmpty()) {
        acknowledgement.acknowledge(done);
      }
    } finally {
      MessageVisibility.giveBack(again);
    }
    if (!again.isEmpty()) {
      LOGGER.warn(
          "{} of {} messages are not done and come again; the first: {}",
          again.size(),
          messages.size(),
          reason.orElse(BEHIND));
    }
  }

  private static Optional<String> reason(Taken<?> taken) {
    return taken.fates().stream()
        .filter(fate -> fate.kind() == Kind.AGAIN)
        .map(Fate::reason)
        .findFirst();
  }

  /** Without a group, each message is in a lane of its own. */
  private static String lane(Message<?> message) {
    return SqsCall.group(message).orElseGet(() -> MessageHeaderUtils.getRawMessageId(message));
  }
}
