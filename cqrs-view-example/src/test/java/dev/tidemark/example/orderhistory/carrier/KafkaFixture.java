package dev.tidemark.example.orderhistory.carrier;

import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.EmbeddedKafka;
import dev.tidemark.example.orderhistory.local.Listeners;
import dev.tidemark.example.orderhistory.rebuild.Rebuild;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;

/** Three topics of events with dead letters and a group, on one broker for all tests of a JVM. */
public final class KafkaFixture implements AutoCloseable {
  private static final AtomicInteger NEXT = new AtomicInteger();
  private static final int PARTITIONS = 3;

  private final String name = "k" + NEXT.incrementAndGet();
  private final Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrapServers()));
  private final KafkaProducer<String, byte[]> producer = new KafkaProducer<>(producerSettings());
  private final List<Listeners> members = new ArrayList<>();

  public KafkaFixture() {
    List<NewTopic> all = new ArrayList<>();
    topics().forEach(topic -> all.add(new NewTopic(topic, PARTITIONS, (short) 1)));
    all.add(new NewTopic(deadLetters(), 1, (short) 1));
    get(admin.createTopics(all).all());
  }

  /** What a producer needs that loses nothing and sends nothing twice. */
  public static Map<String, Object> producerSettings() {
    return new HashMap<>(
        Map.of(
            "bootstrap.servers", bootstrapServers(),
            "acks", "all",
            "enable.idempotence", true,
            "key.serializer", StringSerializer.class.getName(),
            "value.serializer", ByteArraySerializer.class.getName()));
  }

  public static String bootstrapServers() {
    return EmbeddedKafka.shared().bootstrapServers();
  }

  public List<String> topics() {
    return List.of(topic("Order"), topic("Ticket"), topic("Delivery"));
  }

  String topic(String aggregateType) {
    return name + "-" + aggregateType.toLowerCase(Locale.ROOT);
  }

  String deadLetters() {
    return name + "-dead-letters";
  }

  /** Sends events as their producers would: each aggregate type's to its topic, keyed by order. */
  public void send(List<? extends Event> events) {
    for (Event event : events) {
      send(topic(event.aggregateType()), null, event.orderId(), EventJson.encode(event));
    }
  }

  /** Sends poison. */
  public void sendGarbage() {
    send(topic("Order"), 1, "garbage", new byte[] {'x'});
  }

  void send(String topic, @Nullable Integer partition, String key, byte @Nullable [] value) {
    var unused = get(producer.send(new ProducerRecord<>(topic, partition, key, value)));
  }

  KafkaConsumer<String, byte[]> consumer() {
    Map<String, Object> settings = new HashMap<>(Rebuild.settings(bootstrapServers()));
    settings.put("group.id", name);
    settings.put("heartbeat.interval.ms", 200);
    settings.put("partition.assignment.strategy", CooperativeStickyAssignor.class.getName());
    return new KafkaConsumer<>(settings);
  }

  /** Starts another member of the group. */
  public Listeners start(Function<List<Delivery>, BatchOutcome<?>> handler) {
    Listeners member =
        Listeners.open(
            handler,
            Map.of(
                "CARRIER",
                "kafka",
                "KAFKA_BOOTSTRAP_SERVERS",
                bootstrapServers(),
                "KAFKA_GROUP",
                name,
                "KAFKA_TOPICS",
                String.join(",", topics()),
                "KAFKA_DEAD_LETTER_TOPIC",
                deadLetters(),
                "spring.kafka.consumer.heartbeat-interval",
                "200ms"));
    members.add(member);
    return member.start();
  }

  /** What the group has committed. */
  Map<TopicPartition, Long> committed() {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    Map<TopicPartition, OffsetAndMetadata> found =
        get(admin.listConsumerGroupOffsets(name).partitionsToOffsetAndMetadata());
    found.forEach((partition, offset) -> offsets.put(partition, offset.offset()));
    return offsets;
  }

  /** Where the topics of events end now. */
  Map<TopicPartition, Long> ends() {
    try (KafkaConsumer<String, byte[]> consumer = consumer()) {
      return consumer.endOffsets(
          topics().stream()
              .flatMap(
                  topic ->
                      IntStream.range(0, PARTITIONS).mapToObj(p -> new TopicPartition(topic, p)))
              .toList());
    }
  }

  /** Returns once everything that was sent is committed. */
  public void awaitAllCommitted() {
    Map<TopicPartition, Long> ends = ends();
    Await.until(
        "everything is committed",
        () -> {
          Map<TopicPartition, Long> committed = committed();
          return ends.entrySet().stream()
              .allMatch(end -> committed.getOrDefault(end.getKey(), 0L) >= end.getValue());
        });
  }

  /** Returns once so many members share the partitions. */
  void awaitMembers(int count) {
    Await.until(
        count + " members have partitions",
        () -> {
          var group = get(admin.describeConsumerGroups(List.of(name)).all()).get(name);
          return group != null
              && group.members().size() == count
              && group.members().stream()
                  .noneMatch(member -> member.assignment().topicPartitions().isEmpty())
              && group.members().stream()
                      .mapToInt(member -> member.assignment().topicPartitions().size())
                      .sum()
                  == 3 * PARTITIONS;
        });
  }

  /** Makes a topic of one partition. */
  void create(String topic) {
    create(topic, Map.of());
  }

  /** Makes a topic of one partition with settings. */
  void create(String topic, Map<String, String> settings) {
    get(admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1).configs(settings))).all());
  }

  /** Lets a topic take records of so many bytes, from soon on. */
  void limit(String topic, int bytes) {
    AlterConfigOp set =
        new AlterConfigOp(
            new ConfigEntry(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, "" + bytes),
            AlterConfigOp.OpType.SET);
    get(
        admin
            .incrementalAlterConfigs(
                Map.of(new ConfigResource(ConfigResource.Type.TOPIC, topic), List.of(set)))
            .all());
  }

  /** How many records of a partition a consumer of committed records gets. */
  int readCommitted(String topic, int number) {
    return read(new TopicPartition(topic, number)).size();
  }

  /** What a consumer of committed records gets of a topic of one partition. */
  List<ConsumerRecord<String, byte[]>> committedRecords(String topic) {
    return read(new TopicPartition(topic, 0));
  }

  /** All dead letters. */
  List<ConsumerRecord<String, byte[]>> dead() {
    return read(new TopicPartition(deadLetters(), 0));
  }

  private List<ConsumerRecord<String, byte[]>> read(TopicPartition only) {
    List<ConsumerRecord<String, byte[]>> dead = new ArrayList<>();
    try (KafkaConsumer<String, byte[]> consumer = consumer()) {
      consumer.assign(List.of(only));
      consumer.seekToBeginning(List.of(only));
      long end = consumer.endOffsets(List.of(only)).getOrDefault(only, 0L);
      Await.until(
          "all dead letters are read",
          () -> {
            consumer.poll(Duration.ofMillis(100)).forEach(dead::add);
            return consumer.position(only) >= end;
          });
    }
    return dead;
  }

  private static <R> R get(Future<R> future) {
    try {
      return future.get(1, TimeUnit.MINUTES);
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    members.forEach(Listeners::close);
    producer.close();
    admin.close();
  }
}
