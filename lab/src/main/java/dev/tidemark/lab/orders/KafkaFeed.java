package dev.tidemark.lab.orders;

import static dev.tidemark.example.orderhistory.local.EventTopics.await;

import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.EventTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownMemberIdException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;

/** Three topics of events, keyed by aggregate, and what a group has committed of them. */
final class KafkaFeed implements Feed {
  private static final int PARTITIONS = 3;

  private final String bootstrapServers;
  private final String name;
  private final Admin admin;

  /** Makes the topics, whose names begin with the run's, and its group's too. */
  KafkaFeed(String bootstrapServers, String name) {
    this.bootstrapServers = bootstrapServers;
    this.name = name;
    admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers));
    List<NewTopic> made = new ArrayList<>();
    topics().forEach(topic -> made.add(new NewTopic(topic, PARTITIONS, (short) 1)));
    made.add(new NewTopic(deadLetterTopic(), 1, (short) 1));
    await(admin.createTopics(made).all());
  }

  List<String> topics() {
    return Letter.TOPICS.stream().map(this::topic).toList();
  }

  private String topic(String of) {
    return name + "-" + of;
  }

  String bootstrapServers() {
    return bootstrapServers;
  }

  String deadLetterTopic() {
    return topic("dead-letters");
  }

  @Override
  public void send(List<Letter> letters) {
    List<Future<?>> sent = new ArrayList<>();
    try (KafkaProducer<String, byte[]> producer = producer(bootstrapServers)) {
      for (Letter letter : letters) {
        sent.add(
            producer.send(
                new ProducerRecord<>(topic(letter.topic()), letter.key(), letter.bytes())));
      }
    }
    sent.forEach(EventTopics::await);
  }

  static KafkaProducer<String, byte[]> producer(String bootstrapServers) {
    return new KafkaProducer<>(
        Map.of(
            "bootstrap.servers",
            bootstrapServers,
            "linger.ms",
            5,
            "max.in.flight.requests.per.connection",
            1), // a new topic may refuse the first batch and take the second
        new StringSerializer(),
        new ByteArraySerializer());
  }

  @Override
  public long left() {
    return left(name);
  }

  /** The records that a group has not committed yet. */
  long left(String group) {
    Map<TopicPartition, OffsetAndMetadata> committed = committed(group);
    Map<TopicPartition, OffsetSpec> latest =
        partitions().collect(Collectors.toMap(p -> p, p -> OffsetSpec.latest()));
    return await(admin.listOffsets(latest).all()).entrySet().stream()
        .mapToLong(end -> end.getValue().offset() - offset(committed, end.getKey()))
        .sum();
  }

  private Stream<TopicPartition> partitions() {
    return topics().stream()
        .flatMap(
            topic -> IntStream.range(0, PARTITIONS).mapToObj(p -> new TopicPartition(topic, p)));
  }

  @Override
  public void replay() {
    setBack(name, offset -> 0L);
  }

  /** Sets back what a group has committed, once the broker has seen its members leave. */
  void setBack(String group, UnaryOperator<Long> earlier) {
    Await.until("set back what " + group + " has committed", () -> isSetBack(group, earlier));
  }

  /** False while the group has members, also those who are about to join or to be taken off. */
  private boolean isSetBack(String group, UnaryOperator<Long> earlier) {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    committed(group)
        .forEach((p, at) -> offsets.put(p, new OffsetAndMetadata(earlier.apply(at.offset()))));
    try {
      await(admin.alterConsumerGroupOffsets(group, offsets).all());
      return true;
    } catch (IllegalStateException e) {
      if (e.getCause() instanceof UnknownMemberIdException) {
        return false;
      }
      throw e;
    }
  }

  private Map<TopicPartition, OffsetAndMetadata> committed(String group) {
    return await(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata());
  }

  private static long offset(
      Map<TopicPartition, OffsetAndMetadata> committed, TopicPartition partition) {
    OffsetAndMetadata offset = committed.get(partition);
    return offset == null ? 0 : offset.offset();
  }

  @Override
  public List<String> deadLetters() {
    TopicPartition only = new TopicPartition(deadLetterTopic(), 0);
    List<String> bodies = new ArrayList<>();
    try (KafkaConsumer<String, byte[]> reader =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new StringDeserializer(),
            new ByteArrayDeserializer())) {
      reader.assign(List.of(only));
      reader.seekToBeginning(List.of(only));
      long end = reader.endOffsets(List.of(only)).getOrDefault(only, 0L);
      while (reader.position(only) < end) {
        for (ConsumerRecord<String, byte[]> letter : reader.poll(Duration.ofMillis(100))) {
          bodies.add(Letter.text(letter.value()));
        }
      }
    }
    return bodies;
  }

  @Override
  public Map<String, String> settings() {
    return Map.of(
        "bootstrap",
        bootstrapServers,
        "group",
        name,
        "topics",
        String.join(",", topics()),
        "deadLetters",
        deadLetterTopic());
  }

  @Override
  public void close() {
    admin.close();
  }
}
