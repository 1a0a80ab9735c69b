package dev.tidemark.spring;

import io.awspring.cloud.sqs.MessageHeaderUtils;
import io.awspring.cloud.sqs.listener.SqsHeaders;
import io.awspring.cloud.sqs.listener.SqsHeaders.MessageSystemAttributes;
import java.lang.ref.WeakReference;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;

/**
 * One call of an {@code @SqsListener}, known by its acknowledgement: which intake was given which
 * message, and what these have not done of FIFO groups. Nothing of a group is acknowledged behind
 * that, and its own intake does not handle it either. For one thread, that of the container.
 */
final class SqsCall {
  private static final ThreadLocal<@Nullable SqsCall> CURRENT = new ThreadLocal<>();

  private final WeakReference<Object> acknowledgement;
  private final Map<String, Object> intakes = new HashMap<>();
  private final List<Undone> undone = new ArrayList<>();

  private record Undone(Object intake, String group, Message<?> message) {}

  private SqsCall(Object acknowledgement) {
    this.acknowledgement = new WeakReference<>(acknowledgement);
  }

  /** The call that this thread is in, which is another one than that of another acknowledgement. */
  static SqsCall of(Object acknowledgement) {
    SqsCall call = CURRENT.get();
    if (call == null || !call.acknowledgement.refersTo(acknowledgement)) {
      call = new SqsCall(acknowledgement);
      CURRENT.set(call);
    }
    return call;
  }

  /**
   * Notes whose messages are.
   *
   * @throws IllegalStateException if one of them was given to another intake
   */
  void requireOwn(Object intake, List<? extends Message<?>> messages) {
    for (Message<?> message : messages) {
      Object owner =
          intakes.computeIfAbsent(MessageHeaderUtils.getRawMessageId(message), id -> intake);
      if (owner != intake) {
        throw new IllegalStateException(
            "a listener gives the same messages to two intakes, the first of which acknowledges"
                + " what the second may not do: let one handler call both, deliveries ->"
                + " one.handle(deliveries).and(two.handle(deliveries))");
      }
    }
  }

  /** Those of which an intake has done all that was in front in their groups. */
  <T> List<Message<T>> open(Object intake, List<Message<T>> messages) {
    return messages.stream()
        .filter(
            message -> undone.stream().noneMatch(u -> u.intake() == intake && isBehind(message, u)))
        .toList();
  }

  /** Those in front of which every intake has done what it was given of their groups. */
  <T> List<Message<T>> free(List<Message<T>> messages) {
    return messages.stream()
        .filter(message -> undone.stream().noneMatch(u -> isBehind(message, u)))
        .toList();
  }

  /** Until {@link #done} says otherwise, none of it is done. */
  void begin(Object intake, List<? extends Message<?>> messages) {
    messages.forEach(
        message ->
            group(message).ifPresent(group -> undone.add(new Undone(intake, group, message))));
  }

  void done(List<? extends Message<?>> messages) {
    undone.removeIf(u -> messages.contains(u.message()));
  }

  /** A place that nobody tells, since the container does not ask for it, is behind all others. */
  private static boolean isBehind(Message<?> message, Undone undone) {
    if (group(message).filter(undone.group()::equals).isEmpty()) {
      return false;
    }
    BigInteger place = place(message);
    BigInteger first = place(undone.message());
    return place == null || first == null || place.compareTo(first) >= 0;
  }

  private static @Nullable BigInteger place(Message<?> message) {
    Object number = message.getHeaders().get(MessageSystemAttributes.SQS_SEQUENCE_NUMBER);
    return number == null ? null : new BigInteger(number.toString());
  }

  /** Groups of a standard queue are no order. */
  static Optional<String> group(Message<?> message) {
    Object queue = message.getHeaders().get(SqsHeaders.SQS_QUEUE_NAME_HEADER);
    Object group = message.getHeaders().get(MessageSystemAttributes.SQS_MESSAGE_GROUP_ID_HEADER);
    return group != null && String.valueOf(queue).endsWith(".fifo")
        ? Optional.of(group.toString())
        : Optional.empty();
  }
}
