package dev.tidemark.example.orderhistory.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.model.Message;
import software.amazon.awssdk.services.sqs.model.MessageAttributeValue;

/**
 * Does what Lambda does between an SQS queue and a function: polls, waits for a batch, invokes, and
 * deletes what the answer does not name as failed. What failed, or all after an invocation error,
 * is left alone and comes again after the queue's visibility timeout. That a FIFO group has one
 * batch in flight is the queue's own doing.
 */
public final class EventSourceMapping implements AutoCloseable {
  /**
   * How a mapping is configured.
   *
   * @param batchSize at most so many messages at once
   * @param batchWindow how long it waits for more
   * @param maximumConcurrency at most so many invocations at once
   */
  public record Settings(int batchSize, Duration batchWindow, int maximumConcurrency) {}

  private final LocalQueue queue;
  private final UnaryOperator<String> function;
  private final Settings settings;
  private final AtomicInteger invocations = new AtomicInteger();
  private final AtomicInteger errors = new AtomicInteger();
  private final List<Loop> pollers;

  /** Starts polling. */
  public EventSourceMapping(LocalQueue queue, UnaryOperator<String> function, Settings settings) {
    this.queue = queue;
    this.function = function;
    this.settings = settings;
    this.pollers =
        IntStream.range(0, settings.maximumConcurrency())
            .mapToObj(i -> new Loop("sqs-mapping-" + i, this::poll))
            .toList();
  }

  /** How often the function was called. */
  public int invocations() {
    return invocations.get();
  }

  /** How often it threw, or the queue did. */
  public int errors() {
    return errors.get();
  }

  private void poll() {
    try {
      pollOnce();
    } catch (SdkException e) { // the queue is away: the next poll may find it
      errors.incrementAndGet();
    }
  }

  private void pollOnce() {
    List<Message> batch = new ArrayList<>(queue.receive(1, settings.batchSize()));
    long end = System.nanoTime() + settings.batchWindow().toNanos();
    while (!batch.isEmpty() && batch.size() < settings.batchSize() && System.nanoTime() < end) {
      batch.addAll(queue.receive(1, settings.batchSize() - batch.size()));
    }
    if (!batch.isEmpty()) {
      invoke(batch);
    }
  }

  private void invoke(List<Message> batch) {
    invocations.incrementAndGet();
    Set<String> failed = new HashSet<>();
    try {
      for (JsonNode id : BatchAnswer.failures(function.apply(event(batch)))) {
        failed.add(id.asText());
      }
      check(batch, failed);
    } catch (RuntimeException e) {
      errors.incrementAndGet();
      return;
    }
    batch.stream().filter(message -> !failed.contains(message.messageId())).forEach(this::delete);
  }

  /**
   * What cannot be deleted comes again, or has come to another poller already: on a slow machine a
   * receipt expires before it is used, which is no error of the function.
   */
  private void delete(Message message) {
    try {
      queue.delete(message);
    } catch (SdkException e) { // it comes again
    }
  }

  private static void check(List<Message> batch, Set<String> failed) {
    if (!batch.stream().map(Message::messageId).toList().containsAll(failed)) {
      throw new IllegalStateException("an unknown identifier fails the whole batch");
    }
  }

  private String event(List<Message> batch) {
    ObjectNode event = BatchAnswer.JSON.createObjectNode();
    batch.forEach(message -> record(event.withArray("Records").addObject(), message));
    return event.toString();
  }

  private void record(ObjectNode record, Message message) {
    record
        .put("messageId", message.messageId())
        .put("receiptHandle", message.receiptHandle())
        .put("body", message.body())
        .put("md5OfBody", message.md5OfBody())
        .put("eventSource", "aws:sqs")
        .put("eventSourceARN", queue.arn())
        .put("awsRegion", "eu-central-1");
    ObjectNode attributes = record.putObject("attributes");
    message.attributesAsStrings().forEach(attributes::put);
    ObjectNode own = record.putObject("messageAttributes");
    message.messageAttributes().forEach((name, value) -> attribute(own.putObject(name), value));
  }

  private static void attribute(ObjectNode json, MessageAttributeValue value) {
    json.put("dataType", value.dataType());
    json.putArray("stringListValues");
    json.putArray("binaryListValues");
    if (value.binaryValue() != null) {
      json.put("binaryValue", value.binaryValue().asByteArray());
    } else {
      json.put("stringValue", value.stringValue());
    }
  }

  /** Ends polling once the batches in hand are done with. */
  @Override
  public void close() {
    pollers.forEach(Loop::close);
  }
}
