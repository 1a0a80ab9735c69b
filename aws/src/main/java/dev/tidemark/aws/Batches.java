package dev.tidemark.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.kernel.Uninterrupted;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Sent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.AbortedException;

/**
 * Puts messages into requests of one destination each, and tells of every message what came of it.
 *
 * @param <E> an entry of the service's request
 */
final class Batches<E> {
  private static final int MOST_ENTRIES = 10;

  private final int mostBytes;
  private final Function<String, String> destinations;
  private final Maker<E> maker;
  private final Request<E> request;

  /** Makes the entry of a message; throws if the message cannot be sent to that destination. */
  @FunctionalInterface
  interface Maker<E> {
    Sized<E> entry(OutboxMessage message, String destination, String idInBatch);
  }

  /** Sends a batch; tells for each entry in order what came of it. */
  @FunctionalInterface
  interface Request<E> {
    List<Sent> send(String destination, List<E> entries);
  }

  /** An entry, and what of it counts for the limit of a request. */
  record Sized<E>(E entry, int bytes) {}

  /** An entry, and the place of its message in the call. */
  private record Placed<E>(int place, Sized<E> sized) {}

  Batches(
      int mostBytes, Function<String, String> destinations, Maker<E> maker, Request<E> request) {
    this.mostBytes = mostBytes;
    this.destinations = Objects.requireNonNull(destinations, "destinations");
    this.maker = maker;
    this.request = request;
  }

  static int bytes(String text) {
    return text.getBytes(UTF_8).length;
  }

  List<Sent> send(List<OutboxMessage> messages) throws InterruptedException {
    Sent[] answers = new Sent[messages.size()];
    Map<String, List<Placed<E>>> byDestination = new LinkedHashMap<>();
    for (int i = 0; i < answers.length; i++) {
      place(i, messages.get(i), byDestination, answers);
    }
    try {
      for (Map.Entry<String, List<Placed<E>>> one : byDestination.entrySet()) {
        sendAll(one.getKey(), split(one.getValue()), answers);
      }
    } catch (AbortedException e) { // how the SDK tells an interrupt
      throw Uninterrupted.told("interrupted while AWS was sent to", e);
    }
    return List.of(answers);
  }

  /** Puts a message to those of its destination, or answers why that cannot be done. */
  private void place(
      int i, OutboxMessage message, Map<String, List<Placed<E>>> byDestination, Sent[] answers) {
    String destination;
    try {
      destination = destination(message.message().topic());
    } catch (Throwable e) { // messages of other topics can be sent
      answers[i] = Sent.failed(e);
      return;
    }
    try {
      Placed<E> placed = new Placed<>(i, maker.entry(message, destination, "" + i));
      byDestination.computeIfAbsent(destination, d -> new ArrayList<>()).add(placed);
    } catch (Throwable e) { // the other messages can be sent
      answers[i] = Sent.failed(e).at(destination);
    }
  }

  private String destination(String topic) {
    String destination = destinations.apply(topic);
    if (destination == null) {
      throw new IllegalArgumentException(
          "topic '" + topic + "' has no destination; let the sender's function give it one");
    }
    return destination;
  }

  /**
   * Batches within the limits; what is too large by itself goes alone, for the service to judge.
   */
  private List<List<Placed<E>>> split(List<Placed<E>> all) {
    List<List<Placed<E>>> batches = new ArrayList<>();
    List<Placed<E>> batch = new ArrayList<>();
    long bytes = 0;
    for (Placed<E> one : all) {
      bytes += one.sized().bytes();
      if (batch.size() == MOST_ENTRIES || (bytes > mostBytes && !batch.isEmpty())) {
        batches.add(batch);
        batch = new ArrayList<>();
        bytes = one.sized().bytes();
      }
      batch.add(one);
    }
    batches.add(batch);
    return batches;
  }

  /**
   * Sends batches until something stands in the way of all others, which are not tried then.
   *
   * @return what does; null if nothing does
   */
  private @Nullable Throwable sendAll(
      String destination, List<List<Placed<E>>> batches, Sent[] answers)
      throws InterruptedException {
    Throwable obstacle = null;
    for (List<Placed<E>> batch : batches) {
      if (Thread.currentThread().isInterrupted()) {
        throw Uninterrupted.told("interrupted before AWS was sent to", null);
      }
      if (obstacle == null) {
        obstacle = sendOne(destination, batch, answers);
      } else {
        answer(destination, batch, Sent.deferred(obstacle), answers);
      }
    }
    return obstacle;
  }

  private @Nullable Throwable sendOne(String destination, List<Placed<E>> batch, Sent[] answers)
      throws InterruptedException {
    try {
      List<E> entries = batch.stream().map(one -> one.sized().entry()).toList();
      List<Sent> told = request.send(destination, entries);
      for (int i = 0; i < batch.size(); i++) {
        answers[batch.get(i).place()] = told.get(i).at(destination);
      }
      return null;
    } catch (AbortedException e) {
      throw e;
    } catch (Throwable e) { // other destinations, and perhaps other messages, can be sent to
      answer(destination, batch, Answers.failed(e), answers);
      if (Answers.isAway(e)) {
        return e;
      }
      return batch.size() == 1 ? null : singly(destination, batch, e, answers);
    }
  }

  /** Sends one by one what failed together, as one of them may be the reason. */
  private @Nullable Throwable singly(
      String destination, List<Placed<E>> batch, Throwable together, Sent[] answers)
      throws InterruptedException {
    List<List<Placed<E>>> alone = batch.stream().map(List::of).toList();
    Throwable obstacle = sendAll(destination, alone, answers);
    boolean isAnyTaken = batch.stream().anyMatch(one -> answers[one.place()] instanceof Sent.Taken);
    return obstacle != null || isAnyTaken ? obstacle : together;
  }

  private void answer(String destination, List<Placed<E>> batch, Sent.Failed sent, Sent[] answers) {
    batch.forEach(one -> answers[one.place()] = sent.at(destination));
  }
}
