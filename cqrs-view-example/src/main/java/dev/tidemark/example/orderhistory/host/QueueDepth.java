package dev.tidemark.example.orderhistory.host;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.QueueAttributeName;

/**
 * Gauges of a queue: how many messages wait, and how many are in hand, as SQS estimates them. Asked
 * for at most every 15 seconds, and only when someone reads the meters. For any number of threads.
 */
final class QueueDepth implements AutoCloseable {
  private static final Duration KEPT = Duration.ofSeconds(15);
  private static final Duration CALL_TIMEOUT = Duration.ofSeconds(2);

  private final SqsClient sqs;
  private final String url;
  private final MeterRegistry registry;
  private final Clock clock;
  private final List<Gauge> gauges;
  private Map<QueueAttributeName, String> last = Map.of();
  private Instant until = Instant.MIN;

  private QueueDepth(SqsClient sqs, String url, MeterRegistry registry, Clock clock) {
    this.sqs = sqs;
    this.url = url;
    this.registry = registry;
    this.clock = clock;
    this.gauges =
        Stream.of(
                gauge("visible", QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES),
                gauge("inflight", QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE))
            .map(gauge -> gauge.register(registry))
            .toList();
  }

  static QueueDepth of(SqsClient sqs, String url, MeterRegistry registry, Clock clock) {
    return new QueueDepth(sqs, url, registry, clock);
  }

  private Gauge.Builder<QueueDepth> gauge(String state, QueueAttributeName attribute) {
    return Gauge.builder("orderhistory.queue.messages", this, depth -> depth.value(attribute))
        .description("Messages of the queue, as SQS estimates them")
        .tag("queue", url.substring(url.lastIndexOf('/') + 1))
        .tag("state", state);
  }

  private synchronized double value(QueueAttributeName attribute) {
    Instant now = clock.instant();
    if (!now.isBefore(until)) {
      last = ask();
      until = now.plus(KEPT);
    }
    String value = last.get(attribute);
    return value == null ? Double.NaN : Double.parseDouble(value);
  }

  private Map<QueueAttributeName, String> ask() {
    try {
      return sqs.getQueueAttributes(
              get ->
                  get.queueUrl(url)
                      .attributeNames(
                          QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES,
                          QueueAttributeName.APPROXIMATE_NUMBER_OF_MESSAGES_NOT_VISIBLE)
                      .overrideConfiguration(call -> call.apiCallTimeout(CALL_TIMEOUT)))
          .attributes();
    } catch (SdkException e) {
      return Map.of(); // not a number: the meters of the carrier tell why
    }
  }

  @Override
  public void close() {
    gauges.forEach(registry::remove);
  }
}
