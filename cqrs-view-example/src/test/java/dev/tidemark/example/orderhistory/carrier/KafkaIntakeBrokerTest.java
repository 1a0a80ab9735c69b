package dev.tidemark.example.orderhistory.carrier;

import static java.util.concurrent.ConcurrentHashMap.newKeySet;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Orders;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.intake.DeadLetters.Reason;
import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.kafka.KafkaDeadLetters;
import dev.tidemark.kafka.KafkaIntake;
import dev.tidemark.kafka.KafkaIntakeLoop;
import dev.tidemark.kafka.KafkaProgress;
import dev.tidemark.kafka.KafkaRedrive;
import dev.tidemark.kafka.KafkaRedrive.Redriven;
import dev.tidemark.kafka.KafkaSender;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.ConsumerInterceptor;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerInterceptor;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("An intake of topics on a broker")
class KafkaIntakeBrokerTest {
  private final KafkaFixture kafka = new KafkaFixture();
  private final KafkaProducer<String, byte[]> letters =
      new KafkaProducer<>(safe(KafkaFixture.producerSettings()));
  private final List<Member> members = new ArrayList<>();
  private final Map<Message, AtomicInteger> counts = new ConcurrentHashMap<>();

  /** A loop that runs. */
  private record Member(KafkaIntakeLoop<String, byte[]> loop, CompletableFuture<Void> end) {
    void stop() {
      loop.stop();
      end.orTimeout(1, TimeUnit.MINUTES).join();
    }
  }

  /** A crash, seen from the loop: neither a result nor an exception. */
  private static final class Crash extends VirtualMachineError {
    private static final long serialVersionUID = 1L;
  }

  @AfterEach
  void close() {
    for (Member member : members) {
      member.loop().stop();
      Await.until("a member has ended", member.end()::isDone);
    }
    letters.close();
    kafka.close();
  }

  private static Map<String, Object> safe(Map<String, Object> settings) {
    settings.put("max.block.ms", 300);
    return KafkaSender.requireSafe(settings);
  }

  private IntakeBuilder<ConsumerRecord<String, byte[]>> builder(
      Function<List<Delivery>, BatchOutcome<?>> handler) {
    return KafkaIntake.<String, byte[]>builder(
        record -> EventJson.decode(record.value()).delivery(),
        deliveries -> {
          deliveries.forEach(
              each ->
                  counts
                      .computeIfAbsent(each.message(), m -> new AtomicInteger())
                      .incrementAndGet());
          return handler.apply(deliveries);
        });
  }

  private Member start(IntakeBuilder<ConsumerRecord<String, byte[]>> builder) {
    KafkaIntake<String, byte[]> intake =
        KafkaIntake.of(builder.build()).pauses(Duration.ofMillis(20), Duration.ofMillis(200));
    KafkaIntakeLoop<String, byte[]> loop =
        KafkaIntakeLoop.of(kafka.consumer(), kafka.topics(), intake);
    CompletableFuture<Void> end = new CompletableFuture<>();
    new Thread(
            () -> {
              try {
                loop.run();
                end.complete(null);
              } catch (Throwable e) {
                end.completeExceptionally(e);
              }
            })
        .start();
    Member member = new Member(loop, end);
    members.add(member);
    return member;
  }

