package dev.tidemark.example.orderhistory.demo;

import dev.tidemark.example.orderhistory.OrderDeliveries;
import dev.tidemark.example.orderhistory.OrderEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** The topic of order events, keyed by order, and what groups have committed of it. */
final class Topic implements AutoCloseable {
  static final String NAME = "orders";
  private static final int PARTITIONS = 6;

  private final String bootstrapServers;
  private final Admin admin;

  Topic(String bootstrapServers) {
    this.bootstrapServers = bootstrapServers;
    admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    get(admin.createTopics(List.of(new NewTopic(NAME, PARTITIONS, (short) 1))).all());
  }

  /**
   * What a producer sends that does not trust its acknowledgements: every event in turn, and one in
   * five once more, at once or up to 200 records later.
   */
  static List<OrderEvent> withRepeats(List<OrderEvent> events, long seed) {
    Random random = new Random(seed);
    List<List<OrderEvent>> later = new ArrayList<>();
    for (int i = 0; i < events.size() + 200; i++) {
      later.add(new ArrayList<>());
    }
    List<OrderEvent> sent = new ArrayList<>();
    for (int i = 0; i < events.size(); i++) {
      sent.add(events.get(i));
      sent.addAll(later.get(i));
      if (random.nextInt(5) == 0) {
        later.get(i + 1 + (random.nextBoolean() ? 0 : random.nextInt(199))).add(events.get(i));
      }
    }
    later.subList(events.size(), later.size()).forEach(sent::addAll);
    return sent;
  }

  /** Sends events, each order's own in their order. */
  void send(List<OrderEvent> events) {
    Map<String, Object> settings =
        Map.of("bootstrap.servers", bootstrapServers, "acks", "all", "linger.ms", 5);
    List<Future<?>> sent = new ArrayList<>();
    try (KafkaProducer<String, byte[]> producer =
        new KafkaProducer<>(settings, new StringSerializer(), new ByteArraySerializer())) {
      for (OrderEvent event : events) {
        byte[] json = OrderDeliveries.encode(event);
        sent.add(producer.send(new ProducerRecord<>(NAME, event.orderId(), json)));
      }
    }
    sent.forEach(Topic::get);
  }

  /** The records that a group has not committed yet. */
  long lag(String group) {
    Map<TopicPartition, OffsetAndMetadata> committed = committed(group);
    return get(admin.listOffsets(everywhere(OffsetSpec.latest())).all()).entrySet().stream()
        .mapToLong(end -> end.getValue().offset() - offset(committed, end.getKey()))
        .sum();
  }

  /** Sets what a group without members has committed back to half of it. */
  void setBackByHalf(String group) {
    Map<TopicPartition, OffsetAndMetadata> committed = committed(group);
    Map<TopicPartition, OffsetAndMetadata> earlier =
        committed.keySet().stream()
            .collect(
                Collectors.toMap(p -> p, p -> new OffsetAndMetadata(offset(committed, p) / 2)));
    get(admin.alterConsumerGroupOffsets(group, earlier).all());
  }

  private Map<TopicPartition, OffsetAndMetadata> committed(String group) {
    return get(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
  }

  private static long offset(
      Map<TopicPartition, OffsetAndMetadata> committed, TopicPartition partition) {
    OffsetAndMetadata offset = committed.get(partition);
    return offset == null ? 0 : offset.offset();
  }

  private static Map<TopicPartition, OffsetSpec> everywhere(OffsetSpec spec) {
    return IntStream.range(0, PARTITIONS)
        .boxed()
        .collect(Collectors.toMap(p -> new TopicPartition(NAME, p), p -> spec));
  }

  private static <R> R get(Future<R> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  String bootstrapServers() {
    return bootstrapServers;
  }

  @Override
  public void close() {
    admin.close();
  }
}
