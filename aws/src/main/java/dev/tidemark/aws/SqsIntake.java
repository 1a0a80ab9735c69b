package dev.tidemark.aws;

import dev.tidemark.MessageId;
import dev.tidemark.intake.Decoder;
import dev.tidemark.intake.Intake;
import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.intake.Taken;
import dev.tidemark.kernel.Backoff;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Silence;
import dev.tidemark.kernel.Uninterrupted;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Duration;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.SdkBytes;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;
import software.amazon.awssdk.services.sqs.model.MessageSystemAttributeName;

/**
 * Receives the messages of an SQS queue, standard or FIFO, and hands them to an intake. Each thread
 * that runs it is a worker: it takes up to 10 messages, handles them, and deletes what is done.
 *
 * <pre>{@code
 * SqsIntake queue = SqsIntake.of(client, url, intake);
 * ExecutorService workers = Executors.newFixedThreadPool(4);
 * for (int i = 0; i < 4; i++) {
 *   workers.execute(queue);
 * }
 * }</pre>
 *
 * <p><b>Promised.</b> A message is deleted only once it is handled or kept among the dead letters;
 * of a FIFO group nothing is deleted behind a message that is not. What is not done comes again
 * after 2, 4, 8 seconds and so on up to a minute, by its receive count. While the handler works,
 * the messages stay hidden from other consumers: a heartbeat asks for their visibility timeout
 * again each time a third of it has passed.
 *
 * <p><b>Not promised.</b> That a message comes once: what SQS could not delete, and what a
 * heartbeat came too late for, is a duplicate.
 *
 * <p>No answer of SQS ends {@link #run}: it waits, longer each time, and goes on; the log says why,
 * and {@link #fault} tells health checks. It ends by {@link #stop} or an interrupt, once the
 * messages in hand are handled; a stop waits for a long poll that is under way. What an {@link
 * dev.tidemark.intake.IntakeListener} throws ends the worker that met it, and so does an {@link
 * OutOfMemoryError}; its messages come again, and {@link #fault} tells of it from then on.
 *
 * <p>The queue's own redrive policy counts every receive, also those while a store is away: leave
 * it out, or set {@code maxReceiveCount} to some hundreds, and let the intake decide.
 *
 * <p>Threads may share it. Its only own thread is that of the heartbeat, a daemon for all workers,
 * since these are in the handler when a beat is due. The caller closes the client.
 */
public final class SqsIntake implements Runnable {
  private static final String RECEIVE = "ReceiveMessage";
  private static final Duration LONGEST_POLL = Duration.ofSeconds(20);
  private static final Duration LONGEST_VISIBILITY = Duration.ofHours(12);
  private static final Backoff PAUSES =
      Backoff.doubling(Duration.ofMillis(250), Duration.ofSeconds(10));

  private static final System.Logger LOG = System.getLogger(SqsIntake.class.getName());

  private final Queue queue;
  private final Silence silence = new Silence(System::nanoTime);
  private final Intake<Message> intake;
  private final Heartbeat heartbeat;
  private final CountDownLatch stopped = new CountDownLatch(1);
  private Duration longPoll = LONGEST_POLL;
  private @Nullable Duration visibility;
  private volatile @Nullable Duration visibilityOfQueue;
  private volatile @Nullable SdkException fault;

  /** What has ended a worker, which no success of another one mends. */
  private volatile @Nullable RuntimeException end;

  private SqsIntake(SqsClient client, String queueUrl, Intake<Message> intake) {
    this.queue =
        new Queue(
            Objects.requireNonNull(client, "client"), Objects.requireNonNull(queueUrl, "queueUrl"));
    this.intake = Objects.requireNonNull(intake, "intake");
    this.heartbeat = new Heartbeat(queue);
  }

  /**
   * Settings of an intake that knows a message by its ID, and whose lanes are the groups of a FIFO
   * queue. The groups of a standard queue share it fairly, and have no order.
   *
   * @param queueUrl of the queue; one of a FIFO queue ends in {@code .fifo}
   * @param decoder makes deliveries of messages, such as {@code message ->
   *     Delivery.of(SqsIntake.identity(message, queueUrl), json.readValue(message.body(),
   *     Event.class))}
   * @param handler handles deliveries, as projectors do
   * @return a builder
   */
  public static IntakeBuilder<Message> builder(
      String queueUrl,
      Decoder<? super Message> decoder,
      Function<List<Delivery>, ? extends BatchOutcome<?>> handler) {
    IntakeBuilder<Message> builder = Intake.builder(Message::messageId, decoder, handler);
    return Letter.isFifo(queueUrl) ? builder.lane(SqsIntake::group) : builder;
  }

