package dev.tidemark.example.orderhistory.carrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Message;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Orders;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Members of a group of Kafka carriers")
class KafkaMembersTest {
  private final KafkaFixture kafka = new KafkaFixture();

  @AfterEach
  void close() {
    kafka.close();
  }

  /** A crash between write and commit, seen from the carrier: neither a result nor an exception. */
  private static final class Crash extends VirtualMachineError {
    private static final long serialVersionUID = 1L;
  }

  /** The views, with a count of the deliveries of each message. */
  private record Counting(Views views, Map<Message, AtomicInteger> counts)
      implements Function<List<Delivery>, BatchOutcome<?>> {
    @Override
    public BatchOutcome<?> apply(List<Delivery> deliveries) {
      for (Delivery delivery : deliveries) {
        counts.computeIfAbsent(delivery.message(), m -> new AtomicInteger()).incrementAndGet();
      }
      return views.apply(deliveries);
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName(
      "hand partitions over without losing events, or getting any twice that was committed")
  void rebalance(LocalStore store) {
    try (Generations generations = store.prepared()) {
      List<Event> events = Orders.delivered(0, 30);
      Map<Message, AtomicInteger> counts = new ConcurrentHashMap<>();
      Counting handler = new Counting(new Views(generations.current()), counts);
      kafka.start(handler);
      kafka.send(events.subList(0, 70));
      kafka.awaitMembers(1);
      var second = kafka.start(handler);
      kafka.send(events.subList(70, 120));
      kafka.awaitMembers(2);
      kafka.send(events.subList(120, 170));
      second.close();
      kafka.send(events.subList(170, events.size()));
      kafka.awaitMembers(1);
      kafka.awaitAllCommitted();
      Orders.assertDelivered(generations.current(), 0, 30);
      assertEquals(events.size(), counts.size());
      counts.forEach((message, count) -> assertEquals(1, count.get(), "redelivered: " + message));
    }
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("get again what one had written, but not committed, when it ended by an error")
  void crash(LocalStore store) {
    try (Generations generations = store.prepared()) {
      Views views = new Views(generations.current());
      Set<Message> written = ConcurrentHashMap.newKeySet();
      Map<Message, AtomicInteger> counts = new ConcurrentHashMap<>();
      Counting counting = new Counting(views, counts);
      kafka.send(Orders.delivered(0, 5));
      var member =
          kafka.start(
              deliveries -> {
                if (!written.isEmpty()) {
                  return counting.apply(deliveries);
                }
                assertTrue(views.apply(deliveries).isDone());
                deliveries.forEach(delivery -> written.add(delivery.message()));
                throw new Crash();
              });
      kafka.awaitAllCommitted();
      assertFalse(written.isEmpty());
      assertTrue(counts.keySet().containsAll(written), "all comes again");
      MeterRegistry registry = member.bean(MeterRegistry.class);
      assertEquals(1, registry.get("orderhistory.carrier.restarts").counter().count());
      Orders.assertDelivered(generations.current(), 0, 5);
      assertEquals(List.of(), kafka.dead());
    }
  }
}
