package dev.tidemark.example.orderhistory.relay;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.tidemark.example.orderhistory.local.EmbeddedKafka;
import dev.tidemark.kafka.KafkaSender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/** A topic of one partition that nobody else uses, and what has arrived in it. For one thread. */
final class StatusTopic implements AutoCloseable {
  private final String name = "status-" + UUID.randomUUID();
  private final List<ConsumerRecord<String, byte[]>> arrived = new ArrayList<>();
  private final KafkaConsumer<String, byte[]> consumer;

  StatusTopic() {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", EmbeddedKafka.shared().bootstrapServers());
    try (Admin admin = Admin.create(settings)) {
      var unused = admin.createTopics(List.of(new NewTopic(name, 1, (short) 1))).all().get();
    } catch (InterruptedException | ExecutionException e) {
      throw new AssertionError(e);
    }
    consumer = new KafkaConsumer<>(settings, new StringDeserializer(), new ByteArrayDeserializer());
    TopicPartition only = new TopicPartition(name, 0);
    consumer.assign(List.of(only));
    consumer.seekToBeginning(List.of(only));
  }

  String name() {
    return name;
  }

  /** Everything that has arrived so far, twins too. */
  List<ConsumerRecord<String, byte[]>> arrived() {
    consumer.poll(Duration.ofMillis(100)).forEach(arrived::add);
    return arrived;
  }

  static String id(ConsumerRecord<String, byte[]> record) {
    return new String(record.headers().lastHeader(KafkaSender.ID).value(), UTF_8);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
