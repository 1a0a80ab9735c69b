package dev.tidemark.example.orderhistory.carrier;

import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands batches of messages to the views, and tells which ones to deliver again: what is not done,
 * and all that follows it in its group. Poison goes to the dead letters, unless something before it
 * in its group is not done: it comes again then, and is not buried twice. For any number of
 * threads.
 *
 * <p>A delivery's identity is the event's own place in its aggregate. It is the same after a
 * producer's retry, a redrive from the dead letters, or a move to another queue or carrier; {@code
 * MessageId.sqs} and {@code SourceEvent.sqsFifo} name the message, and all of these give it a new
 * one.
 *
 * @param <M> the carrier's messages, told apart by identity
 */
public final class OrderedBatches<M> {
  private static final Logger LOG = LoggerFactory.getLogger(OrderedBatches.class);

  private final Function<M, byte[]> body;
  private final Function<M, Optional<String>> group;
  private final Function<List<Delivery>, BatchOutcome<?>> handler;
  private final BiConsumer<M, String> deadLetters;
  private final AtomicLong buried = new AtomicLong();

  /**
   * The way of one carrier.
   *
   * @param body an event as JSON in UTF-8; throws {@code IllegalArgumentException} if there is none
   * @param group what the message has its order in; empty on a standard queue
   * @param handler the views
   * @param deadLetters keeps a message and the reason, durably before it returns; where it throws,
   *     the message comes again
   */
  public OrderedBatches(
      Function<M, byte[]> body,
      Function<M, Optional<String>> group,
      Function<List<Delivery>, BatchOutcome<?>> handler,
      BiConsumer<M, String> deadLetters) {
    this.body = body;
    this.group = group;
    this.handler = handler;
    this.deadLetters = deadLetters;
  }

  /**
   * Handles a batch.
   *
   * @param messages in the order in which they came
   * @return those to deliver again, in that order; all others may be acknowledged
   */
  public List<M> undone(List<M> messages) {
    IdentityHashMap<M, String> poison = new IdentityHashMap<>();
    Reasons views = new Reasons(handler);
    Set<M> done = new Batches<>(this::delivery, views, poison::put).handle(messages);
    List<M> undone = new ArrayList<>();
    Set<String> stopped = new HashSet<>();
    Set<String> told = new HashSet<>();
    for (M message : messages) {
      Optional<String> order = group.apply(message);
      boolean behind = order.filter(stopped::contains).isPresent();
      if (!behind && !done.contains(message) && told.add(order.orElse(""))) {
        LOG.warn("messages are not done and come again: {}", views.of(order.orElse("")));
      }
      if (behind || !done.contains(message) || !buried(message, poison.get(message))) {
        undone.add(message);
        order.ifPresent(stopped::add);
      }
    }
    return undone;
  }

  /** {@return how many messages went to the dead letters} */
  public long deadLetters() {
    return buried.get();
  }

  private Delivery delivery(M message) {
    Delivery delivery = EventJson.decode(body.apply(message)).delivery();
    return group.apply(message).map(delivery::lane).orElse(delivery);
  }

  private boolean buried(M message, @Nullable String reason) {
    if (reason == null) {
      return true;
    }
    try {
      deadLetters.accept(message, reason);
      buried.incrementAndGet();
      LOG.error("dead letter: {}", reason);
      return true;
    } catch (RuntimeException e) {
      LOG.warn("the dead letters took no message, it comes again: {}", Poison.reason(e));
      return false;
    }
  }
}
