package dev.tidemark.spring;

import static java.util.stream.Collectors.toSet;

import io.awspring.cloud.sqs.MessageHeaderUtils;
import io.awspring.cloud.sqs.listener.SqsHeaders;
import io.awspring.cloud.sqs.listener.SqsHeaders.MessageSystemAttributes;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.messaging.Message;

/**
 * One call of an {@code @SqsListener}, known by its acknowledgement: which intake was given which
 * message, and what these have not done of FIFO groups. Nothing of a group is acknowledged behind
 * that, and its own intake does not handle it either. It is forgotten together with its
 * acknowledgement, however the listener ends. For any number of threads.
 */
final class SqsCall {
  /** By acknowledgements as such, whatever their {@code equals} says. */
  private static final Map<Known, SqsCall> CALLS = new ConcurrentHashMap<>();

  private static final ReferenceQueue<Object> FORGOTTEN = new ReferenceQueue<>();

  private final Map<String, Object> intakes = new HashMap<>();
  private final List<Undone> undone = new ArrayList<>();

  /** Without the message, whose payload nobody needs any more. */
  private record Undone(Object intake, String id, String group, @Nullable BigInteger place) {
    /** A place that nobody tells, since the container does not ask for it, is behind all others. */
    boolean isBefore(Message<?> message) {
      BigInteger other = placeOf(message);
      return SqsCall.group(message).filter(group::equals).isPresent()
          && (place == null || other == null || other.compareTo(place) >= 0);
    }
  }

  /**
   * What an intake is given.
   *
   * @param open those of which it has done all that was in front in their groups
   * @param free those of them in front of which every intake has done what it was given
   */
  record Part<T>(List<Message<T>> open, List<Message<T>> free) {}

  /** An acknowledgement, which it does not keep. */
  private static final class Known extends WeakReference<Object> {
    private final int hash;

    Known(Object acknowledgement) {
      super(acknowledgement, FORGOTTEN);
      this.hash = System.identityHashCode(acknowledgement);
    }

    @Override
    public int hashCode() {
      return hash;
    }

    @Override
    public boolean equals(@Nullable Object other) {
      Object own = get();
      return this == other || (own != null && other instanceof Known known && known.refersTo(own));
    }
  }

  /** The call that an acknowledgement is of. */
  static SqsCall of(Object acknowledgement) {
    for (Object gone = FORGOTTEN.poll(); gone != null; gone = FORGOTTEN.poll()) {
      CALLS.remove(gone);
    }
    return CALLS.computeIfAbsent(new Known(acknowledgement), call -> new SqsCall());
  }

  /**
   * Gives an intake messages. Until {@link #done} says otherwise, none of them is done.
   *
   * @throws IllegalStateException if one of them was given to another intake
   */
  synchronized <T> Part<T> begin(Object intake, List<Message<T>> messages) {
    requireOwn(intake, messages);
    List<Message<T>> open =
        messages.stream()
            .filter(
                message ->
                    undone.stream().noneMatch(u -> u.intake() == intake && u.isBefore(message)))
            .toList();
    List<Message<T>> free =
        open.stream()
            .filter(message -> undone.stream().noneMatch(u -> u.isBefore(message)))
            .toList();
    open.forEach(
        message ->
            group(message)
                .map(group -> new Undone(intake, id(message), group, placeOf(message)))
                .ifPresent(undone::add));
    return new Part<>(open, free);
  }

  private void requireOwn(Object intake, List<? extends Message<?>> messages) {
    for (Message<?> message : messages) {
      Object owner = intakes.computeIfAbsent(id(message), same -> intake);
      if (owner != intake) {
        throw new IllegalStateException(
            "a listener gives the same messages to two intakes, the first of which acknowledges"
                + " what the second may not do: let one handler call both, deliveries ->"
                + " one.handle(deliveries).and(two.handle(deliveries))");
      }
    }
  }

  synchronized void done(List<? extends Message<?>> messages) {
    Set<String> done = messages.stream().map(SqsCall::id).collect(toSet());
    undone.removeIf(u -> done.contains(u.id()));
  }

  private static String id(Message<?> message) {
    return MessageHeaderUtils.getRawMessageId(message);
  }

  private static @Nullable BigInteger placeOf(Message<?> message) {
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
