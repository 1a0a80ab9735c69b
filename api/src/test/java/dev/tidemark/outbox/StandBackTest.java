package dev.tidemark.outbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.store.MapStore;
import dev.tidemark.store.StoredRecord;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A relay that gets nothing done, beside others that have the same leases,")
class StandBackTest {
  private static final List<String> KEYS = List.of("a", "bb", "ccc", "dddd"); // a shard each

  private final RelayScene scene = new RelayScene();
  private final RelayScene.Broker good = scene.broker;
  private final RelayScene.Broker away = new RelayScene.Broker();
  private final Map<String, StoredRecord> leases = new TreeMap<>();
  private final long[] millis = {scene.records.clock().millis()};
  private int parked;

  @AfterEach
  void close() {
    scene.close();
  }

  private RelayBuilder builder(OutboxRecords records, Sender sender) {
    return Relay.builder(records, sender)
        .sharedBy(new MapStore(leases, millis))
        .time(scene.nanos::get, time -> {});
  }

  private Relay relay(Sender sender) {
    return builder(scene.records, sender).build();
  }

  /** Passes of all relays, one second after the other. */
  private void pass(Duration time, Relay... relays) {
    for (long second = 0; second < time.toSeconds(); second++) {
      for (Relay relay : relays) {
        parked += relay.sweep().parked();
      }
      scene.move(Duration.ofSeconds(1));
      millis[0] += 1_000;
    }
  }

  private Relay[] two() {
    away.isDown = true;
    Relay[] two = {relay(away), relay(good)};
    pass(Duration.ofSeconds(30), two);
    return two;
  }

  @Test
  @DisplayName("leaves its shards to them, which send what it could not, and parks none of it")
  void leaves() {
    Relay[] two = two();
    for (int i = 0; i < 20; i++) {
      for (String key : KEYS) {
        scene.publish(key, key + i + "/1", key + i + "/2");
      }
      pass(Duration.ofMinutes(10), two);
      assertEquals(Map.of(), scene.records.rows);
    }
    assertEquals(160, good.taken.size());
    assertEquals(0, parked);
  }

  @Test
  @DisplayName("leaves to them what is not to blame, too, which would wait for ever")
  void deferred() {
    Sender throttled =
        messages ->
            new ArrayList<>(
                messages.stream()
                    .map(m -> (Sent) Sent.deferred(new IllegalStateException("throttled")))
                    .toList());
    Relay[] two = {relay(throttled), relay(good)};
    pass(Duration.ofSeconds(30), two);
    KEYS.forEach(key -> scene.publish(key, key + 1, key + 2));
    pass(Duration.ofMinutes(10), two);
    assertEquals(Map.of(), scene.records.rows);
  }

  @Test
  @DisplayName("has its share of the shards again once its sender takes messages")
  void comesBack() {
    Relay[] two = two();
    KEYS.forEach(key -> scene.publish(key, key + 1, key + 2));
    pass(Duration.ofMinutes(6), two);
    assertEquals(Map.of(), scene.records.rows);
    away.isDown = false;
    pass(Duration.ofMinutes(3), two);
    assertEquals(2, two[0].sweep().shards());
    assertEquals(2, two[1].sweep().shards());
  }

  @Test
  @DisplayName("has all of them again soon where there are no others, and parks what never goes")
  void alone() {
    good.refuses.add("a1");
    scene.publish("a", "a1");
    Relay one = relay(good);
    int passes = 0;
    int without = 0;
    for (; scene.parked("a").isEmpty() && passes < 10_000; passes++) {
      without += one.sweep().shards() == 0 ? 1 : 0;
      scene.move(Duration.ofSeconds(1));
      millis[0] += 1_000;
    }
    assertEquals(List.of("a1"), scene.parked("a"));
    int share = without;
    int all = passes;
    assertTrue(share * 50 < all, () -> share + " of " + all + " passes without a shard");
  }

  @Test
  @DisplayName("parks in the end what none of them can send, while nothing else is sent")
  void poison() {
    good.refuses.add("a1");
    scene.publish("a", "a1");
    Relay[] two = {relay(good), relay(good)};
    pass(Duration.ofMinutes(130), two);
    assertEquals(List.of("a1"), scene.parked("a"));
    assertEquals(1, parked);
  }

  @Test
  @DisplayName("keeps them as long as it sends something")
  void sendsOthers() {
    good.refuses.add("a1");
    Relay one = relay(good);
    pass(Duration.ofSeconds(5), one);
    for (int i = 0; i < 20; i++) {
      scene.publish("a", "a1");
      scene.publish("bb", "b" + i);
      pass(Duration.ofSeconds(50), one);
      assertEquals(4, one.sweep().shards());
      scene.records.rows.remove("a");
    }
  }

  /** What a client without the right to it is answered by the store. */
  private enum Right {
    LOOK,
    READ,
    WRITE,
    WRITE_UNSURE
  }

