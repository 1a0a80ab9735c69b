package dev.tidemark.example.orderhistory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.ContentionException;
import dev.tidemark.Delivery;
import dev.tidemark.example.orderhistory.OrderEvent.OrderDelivered;
import dev.tidemark.tck.MovableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The loop of a consumer")
class DeliveryLoopTest {
  private static final TopicPartition LEFT = new TopicPartition("orders", 0);
  private static final TopicPartition RIGHT = new TopicPartition("orders", 1);

  private final MockConsumer<String, byte[]> consumer = new MockConsumer<>("earliest");
  private final MovableClock clock = new MovableClock();
  private final List<String> handled = new ArrayList<>();

  @BeforeEach
  void subscribe() {
    consumer.subscribe(List.of("orders"));
    consumer.updateBeginningOffsets(Map.of(LEFT, 0L, RIGHT, 0L));
    consumer.schedulePollTask(() -> consumer.rebalance(List.of(LEFT, RIGHT)));
  }

  @Test
  @DisplayName("commits what is done, and closes its consumer when it is stopped")
  void commits() {
    DeliveryLoop loop = loop(delivery -> true);
    consumer.schedulePollTask(() -> records(LEFT, "a", "b", "c"));
    consumer.schedulePollTask(loop::stop);
    consumer.schedulePollTask(() -> assertEquals(3, committed(LEFT)));
    loop.run();
    assertEquals(List.of("a", "b", "c"), handled);
    assertTrue(consumer.closed());
  }

  @Test
  @DisplayName("holds back a partition whose delivery is not done, for a while, and no other one")
  void holdsBack() {
    List<Boolean> answers = new ArrayList<>(List.of(true, false, true, true, true));
    DeliveryLoop loop = loop(delivery -> answers.remove(0));
    consumer.schedulePollTask(() -> records(LEFT, "a", "b", "c"));
    consumer.schedulePollTask(
        () -> {
          assertEquals(1, committed(LEFT));
          assertEquals(1, consumer.position(LEFT));
          assertEquals(Set.of(LEFT), consumer.paused());
          records(RIGHT, "x");
        });
    consumer.schedulePollTask(() -> clock.move(Duration.ofSeconds(1)));
    consumer.schedulePollTask(
        () -> {
          assertTrue(consumer.paused().isEmpty());
          assertEquals(1, committed(RIGHT));
          record(LEFT, 1, "b");
          record(LEFT, 2, "c");
        });
    consumer.schedulePollTask(
        () -> {
          assertEquals(3, committed(LEFT));
          loop.stop();
        });
    loop.run();
    assertEquals(List.of("a", "b", "x", "b", "c"), handled);
  }

  @Test
  @DisplayName("takes contention for not done")
  void retriesContention() {
    DeliveryLoop loop =
        loop(
            delivery -> {
              throw new ContentionException("busy", null, null);
            });
    consumer.schedulePollTask(() -> records(LEFT, "a"));
    consumer.schedulePollTask(
        () -> {
          assertEquals(0, consumer.position(LEFT));
          assertEquals(Set.of(LEFT), consumer.paused());
          loop.stop();
        });
    loop.run();
  }

  @Test
  @DisplayName("ends by a fault that lasts, with nothing committed of what it had polled")
  void endsByFault() {
    DeliveryLoop loop =
        loop(
            delivery -> {
              if (handled.size() == 2) {
                throw new IllegalStateException("broken");
              }
              return true;
            });
    consumer.schedulePollTask(() -> records(LEFT, "a", "b"));
    assertThrows(IllegalStateException.class, loop::run);
    assertTrue(consumer.closed());
    assertFalse(handled.isEmpty());
  }

  private DeliveryLoop loop(Predicate<Delivery> handler) {
    return new DeliveryLoop(
        consumer,
        new OrderDeliveries(Identity.VERSION),
        delivery -> {
          handled.add(((OrderEvent) delivery.event()).orderId());
          return handler.test(delivery);
        },
        clock);
  }

  private void records(TopicPartition partition, String... orders) {
    for (int i = 0; i < orders.length; i++) {
      record(partition, i, orders[i]);
    }
  }

  private void record(TopicPartition partition, long offset, String order) {
    byte[] json = OrderDeliveries.encode(new OrderDelivered(order, 1));
    consumer.addRecord(
        new ConsumerRecord<>(partition.topic(), partition.partition(), offset, order, json));
  }

  private long committed(TopicPartition partition) {
    OffsetAndMetadata committed = consumer.committed(Set.of(partition)).get(partition);
    return committed == null ? 0 : committed.offset();
  }
}
