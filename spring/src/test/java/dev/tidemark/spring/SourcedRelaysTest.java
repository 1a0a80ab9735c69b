package dev.tidemark.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoOutbox;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.Sender;
import java.lang.reflect.Proxy;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

@DisplayName("The relay of records that a source names no more")
class SourcedRelaysTest {
  private final String table = Servers.fresh("spendings");
  private final List<OutboxRecords> named = new CopyOnWriteArrayList<>();
  private final CountDownLatch sending = new CountDownLatch(1);
  private final CountDownLatch go = new CountDownLatch(1);

  /** They have dropped one relay, whose sender hangs. */
  private Relays dropped(GoneRecords... told) throws InterruptedException {
    return dropped(RelaysTest.outbox(table), told);
  }

  private Relays dropped(OutboxRecords outbox, GoneRecords... told) throws InterruptedException {
    RelaysTest.outbox(table).createIndex();
    RelaysTest.publish(
        MongoEntityStore.builder(Servers.mongo().getDatabase("relays").getCollection(table))
            .build(),
        "m");
    Sender hanging =
        Sender.each(
            message -> {
              sending.countDown();
              go.await();
            });
    Relays relays = RelaysTest.relays(List.of(), List.of(() -> named), hanging, told);
    named.add(outbox);
    relays.start();
    sending.await();
    named.clear();
    relays.look();
    return relays;
  }

  @Test
  @DisplayName("ends before another one begins, where a source names them again")
  void namedAgain() throws InterruptedException {
    Relays relays = dropped();
    List<RunningRelay> last = List.copyOf(relays.running());
    named.add(RelaysTest.outbox(table));
    relays.look();
    assertThat(threads()).isEqualTo(1);
    assertThat(relays.running()).isEqualTo(last);
    go.countDown();
    await()
        .until(
            () -> {
              relays.look();
              return relays.running().size() == 1 && !relays.running().equals(last);
            });
    relays.stop();
    assertThat(threads()).isZero();
  }

  @Test
  @DisplayName("keeps no other from its relay where its own cannot be made")
  void unmade() {
    RelayCustomizer picky =
        (records, builder) -> {
          if (records.name().endsWith("unmade")) {
            throw new IllegalStateException("on purpose");
          }
        };
    Relays relays =
        new Relays(
            List.of(),
            List.of(() -> named),
            Sender.each(message -> {}),
            null,
            List.of(),
            List.of(),
            List.of(),
            new StaticListableBeanFactory(Map.of("picky", picky))
                .getBeanProvider(RelayCustomizer.class),
            Clock.systemUTC(),
            Duration.ofSeconds(2));
    named.add(RelaysTest.outbox(table + "unmade"));
    named.add(RelaysTest.outbox(table));
    relays.start();
    await().until(() -> relays.unnamed() != null);
    assertThat(relays.unnamed()).hasMessage("on purpose");
    assertThat(relays.running()).hasSize(1);
    relays.stop();
  }

  @Test
  @DisplayName("is waited for at the end of the context")
  void stop() throws InterruptedException {
    Relays relays = dropped();
    long began = System.nanoTime();
    relays.stop();
    assertThat(Duration.ofNanos(System.nanoTime() - began)).isGreaterThan(Duration.ofSeconds(1));
    go.countDown();
    await().until(() -> threads() == 0);
  }

  @Test
  @DisplayName("is forgotten though a listener of it throws, and is none of those in the health")
  void throwing() throws InterruptedException {
    Relays relays =
        dropped(
            records -> {
              throw new IllegalStateException("on purpose");
            });
    assertForgotten(relays);
  }

  @Test
  @DisplayName("is forgotten though an Error has ended it meanwhile")
  void ended() throws InterruptedException {
    assertForgotten(dropped(failing()));
  }

  @Test
  @DisplayName("is followed once by what is to follow, also where that comes as it ends")
  void ending() throws InterruptedException {
    RunningRelay relay = new RunningRelay(table, Clock.systemUTC());
    relay.start(Relay.builder(RelaysTest.outbox(table), messages -> List.of()).build(), null);
    CountDownLatch isEnding = new CountDownLatch(1);
    relay.askToStop(
        () -> {
          isEnding.countDown();
          assertThat(awaited(go)).isTrue();
        });
    isEnding.await();
    AtomicInteger followed = new AtomicInteger();
    relay.askToStop(followed::incrementAndGet);
    assertThat(followed).hasValue(1);
    go.countDown();
    await().until(() -> threads() == 0);
    assertThat(followed).hasValue(1);
  }

  private static boolean awaited(CountDownLatch latch) {
    try {
      return latch.await(1, TimeUnit.MINUTES);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @DisplayName("has no stream any more that tells of what came, once an Error has ended it")
  void hintsEnd() {
    go.countDown();
    RunningRelay relay = new RunningRelay(table, Clock.systemUTC());
    relay.start(
        Relay.builder(failing(), messages -> List.of()).build(),
        () -> assertThat(awaited(sending)).isTrue());
    await().dontCatchUncaughtExceptions().until(() -> !relay.isAlive());
    sending.countDown();
    try {
      await().atMost(Duration.ofSeconds(9)).until(() -> threads() == 0);
    } finally {
      relay.askToStop();
    }
  }

  /** Records whose clock ends a relay once its sender goes on. */
  private OutboxRecords failing() {
    MongoOutbox records = RelaysTest.outbox(table);
    return (OutboxRecords)
        Proxy.newProxyInstance(
            OutboxRecords.class.getClassLoader(),
            new Class<?>[] {OutboxRecords.class},
            (proxy, method, arguments) -> {
              if (go.getCount() == 0 && method.getName().equals("clock")) {
                throw new OutOfMemoryError("on purpose");
              }
              return method.invoke(records, arguments);
            });
  }

  private void assertForgotten(Relays relays) {
    assertThat(relays.running()).isEmpty();
    assertThat(threads()).isEqualTo(1);
    go.countDown();
    await().dontCatchUncaughtExceptions().until(() -> threads() == 0);
    named.add(RelaysTest.outbox(table));
    relays.look();
    assertThat(relays.running()).hasSize(1);
    relays.stop();
  }

  private long threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().contains(table))
        .count();
  }
}
