package dev.tidemark.example.orderhistory.rebuild;

import static dev.tidemark.EntityKey.key;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Orders;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.carrier.KafkaFixture;
import dev.tidemark.example.orderhistory.local.FlakyStore;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.example.orderhistory.local.Ticking;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A rebuild")
class RebuildRefusalsTest {
  private final Generations generations =
      LocalStore.DYNAMODB.open(LocalStore.freshName(), Clock.systemUTC(), true);

  @BeforeEach
  void prepare() {
    generations.prepare(1);
  }

  @AfterEach
  void close() {
    generations.close();
  }

  private static Rebuild rebuild(
      Consumer<String, byte[]> consumer, List<String> topics, Generations generations) {
    return new Rebuild(consumer, topics, generations, new Ticking());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2})
  @DisplayName("refuses a topic that is not there, and names it, before anything is done")
  void topicThatIsNotThere(int wrong) {
    try (KafkaFixture kafka = new KafkaFixture()) {
      kafka.send(Orders.delivered(0, 3));
      List<String> topics = new ArrayList<>(kafka.topics());
      topics.set(wrong, "misspelt");
      var consumer =
          new KafkaConsumer<String, byte[]>(Rebuild.settings(KafkaFixture.bootstrapServers()));
      Rebuild rebuild = rebuild(consumer, topics, generations);
      String refused = assertThrows(IllegalStateException.class, rebuild::run).toString();
      assertTrue(refused.contains("the topic misspelt has no partitions"), refused);
      assertEquals(1, generations.serving());
      assertEquals(1, generations.before(3).size(), "no table of generation 2");
    }
  }

  @Test
  @DisplayName("ends before the switch where the projector fails on an event, and goes on once not")
  void eventThatFails() {
    EventLog log = new EventLog();
    log.add("no event".getBytes(UTF_8));
    Samples.delivered("order-1", "ada").forEach(log::add);
    List<Event> bad = Samples.delivered("order-2", "ada");
    bad.forEach(log::add);
    Generations failing =
        Watched.around(
            generations,
            views -> {
              FlakyStore flaky = new FlakyStore(views, new NullPointerException("of ada"));
              flaky.down.add(key("order-2"));
              return flaky.views();
            });
    Rebuild first = rebuild(log, List.of(EventLog.TOPIC), failing);
    String ended = assertThrows(IllegalStateException.class, first::run).toString();
    assertTrue(ended.contains("orders-0, offset 8: NullPointerException;"), ended);
    assertFalse(ended.contains("ada"), ended);
    assertEquals(1, generations.serving());

    EventLog again = new EventLog();
    again.add("no event".getBytes(UTF_8));
    bad.forEach(again::add);
    Rebuild.Summary summary = rebuild(again, List.of(EventLog.TOPIC), generations).run();
    assertEquals(List.of(2, 1L), List.of(summary.generation(), summary.poison()));
    assertEquals(2, generations.serving());
    for (String order : List.of("order-1", "order-2")) {
      assertEquals(
          "DELIVERED", generations.current().orders().find(key(order)).orElseThrow().status);
    }
  }

  /** What comes with the last events is not waited for, so its partition may be paused then. */
  @Test
  @DisplayName("hands over though a partition is paused at that moment")
  void pausedPartition() {
    List<Event> a = Samples.delivered("order-a", "ada");
    Event young = Samples.created("order-b", "ada", 0);
    EventLog log = new EventLog();
    log.add(a.get(0));
    AtomicReference<FlakyStore> flaky = new AtomicReference<>();
    log.beforeEnd(3, () -> log.add(a.get(1))); // up to this one it is read after the switch
    log.afterEnd(
        3,
        () -> {
          log.add(young);
          flaky.get().down.add(key("order-b"));
        });
    log.afterEnd(
        4,
        () -> {
          assertEquals(1, log.paused().size());
          flaky.get().down.clear();
          log.wantsNoPause();
        });
    Generations watched =
        Watched.around(
            generations,
            views -> {
              flaky.set(new FlakyStore(views));
              return flaky.get().views();
            });
    assertEquals(2, rebuild(log, List.of(EventLog.TOPIC), watched).run().generation());
  }
}
