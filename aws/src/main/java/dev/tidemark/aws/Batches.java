package dev.tidemark.aws;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.Sent;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.AbortedException;

/**
 * Puts messages into requests of one destination each, and tells of every message what came of it.
 *
 * @param <E> an entry of the service's request
 */
final class Batches<E> {
  private static final int MOST_ENTRIES = 10;

  /** Statuses of requests that are refused for what is in them: bad, or too large. */
  private static final Set<Integer> OF_CONTENT = Set.of(400, 413);

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

  /**
   * The answers of a service that tells them by the entries' IDs.
   *
   * @param failed code of the error by ID
   */
  static List<Sent> answers(
      String service, List<String> ids, List<String> successful, Map<String, String> failed) {
    List<Sent> answers = new ArrayList<>(ids.size());
    for (String id : ids) {
      boolean isTaken = successful.contains(id) && !failed.containsKey(id);
      answers.add(isTaken ? Sent.taken() : notTaken(service, failed.get(id)));
    }
    return answers;
  }

  static Sent notTaken(String service, @Nullable String code) {
    return Sent.failed(
        new IllegalStateException(
            code == null
                ? service + " has not said whether it has taken the message"
                : service + " has not taken the message: " + code));
  }

  List<Sent> send(List<OutboxMessage> messages) throws InterruptedException {
    Sent[] answers = new Sent[messages.size()];
    Map<String, List<Placed<E>>> byDestination = new LinkedHashMap<>();
    for (int i = 0; i < answers.length; i++) {
      OutboxMessage message = messages.get(i);
      try {
        String destination = destination(message.message().topic());
        Placed<E> placed = new Placed<>(i, maker.entry(message, destination, "" + i));
        byDestination.computeIfAbsent(destination, d -> new ArrayList<>()).add(placed);
      } catch (RuntimeException e) {
        answers[i] = Sent.failed(e);
      }
    }
    try {
      for (Map.Entry<String, List<Placed<E>>> one : byDestination.entrySet()) {
        sendAll(one.getKey(), split(one.getValue()), answers);
      }
    } catch (AbortedException e) { // how the SDK tells an interrupt
      var unused = Thread.interrupted(); // as for any InterruptedException
      throw (InterruptedException)
          new InterruptedException("interrupted while AWS was sent to").initCause(e);
    }
    return List.of(answers);
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
   * Sends batches until something stands in the way of all others.
   *
   * @return what does; null if nothing does
   */
  private @Nullable Exception sendAll(
      String destination, List<List<Placed<E>>> batches, Sent[] answers)
      throws InterruptedException {
    Exception obstacle = null;
    for (List<Placed<E>> batch : batches) {
      if (Thread.interrupted()) {
        throw new InterruptedException("interrupted before AWS was sent to");
      }
      if (obstacle == null) {
        obstacle = sendOne(destination, batch, answers);
      } else {
        fail(batch, obstacle, answers);
      }
    }
    return obstacle;
  }

  private @Nullable Exception sendOne(String destination, List<Placed<E>> batch, Sent[] answers)
      throws InterruptedException {
    try {
      List<E> entries = batch.stream().map(one -> one.sized().entry()).toList();
      List<Sent> told = request.send(destination, entries);
      for (int i = 0; i < batch.size(); i++) {
        answers[batch.get(i).place()] = told.get(i);
      }
      return null;
    } catch (AbortedException e) {
      throw e;
    } catch (RuntimeException e) {
      fail(batch, e, answers);
      if (!isOfContent(e)) {
        return e;
      }
      return batch.size() == 1 ? null : singly(destination, batch, e, answers);
    }
  }

  /** Sends one by one what was refused together, as one of them may be the reason. */
  private @Nullable Exception singly(
      String destination, List<Placed<E>> batch, Exception together, Sent[] answers)
      throws InterruptedException {
    List<List<Placed<E>>> alone = batch.stream().map(List::of).toList();
    Exception obstacle = sendAll(destination, alone, answers);
    boolean isAnyTaken = batch.stream().anyMatch(one -> answers[one.place()] instanceof Sent.Taken);
    return obstacle != null || isAnyTaken ? obstacle : together;
  }

  private void fail(List<Placed<E>> batch, Exception error, Sent[] answers) {
    batch.forEach(one -> answers[one.place()] = Sent.failed(error));
  }

  private static boolean isOfContent(RuntimeException error) {
    return error instanceof AwsServiceException refused
        && OF_CONTENT.contains(refused.statusCode())
        && !refused.isThrottlingException();
  }
}
