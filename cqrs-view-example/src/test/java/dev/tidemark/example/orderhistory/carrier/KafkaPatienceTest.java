package dev.tidemark.example.orderhistory.carrier;

import static dev.tidemark.Change.change;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Operation;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Tracking;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.EmbeddedKafka;
import dev.tidemark.kafka.KafkaSender;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.RelayPass;
import dev.tidemark.tck.MemoryOutboxRecords;
import dev.tidemark.tck.ReferenceMapper;
import dev.tidemark.tck.ReferenceStore;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A relay to a Kafka broker")
final class KafkaPatienceTest {
  private static final long BLOCK_MILLIS = 100;

  private final String name = UUID.randomUUID().toString();
  private final String there = "there-" + name;
  private final String missing = "missing-" + name;
  private final ReferenceStore<Row> store =
      ReferenceStore.of(new Mapper(), Tracking.defaults(), Clock.systemUTC());
  private final MemoryOutboxRecords records = MemoryOutboxRecords.of(store);
  private final List<RelayPass> passes = new ArrayList<>();
  private int asked;

  /** A row of which only the messages matter. */
  private record Row(String id) {}

  private static final class Mapper implements ReferenceMapper<Row> {
    @Override
    public Map<String, Object> attributes(Row row) {
      return Map.of();
    }

    @Override
    public Row entity(EntityKey key, Map<String, Object> attributes) {
      return new Row((String) key.parts().get(0));
    }

    @Override
    public EntityKey key(Row row) {
      return EntityKey.key(row.id());
    }

    @Override
    public void check(Operation operation) {}
  }