  private Member start(Function<List<Delivery>, BatchOutcome<?>> handler) {
    return start(builder(handler).deadLetters(KafkaDeadLetters.of(letters, kafka.deadLetters())));
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("brings what two members share into a view, once each, as members come and go")
  void members(LocalStore store) {
    try (Generations generations = store.prepared()) {
      List<Event> events = Orders.delivered(0, 20);
      Function<List<Delivery>, BatchOutcome<?>> views = new Views(generations.current());
      start(views);
      kafka.send(events.subList(0, 50));
      kafka.awaitMembers(1);
      Member second = start(views);
      kafka.send(events.subList(50, 90));
      kafka.awaitMembers(2);
      kafka.send(events.subList(90, 120));
      second.stop();
      kafka.send(events.subList(120, events.size()));
      kafka.awaitAllCommitted();
      assertEquals(events.size(), counts.size());
      counts.forEach((message, count) -> assertEquals(1, count.get(), "redelivered: " + message));
      kafka.send(events); // a producer's own repeats
      kafka.awaitAllCommitted();
      Orders.assertDelivered(generations.current(), 0, 20);
      assertEquals(List.of(), kafka.dead());
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("gets again what a member had written and not committed when it crashed")
  void crash(LocalStore store) {
    try (Generations generations = store.prepared()) {
      Function<List<Delivery>, BatchOutcome<?>> views = new Views(generations.current());
      kafka.send(Orders.delivered(0, 5));
      Member first =
          start(
              deliveries -> {
                assertTrue(views.apply(deliveries).isDone());
                throw new Crash();
              });
      CompletionException end = assertThrows(CompletionException.class, first.end()::join);
      assertInstanceOf(Crash.class, end.getCause());
      assertEquals(Map.of(), kafka.committed());
      start(views);
      kafka.awaitAllCommitted();
      Orders.assertDelivered(generations.current(), 0, 5);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("goes on behind poison, and drains nothing while all fails, as after a bad deploy")
  void badDeploy(LocalStore store) {
    try (Generations generations = store.prepared()) {
      Function<List<Delivery>, BatchOutcome<?>> views = new Views(generations.current());
      AtomicBoolean isBad = new AtomicBoolean(true);
      AtomicInteger calls = new AtomicInteger();
      kafka.sendGarbage();
      List<Event> events = Orders.delivered(0, 5);
      kafka.send(events);
      kafka.sendGarbage();
      Member member =
          start(
              deliveries -> {
                calls.incrementAndGet();
                if (isBad.get()) {
                  throw new UncheckedIOException(new IOException("away"));
                }
                return views.apply(deliveries);
              });
      Await.until("many attempts", () -> calls.get() > 30);
      assertTrue(kafka.dead().size() <= 2, "drained");
      assertEquals(
          "UncheckedIOException, caused by IOException", member.loop().paused().get(0).reason());
      isBad.set(false);
      kafka.awaitAllCommitted();
      Orders.assertDelivered(generations.current(), 0, 5);
      assertEquals(2, kafka.dead().size());
      assertEquals(List.of(), member.loop().paused());
    }
  }

  @Test
  @DisplayName("holds back the partition of poison while its dead letters are away, and no other")
  void lettersAway() {
    try (Generations generations = LocalStore.DYNAMODB.prepared()) {
      String missing = kafka.deadLetters() + "-late";
      kafka.sendGarbage();
      kafka.send(Orders.delivered(0, 3));
      Member member =
          start(
              builder(new Views(generations.current()))
                  .deadLetters(KafkaDeadLetters.of(letters, missing)));
      KafkaIntakeLoop<String, byte[]> loop = member.loop();
      // snippet: kafka-health
      Supplier<List<String>> health =
          () ->
              Stream.concat(
                      loop.fault().stream().map(fault -> fault.getClass().getSimpleName()),
                      loop.paused().stream()
                          .map(waits -> waits.partition() + " since " + waits.since()))
                  .toList(); // empty if all is well; PausedPartition.reason says why it waits
      // end
      Await.until("the partition waits", () -> !health.get().isEmpty());
      Await.until("the others are done", () -> kafka.committed().size() > 6);
      String reason = member.loop().paused().get(0).reason();
      assertTrue(reason.startsWith("the dead letters did not take it: Timeout"), reason);
      kafka.create(missing);
      kafka.awaitAllCommitted();
      Orders.assertDelivered(generations.current(), 0, 3);
    }
  }

  @Test
  @DisplayName("serves a loop of the caller's own, which polls, seeks, pauses and commits itself")
  void ownLoop() {
    try (Generations generations = LocalStore.DYNAMODB.prepared();
        KafkaConsumer<String, byte[]> consumer = kafka.consumer()) {
      kafka.send(Orders.delivered(0, 5));
      consumer.subscribe(kafka.topics());
      // snippet: kafka-own-loop
      KafkaIntake<String, byte[]> intake =
          KafkaIntake.of(builder(new Views(generations.current())).build());
      Runnable step =
          () -> {
            KafkaProgress progress = intake.handle(consumer.poll(Duration.ofMillis(100)));
            progress.toSeek().forEach(consumer::seek);
            progress.toPause().forEach(waits -> consumer.pause(List.of(waits.partition())));
            consumer.commitSync(progress.toCommit());
          };
      // end
      Await.until(
          "all is committed",
          () -> {
            step.run();
            return kafka.committed().values().stream().mapToLong(offset -> offset).sum() == 35;
          });
      Orders.assertDelivered(generations.current(), 0, 5);
    }
  }

  @Test
  @DisplayName("handles the records in hand when it is stopped, and commits them")
  void stop() {
    try (Generations generations = LocalStore.DYNAMODB.prepared()) {
      Function<List<Delivery>, BatchOutcome<?>> views = new Views(generations.current());
      CountDownLatch inHand = new CountDownLatch(1);
      CountDownLatch go = new CountDownLatch(1);
      kafka.send(Orders.delivered(0, 5));
      Member first =
          start(
              deliveries -> {
                inHand.countDown();
                awaited(go);
                return views.apply(deliveries);
              });
      awaited(inHand);
      first.loop().stop();
      go.countDown();
      first.stop();
      assertTrue(!kafka.committed().isEmpty());
      start(views);
      kafka.awaitAllCommitted();
      Orders.assertDelivered(generations.current(), 0, 5);
      counts.forEach((message, count) -> assertEquals(1, count.get(), "redelivered: " + message));
    }
  }

  private static void awaited(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("has a view whole once letters are put back, those that were there and no others")
  void redrive(LocalStore store) {
    try (Generations generations = store.prepared()) {
      Function<List<Delivery>, BatchOutcome<?>> views = new Views(generations.current());
      List<Event> events = Orders.delivered(0, 40);
      AtomicBoolean isBad = new AtomicBoolean(true);
      Map<MessageId, Set<Instant>> times = new ConcurrentHashMap<>();
      kafka.send(events);
      start(
          KafkaIntake.<String, byte[]>builder(
                  record -> {
                    times
                        .computeIfAbsent(KafkaIntake.identity(record), first -> newKeySet())
                        .add(KafkaIntake.time(record));
                    if (isBad.get()) {
                      throw new IllegalArgumentException("a decoder with a bug");
                    }
                    return EventJson.decode(record.value()).delivery();
                  },
                  views)
              .deadLetters(KafkaDeadLetters.of(letters, kafka.deadLetters())));
      kafka.awaitAllCommitted();
      assertEquals(events.size(), kafka.dead().size());
      kafka.send(kafka.deadLetters(), 0, "foreign", new byte[] {1});

      String servers = KafkaFixture.bootstrapServers();
      String deadLetters = kafka.deadLetters();
      // snippet: kafka-redrive
      Map<String, Object> connection = Map.of("bootstrap.servers", servers);
      Redriven first = KafkaRedrive.run(connection, deadLetters); // the topic's name
      // end
      assertEquals(new Redriven(events.size(), 1), first);
      kafka.awaitAllCommitted(); // all of them died again
      assertEquals(2 * events.size() + 1, kafka.dead().size());
      isBad.set(false);
      assertEquals(
          new Redriven(events.size(), 0), KafkaRedrive.run(connection, kafka.deadLetters()));
      kafka.awaitAllCommitted();
      Orders.assertDelivered(generations.current(), 0, 40);
      assertEquals(new Redriven(0, 0), KafkaRedrive.run(connection, kafka.deadLetters()));
      assertEquals(events.size(), times.size());
      times.values().forEach(time -> assertEquals(1, time.size()));
    }
  }

  /** Interrupts a redrive once it has letters behind its first hundred. */
  public static final class Interrupting
      implements ConsumerInterceptor<byte[], byte[]>, ProducerInterceptor<byte[], byte[]> {
    @Override
    public ConsumerRecords<byte[], byte[]> onConsume(ConsumerRecords<byte[], byte[]> records) {
      records.forEach(
          record -> {
            if (record.offset() >= 100) {
              Thread.currentThread().interrupt();
            }
          });
      return records;
    }

    @Override
    public ProducerRecord<byte[], byte[]> onSend(ProducerRecord<byte[], byte[]> record) {
      return record;
    }

    @Override
    public void onCommit(Map<TopicPartition, OffsetAndMetadata> offsets) {}

    @Override
    public void onAcknowledgement(RecordMetadata metadata, Exception exception) {}

    @Override
    public void configure(Map<String, ?> configs) {}

    @Override
    public void close() {}
  }

  @Test
  @DisplayName(
      "puts back all but what has no topic any more, and nothing twice, after an interrupt")
  void redriveAgain() throws Exception {
    KafkaDeadLetters<String, byte[]> dead = KafkaDeadLetters.of(letters, kafka.deadLetters());
    String late = kafka.topic("Order") + "-late";
    Reason reason = new Reason("Bug", true, 1);
    for (int i = 0; i < 250; i++) {
      String topic = i == 180 ? late : kafka.topic("Order");
      dead.keep(new ConsumerRecord<>(topic, 0, i, "key", new byte[] {(byte) i}), reason);
    }
    Map<String, Object> connection =
        new HashMap<>(Map.of("bootstrap.servers", KafkaFixture.bootstrapServers()));
    connection.put("max.block.ms", 2_000);
    connection.put("interceptor.classes", List.of(Interrupting.class));
    assertThrows(InterruptException.class, () -> KafkaRedrive.run(connection, kafka.deadLetters()));
    assertTrue(Thread.interrupted());
    connection.remove("interceptor.classes");
    Redriven rest = KafkaRedrive.run(connection, kafka.deadLetters());
    assertEquals(new Redriven(149, 1), rest, "goes on behind the first hundred");
    kafka.create(late);
    assertEquals(0, KafkaRedrive.run(connection, kafka.deadLetters()).sent());
    assertEquals(249, kafka.readCommitted(kafka.topic("Order"), 0));
  }
}