  /** The records of a client that lacks a right, such as one with a wrong role. */
  private OutboxRecords without(Right right) {
    return (OutboxRecords)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {OutboxRecords.class},
            (proxy, method, arguments) -> {
              boolean isRefused =
                  switch (right) {
                    case LOOK -> method.getName().equals("look");
                    case READ -> method.getName().startsWith("read");
                    case WRITE, WRITE_UNSURE -> method.getName().equals("write");
                  };
              IllegalStateException error = new IllegalStateException("access denied");
              if (isRefused && right == Right.WRITE_UNSURE) {
                return Collections.nCopies(
                    ((List<?>) arguments[0]).size(), new OutboxRecords.Answer.Unsure(error));
              }
              if (isRefused) {
                throw error;
              }
              return method.invoke(scene.records, arguments);
            });
  }

  @Test
  @DisplayName("leaves its shards to them where the store refuses its looks")
  void refusedLooks() {
    Relay[] two = {builder(without(Right.LOOK), new RelayScene.Broker()).build(), relay(good)};
    pass(Duration.ofSeconds(30), two);
    KEYS.forEach(key -> scene.publish(key, key + 1, key + 2));
    pass(Duration.ofMinutes(3), two);
    assertEquals(Map.of(), scene.records.rows);
    assertEquals(8, good.taken.size());
  }

  @Test
  @DisplayName("tells all the while that the store refuses its looks, though it makes none")
  void refusedLooksTold() {
    Relay one = builder(without(Right.LOOK), new RelayScene.Broker()).build();
    Relay other = relay(good);
    pass(Duration.ofSeconds(30), one, other);
    int without = 0;
    for (int second = 0; second < 1_200; second++) {
      RelayPass pass = one.sweep();
      without += pass.shards() == 0 ? 1 : 0;
      assertFalse(pass.storeAnswered(), pass::toString);
      pass(Duration.ofSeconds(1), other);
    }
    assertTrue(without > 60, () -> "it stands back");
  }

  @Test
  @DisplayName("is told of the store by its leases alone once they have all shards")
  void othersHaveAll() {
    Relay one = relay(good);
    scene.records.error = new IllegalStateException("away");
    assertFalse(one.sweep().storeAnswered());
    scene.records.error = null;
    Relay[] others = {relay(good), relay(good), relay(good), relay(good)};
    pass(Duration.ofMinutes(5), others);
    pass(Duration.ofSeconds(20), one, others[0], others[1], others[2], others[3]);
    RelayPass pass = one.sweep();
    assertEquals(0, pass.shards());
    assertTrue(pass.storeAnswered());
  }

  @Test
  @DisplayName("hears by its leases that the store answers them again")
  void leasesAnswerAgain() {
    away.isDown = true;
    MapStore store = new MapStore(leases, millis);
    Relay[] two = {
      Relay.builder(scene.records, away).sharedBy(store).time(scene.nanos::get, time -> {}).build(),
      relay(good)
    };
    pass(Duration.ofSeconds(30), two);
    KEYS.forEach(key -> scene.publish(key, key + 1, key + 2));
    for (int second = 0; second < 600 && two[0].sweep().shards() > 0; second++) {
      pass(Duration.ofSeconds(1), two[1]);
    }
    store.onTheWay =
        () -> {
          throw new IllegalStateException("away");
        };
    pass(Duration.ofSeconds(20), two);
    assertFalse(two[0].sweep().storeAnswered());
    store.onTheWay = () -> {};
    pass(Duration.ofSeconds(20), two);
    RelayPass pass = two[0].sweep();
    assertEquals(0, pass.shards());
    assertTrue(pass.storeAnswered());
  }

  @Test
  @DisplayName("keeps them as long as it sends what hints tell of, though nobody may look")
  void sendsByHints() {
    Relay[] two = {
      builder(without(Right.LOOK), good).build(), builder(without(Right.LOOK), good).build()
    };
    pass(Duration.ofSeconds(30), two);
    for (int i = 0; i < 40; i++) {
      for (String key : KEYS) {
        scene.publish(key + "    ".repeat(i), key + i);
        for (Relay relay : two) {
          relay.hint(scene.records.shard(key), key + "    ".repeat(i));
        }
      }
      pass(Duration.ofSeconds(15), two);
    }
    assertEquals(Map.of(), scene.records.rows);
    assertEquals(160, good.taken.size());
  }

  @Test
  @DisplayName("leaves its shards to them where the store refuses its reads, and it never looks")
  void refusedReads() {
    Relay[] two = {
      builder(without(Right.READ), new RelayScene.Broker()).hintsOnly().build(),
      builder(scene.records, good).hintsOnly().build()
    };
    pass(Duration.ofSeconds(30), two);
    KEYS.forEach(key -> scene.publish(key, key + 1, key + 2));
    for (int second = 0; second < 180; second++) {
      for (Relay relay : two) {
        KEYS.forEach(key -> relay.hint(scene.records.shard(key), key));
      }
      pass(Duration.ofSeconds(1), two);
    }
    assertEquals(Map.of(), scene.records.rows);
  }

  @Test
  @DisplayName("leaves its shards to them where it sends, and the store refuses to take off")
  void refusedWrites() {
    for (Right right : new Right[] {Right.WRITE, Right.WRITE_UNSURE}) {
      leases.clear();
      Relay[] two = {builder(without(right), new RelayScene.Broker()).build(), relay(good)};
      pass(Duration.ofSeconds(30), two);
      KEYS.forEach(key -> scene.publish(key, key + 1, key + 2));
      pass(Duration.ofMinutes(10), two);
      assertEquals(Map.of(), scene.records.rows, right::toString);
    }
  }

  @Test
  @DisplayName("keeps them as long as the store answers now and then")
  void answersAgain() {
    Relay one = relay(good);
    pass(Duration.ofSeconds(5), one);
    for (int i = 0; i < 20; i++) {
      scene.records.error = new IllegalStateException("away");
      pass(Duration.ofSeconds(8), one);
      scene.records.error = null;
      assertEquals(4, one.sweep().shards());
    }
  }
}