  /** One without a group, which SQS does not send, is in a lane of its own. */
  private static String group(Message message) {
    return message
        .attributes()
        .getOrDefault(MessageSystemAttributeName.MESSAGE_GROUP_ID, message.messageId());
  }

  /**
   * A consumer of one queue. It calls nothing yet.
   *
   * @param client stays the caller's, who closes it
   * @param queueUrl of the queue
   * @param intake of {@link #builder}
   * @return to be run by threads of the caller's
   */
  public static SqsIntake of(SqsClient client, String queueUrl, Intake<Message> intake) {
    return new SqsIntake(client, queueUrl, intake);
  }

  /**
   * The identity of a message whose event has none of its own: the ID that a sender of Tidemark
   * gave it for this queue ({@link SqsSender#ID}, {@link SqsSender#DESTINATION}), else its message
   * ID; of a message that came back from {@link SqsDeadLetters} the one that it had first, so that
   * what it had done in part before it died is not done again. A message that was made of such a
   * one and has its attributes, but another body, goes by its own ID. An identity of the event's
   * own is better where there is one: a message ID knows redeliveries, but not what a producer has
   * sent twice.
   *
   * <p>An ID for another queue or for a topic of SNS, and one that names neither, as senders of
   * earlier versions gave it, may have been handed on by whoever made this message of another one:
   * two messages may have it. {@link #identityOfSent} is for queues in which that cannot be. Of a
   * message whose 10 attributes leave no room for the destination, the ID counts with the queue,
   * the body and all attributes. Only a message that is equal in all of these has its identity.
   *
   * @param message with all its attributes, as it is received here
   * @param queue the URL, the ARN or the name of the queue
   * @return its identity
   */
  public static MessageId identity(Message message, String queue) {
    String name = Letter.name(queue);
    if (name.equals(text(message, SqsSender.DESTINATION))) {
      return identityOfSent(message);
    }
    String sent = text(message, SqsSender.ID);
    return sent != null && Letter.isFull(message.messageAttributes())
        ? MessageId.of("sqs-sent", name, sent + digest(message))
        : MessageId.sqs(SqsDeadLetters.firstId(message));
  }

  /**
   * As {@link #identity}, but by the ID that a sender of Tidemark gave the message for whatever
   * queue or topic. Right only where each message was made by such a sender, or is a copy of one
   * message: in a queue that nobody else writes, its dead-letter queue, or a queue of a topic of
   * SNS that nobody else writes. A message that came by SNS shows its sender's ID only if the queue
   * is subscribed with {@code RawMessageDelivery}.
   *
   * @param message with all its attributes, as it is received here
   * @return its identity
   */
  public static MessageId identityOfSent(Message message) {
    String sent = text(message, SqsSender.ID);
    return sent == null ? MessageId.sqs(SqsDeadLetters.firstId(message)) : MessageId.of(sent);
  }

  private static String digest(Message message) {
    Map<String, String> values = new HashMap<>();
    message.messageAttributes().forEach((name, attribute) -> values.put(name, value(attribute)));
    return Letter.digest(String.valueOf(message.body()), values);
  }

  private static String value(MessageAttributeValue attribute) {
    String text = attribute.stringValue();
    SdkBytes bytes = attribute.binaryValue();
    return text != null || bytes == null
        ? "text " + text
        : "bytes " + Base64.getEncoder().encodeToString(bytes.asByteArray());
  }

  /** Null too for an attribute that is binary, which no sender of Tidemark makes. */
  private static @Nullable String text(Message message, String name) {
    MessageAttributeValue attribute = message.messageAttributes().get(name);
    return attribute == null ? null : attribute.stringValue();
  }

  /**
   * How long a receive waits for messages. A stop may take as long, since it waits for the receive
   * that is under way.
   *
   * @param longPoll 1 to 20 s; 20 s unless given
   * @return this
   */
  public SqsIntake longPoll(Duration longPoll) {
    this.longPoll = checked("longPoll", longPoll, LONGEST_POLL);
    return this;
  }

