package dev.tidemark.example.orderhistory.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Does what Lambda does between topics of Kafka and a function: polls, invokes with the records of
 * all partitions that came, and commits on success. After an invocation error it invokes with the
 * same records again; where the answer names records, each of their partitions goes on from there.
 */
public final class KafkaMapping implements AutoCloseable {
  private static final Duration WINDOW = Duration.ofMillis(100);

  private final Consumer<byte[], byte[]> consumer;
  private final UnaryOperator<String> function;
  private final AtomicInteger errors = new AtomicInteger();
  private final AtomicInteger partial = new AtomicInteger();
  private final Loop loop;

  /** Starts polling with a consumer that commits nothing by itself; closes it at the end. */
  public KafkaMapping(
      Consumer<byte[], byte[]> consumer, List<String> topics, UnaryOperator<String> function) {
    this.consumer = consumer;
    this.function = function;
    consumer.subscribe(topics);
    this.loop = new Loop("kafka-mapping", this::poll);
  }

  /** How often the function threw. */
  public int errors() {
    return errors.get();
  }

  /** How often it named records that were not done. */
  public int partial() {
    return partial.get();
  }

  private void poll() {
    ConsumerRecords<byte[], byte[]> polled = consumer.poll(WINDOW);
    if (polled.isEmpty()) {
      return;
    }
    Map<TopicPartition, Long> next = invoke(polled);
    Map<TopicPartition, OffsetAndMetadata> commits = new HashMap<>();
    next.forEach(
        (partition, offset) -> {
          consumer.seek(partition, offset);
          commits.put(partition, new OffsetAndMetadata(offset));
        });
    consumer.commitSync(commits);
  }

  /** Where each partition goes on. */
  private Map<TopicPartition, Long> invoke(ConsumerRecords<byte[], byte[]> polled) {
    Map<TopicPartition, Long> next = new HashMap<>();
    try {
      List<JsonNode> failed = BatchAnswer.failures(function.apply(event(polled)));
      polled.nextOffsets().forEach((partition, offset) -> next.put(partition, offset.offset()));
      for (JsonNode failure : failed) {
        TopicPartition partition = partition(polled, failure.path("partition").asText());
        next.merge(partition, failure.path("offset").asLong(), Math::min);
      }
      if (!failed.isEmpty()) {
        partial.incrementAndGet();
      }
    } catch (RuntimeException e) {
      errors.incrementAndGet();
      for (TopicPartition partition : polled.partitions()) {
        next.put(partition, polled.records(partition).get(0).offset());
      }
    }
    return next;
  }

  private static TopicPartition partition(ConsumerRecords<byte[], byte[]> polled, String name) {
    return polled.partitions().stream()
        .filter(partition -> partition.toString().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("an unknown partition fails the batch"));
  }

  private static String event(ConsumerRecords<byte[], byte[]> polled) {
    ObjectNode event = BatchAnswer.JSON.createObjectNode();
    event.put("eventSource", "SelfManagedKafka").put("bootstrapServers", "127.0.0.1");
    ObjectNode records = event.putObject("records");
    for (TopicPartition partition : polled.partitions()) {
      for (ConsumerRecord<byte[], byte[]> record : polled.records(partition)) {
        ObjectNode json = records.withArray(partition.toString()).addObject();
        json.put("topic", record.topic())
            .put("partition", record.partition())
            .put("offset", record.offset())
            .put("timestamp", record.timestamp())
            .put("timestampType", record.timestampType().name)
            .put("key", record.key())
            .put("value", record.value());
        json.putArray("headers");
      }
    }
    return event.toString();
  }

  @Override
  public void close() {
    loop.close();
    consumer.close();
  }
}