  /** Counts how often it is asked for the topic that is missing. */
  private KafkaProducer<String, byte[]> producer(String servers) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", servers);
    settings.put("max.block.ms", BLOCK_MILLIS);
    settings.put("request.timeout.ms", 400);
    settings.put("linger.ms", 0);
    settings.put("delivery.timeout.ms", 500);
    return new KafkaProducer<>(
        KafkaSender.requireSafe(settings), new StringSerializer(), new ByteArraySerializer()) {
      @Override
      public Future<RecordMetadata> send(ProducerRecord<String, byte[]> record) {
        asked += record.topic().equals(missing) ? 1 : 0;
        return super.send(record);
      }
    };
  }

  private Relay relay(KafkaProducer<String, byte[]> producer, int parkAfter) {
    Duration pause = Duration.ofMillis(1);
    return Relay.builder(records, KafkaSender.of(producer))
        .retryAfter(pause, pause)
        .parkAfter(parkAfter)
        .listener(passes::add)
        .build();
  }

  private static void create(String servers, String topic) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      var unused = admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
    }
  }

  /** Publishes a message to each of some topics, in this order; its ID begins with the entity. */
  private void publish(String entity, String... topics) {
    Change change = change().createIfMissing();
    for (int i = 0; i < topics.length; i++) {
      String id = entity + i;
      change = change.publish(OutgoingMessage.to(topics[i], id).id(id).key(entity));
    }
    assertTrue(
        store.update(MessageId.of(UUID.randomUUID()), EntityKey.key(entity), change).isApplied());
  }

  private List<OutboxRecord> waiting() {
    return IntStream.range(0, records.shards())
        .boxed()
        .flatMap(shard -> records.due(shard, Long.MAX_VALUE, 1_000).stream())
        .toList();
  }

  private long parked() {
    return passes.stream().mapToInt(RelayPass::parked).sum();
  }

  private static List<String> received(String servers, String topic) {
    TopicPartition only = new TopicPartition(topic, 0);
    List<String> all = new ArrayList<>();
    try (var consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", servers),
            new StringDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(only));
      consumer.seekToBeginning(List.of(only));
      long end = consumer.endOffsets(List.of(only)).getOrDefault(only, 0L);
      while (consumer.position(only) < end) {
        consumer
            .poll(Duration.ofMillis(100))
            .forEach(one -> all.add(new String(one.value(), UTF_8)));
      }
    }
    return all;
  }

  @Test
  @DisplayName("has patience with a topic that is made later, and sends to others meanwhile")
  void madeLater() throws Exception {
    String servers = KafkaFixture.bootstrapServers();
    create(servers, there);
    publish("a", missing, there);
    List.of("b", "c", "d", "e").forEach(entity -> publish(entity, missing));
    publish("first", there);
    try (KafkaProducer<String, byte[]> producer = producer(servers)) {
      Relay relay = relay(producer, 20);
      Await.until("the topic is known", () -> waiting().size() == 5 || relay.sweep().sent() == 1);
      passes.clear();
      asked = 0;
      long begin = System.nanoTime();
      for (int pass = 0; pass < 40; pass++) {
        publish("healthy" + pass, there);
        assertEquals(1, relay.sweep().sent());
      }
      long millis = Duration.ofNanos(System.nanoTime() - begin).toMillis();
      assertTrue(asked <= 1 + millis / (10 * BLOCK_MILLIS), () -> asked + " times in " + millis);
      Throwable error =
          passes.stream().map(RelayPass::error).filter(e -> e != null).findFirst().orElseThrow();
      assertInstanceOf(TimeoutException.class, error);
      assertInstanceOf(UnknownTopicOrPartitionException.class, error.getCause());
      assertEquals(0, parked());
      assertEquals(5, waiting().size());
      assertTrue(waiting().get(0).tries() > 20, "more than one that is to blame has");
      create(servers, missing);
      Await.until("all is sent", () -> relay.sweep().pending() == 0 && waiting().isEmpty());
    }
    assertEquals(0, parked());
    List<String> made = received(servers, missing);
    assertEquals(List.of("a0", "b0", "c0", "d0", "e0"), made.stream().sorted().toList());
    List<String> sent = received(servers, there);
    assertEquals("a1", sent.get(sent.size() - 1), "behind a0");
    assertEquals(42, sent.size());
  }

  @Test
  @DisplayName("parks in the end what goes to a topic that nobody makes, and tells of it")
  void neverMade() throws Exception {
    String servers = KafkaFixture.bootstrapServers();
    create(servers, there);
    publish("a", missing, there);
    try (KafkaProducer<String, byte[]> producer = producer(servers)) {
      Relay relay = relay(producer, 2);
      Await.until("it is parked", () -> relay.sweep().parked() == 1);
      Await.until("the next one goes", () -> relay.sweep().pending() == 0);
    }
    assertTrue(passes.stream().mapToInt(RelayPass::failed).sum() >= 20);
    assertEquals(List.of("a1"), received(servers, there));
    assertEquals(1, parked());
  }

  @Test
  @DisplayName("counts nothing against messages while the broker is away, and then sends them all")
  void away(@TempDir Path folder) throws Exception {
    try (EmbeddedKafka kafka = new EmbeddedKafka(folder)) {
      String servers = kafka.bootstrapServers();
      create(servers, there);
      try (KafkaProducer<String, byte[]> producer = producer(servers)) {
        Relay relay = relay(producer, 1);
        publish("before", there);
        Await.until("it is sent", () -> relay.sweep().sent() == 1);
        kafka.stop();
        publish("a", there, there);
        publish("b", there);
        for (int failed = 0; failed < 10; ) {
          RelayPass told = relay.sweep();
          assertEquals(0, told.sent());
          failed += told.failed();
        }
        assertTrue(waiting().stream().allMatch(record -> record.tries() == 0));
        kafka.start();
        Await.until("all is sent", () -> relay.sweep().pending() == 0 && waiting().isEmpty());
      }
      List<String> received = received(servers, there);
      assertTrue(received.containsAll(List.of("before0", "a0", "a1", "b0")), received::toString);
      assertTrue(received.indexOf("a0") < received.indexOf("a1"));
    }
    assertEquals(0, parked());
  }
}
