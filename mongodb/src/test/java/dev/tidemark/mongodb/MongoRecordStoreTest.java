package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.tidemark.ContentionException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.MessageId;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import dev.tidemark.execution.Flow;
import dev.tidemark.execution.Work;
import dev.tidemark.store.RecordStore;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Plain records on MongoDB")
final class MongoRecordStoreTest {
  private final MongoClient client = MongoClients.create(MongoServers.uri());
  private final String key = UUID.randomUUID().toString();
  private final AtomicInteger acted = new AtomicInteger();
  private final Executions orders =
      Executions.of(
          "orders", MongoRecordStore.of(client.getDatabase("tests").getCollection("executions")));

  @AfterEach
  void close() {
    Thread.interrupted();
    failReads("'off'");
    client.close();
  }

  private Execution<Integer> run() {
    return orders.run(key, null, Integer.class, steps -> acted.incrementAndGet());
  }

  record Order(ObjectId id, Map<ObjectId, String> lines) {}

  @Test
  @DisplayName("have an ObjectId as it was, in results, steps and requests, by any mapper")
  void objectIds() {
    RecordStore records =
        MongoRecordStore.of(client.getDatabase("tests").getCollection("executions"));
    for (Executions ids :
        List.of(orders, Executions.builder("ids", records).mapper(new ObjectMapper()).build())) {
      ObjectId id = new ObjectId();
      Order order = new Order(id, Map.of(id, "line"));
      String key = UUID.randomUUID().toString();
      Work<Order, RuntimeException> work =
          steps -> new Order(steps.step("insert", ObjectId.class, any -> id), order.lines());
      assertEquals(new Execution.Executed<>(order), ids.run(key, order, Order.class, work));
      assertEquals(new Execution.Replayed<>(order), ids.run(key, order, Order.class, work));
      assertEquals(
          new Execution.KeyReused<>(),
          ids.run(key, new Order(new ObjectId(), order.lines()), Order.class, work));
      Flow<Order, Order> flow = ids.flow("f", Order.class, Order.class, (request, s) -> request);
      assertEquals(new Execution.Executed<>(order), flow.run(key + "f", order));
    }
  }

  @Test
  @DisplayName("are unknown where the thread is interrupted at a claim, which then does not act")
  void interruptedClaim() {
    Thread.currentThread().interrupt();
    assertThrows(OutcomeUnknownException.class, this::run);
    assertTrue(Thread.interrupted());
    assertEquals(0, acted.get());
  }

  @ParameterizedTest(name = "{0}.")
  @ValueSource(
      strings = {"{points: [null]}", "{points: [{done: true}]}", "{points: 7}", "{points: [7]}"})
  @DisplayName("are corrupt where steps are not what they were stored as, such as")
  void hostileSteps(String hostile) {
    var records = client.getDatabase("tests").getCollection("executions");
    Document stored =
        new Document("_id", MessageId.of("orders", key).value()).append("state", "RUNNING");
    stored.putAll(Document.parse(hostile));
    assertTrue(records.insertOne(stored).wasAcknowledged());
    assertThrows(CorruptRecordException.class, this::run);
    assertTrue(orders.forget(key));
    assertEquals(Optional.empty(), MongoRecordStore.of(records).read(stored.getString("_id")));
    assertEquals(0, acted.get());
  }

  @Test
  @DisplayName("are read again where the server is overloaded, and contended where that lasts")
  void overloaded() {
    MongoRecordStore records =
        MongoRecordStore.of(client.getDatabase("tests").getCollection("executions"));
    failReads("{times: 3}");
    assertEquals(Optional.empty(), records.read(key));
    Executions waiting =
        Executions.builder("orders", records).waitingUpTo(Duration.ofMinutes(1)).build();
    orders.run(
        key,
        null,
        Integer.class,
        steps -> {
          failReads("'alwaysOn'");
          assertThrows(
              ContentionException.class,
              () -> waiting.run(key, null, Integer.class, any -> acted.incrementAndGet()));
          failReads("'off'");
          return 1;
        });
    assertEquals(0, acted.get());
  }

  @Test
  @DisplayName("are claimed though the read fails that tells who else has taken the key")
  void taken() {
    try (Proxied server = Proxied.open()) {
      Executions behind =
          Executions.of(
              "orders",
              MongoRecordStore.of(
                  server.client().getDatabase("tests").getCollection("executions")));
      server.proxy().refuse(1, 11000);
      failReads("{times: 1}");
      assertEquals(
          new Execution.Executed<>(1),
          behind.run(key, null, Integer.class, steps -> acted.incrementAndGet()));
    }
  }

  /** Lets the server say of reads that there are too many requests. */
  private void failReads(String mode) {
    String point =
        "{configureFailPoint: 'failCommand', mode: %s, data: {failCommands: ['find'],"
            + " errorCode: 16500}}";
    client.getDatabase("admin").runCommand(Document.parse(point.formatted(mode)));
  }

  @Test
  @DisplayName("take the result of a thread that is interrupted, and leave it interrupted")
  void interruptedCompletion() {
    Execution<Integer> first =
        orders.run(
            key,
            null,
            Integer.class,
            steps -> {
              int value = acted.incrementAndGet();
              Thread.currentThread().interrupt();
              return value;
            });
    assertTrue(Thread.interrupted());
    assertEquals(new Execution.Executed<>(1), first);
    assertEquals(new Execution.Replayed<>(1), run());
    assertEquals(1, acted.get());
  }
}