  /**
   * How long messages are hidden from other consumers, unless the heartbeat asks again. After a
   * crash they come again only then.
   *
   * @param visibility 1 s to 12 h; what the queue says unless given
   * @return this
   */
  public SqsIntake visibility(Duration visibility) {
    this.visibility = checked("visibility", visibility, LONGEST_VISIBILITY);
    return this;
  }

  private static Duration checked(String name, Duration value, Duration longest) {
    if (value.toSeconds() < 1 || value.compareTo(longest) > 0) {
      throw new IllegalArgumentException(
          name + " must be 1 to " + longest.toSeconds() + " s, was " + value);
    }
    return value;
  }

  /** Receives and handles messages until it is stopped, or the thread is interrupted. */
  @Override
  public void run() {
    try {
      work();
    } catch (Throwable e) {
      end =
          e instanceof RuntimeException exception
              ? exception
              : new IllegalStateException("an error has ended a worker of " + queue.url(), e);
      throw e;
    }
  }

  private void work() {
    int faults = 0;
    String call = "";
    while (stopped.getCount() > 0 && !Thread.currentThread().isInterrupted()) {
      try {
        call = "GetQueueAttributes";
        Duration hidden = visibility != null ? visibility : visibilityOfQueue();
        call = RECEIVE;
        List<Message> messages = queue.receive(longPoll, visibility);
        call = "DeleteMessage, or ChangeMessageVisibility";
        if (!messages.isEmpty()) {
          handle(messages, hidden);
        }
        faults = 0;
        fault = null;
      } catch (SdkException e) {
        if (e instanceof AbortedException
            || (call.equals(RECEIVE) && Thread.currentThread().isInterrupted())) {
          Thread.currentThread().interrupt();
          return;
        }
        fault = e;
        faults++;
        tell(call, e);
        pause(faults);
      }
    }
  }

  private void tell(String call, SdkException fault) {
    silence
        .error()
        .ifPresent(
            before ->
                LOG.log(
                    System.Logger.Level.WARNING,
                    "SQS does not do what a consumer of {0} asks for: {1} ({2}). Since the last such"
                        + " line {3} other times. What is not deleted comes again, and is a letter"
                        + " again if it was one. The consumer goes on, and fault() has the error",
                    queue.url(),
                    call,
                    Heartbeat.code(fault),
                    before));
  }

  /** Lets all workers return once the messages in hand are handled. May be called twice. */
  public void stop() {
    stopped.countDown();
  }

  /**
   * What has ended a worker by an exception, which stays; else what SQS answered a worker last, if
   * that was an error after which it tries again: for health checks.
   *
   * @return empty if all is well; an {@link Error} that has ended a worker is the cause of what is
   *     returned
   */
  public Optional<RuntimeException> fault() {
    RuntimeException last = end;
    return Optional.ofNullable(last == null ? fault : last);
  }

  private Duration visibilityOfQueue() {
    Duration known = visibilityOfQueue;
    if (known == null) {
      known = queue.visibility();
      visibilityOfQueue = known;
    }
    return known;
  }

  private void handle(List<Message> messages, Duration hidden) {
    List<Message> again = messages;
    try {
      Taken<Message> taken = take(messages, hidden);
      again = taken.toRetry();
      Uninterrupted.run(() -> queue.delete(taken.toAcknowledge()));
    } catch (Throwable e) {
      try {
        giveBack(again);
      } catch (Throwable behind) { // which ends no worker
        Faults.suppress(behind, e);
      }
      throw e;
    }
    giveBack(again);
  }

  private Taken<Message> take(List<Message> messages, Duration hidden) {
    try (Heartbeat.Work beats = heartbeat.over(messages, hidden)) {
      return intake.take(messages);
    } catch (AbortedException e) { // an interrupt
      throw e;
    } catch (SdkException e) { // no answer of this queue
      throw new IllegalStateException("the intake's listener failed by an exception of AWS", e);
    }
  }

  private void giveBack(List<Message> messages) {
    Uninterrupted.run(() -> queue.giveBack(messages));
  }

  private void pause(int faults) {
    try {
      var unused = stopped.await(PAUSES.after(faults).toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt(); // which ends the worker
    }
  }
}
