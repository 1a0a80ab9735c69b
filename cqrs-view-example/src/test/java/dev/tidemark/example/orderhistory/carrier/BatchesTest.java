package dev.tidemark.example.orderhistory.carrier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.exception.SdkClientException;

@DisplayName("A carrier's batch")
class BatchesTest {
  private final List<String> dead = new ArrayList<>();
  private final List<String> handled = new ArrayList<>();
  private final Generations generations = LocalStore.DYNAMODB.prepared();
  private final Projector<OrderView> projector =
      Projector.into(generations.current().orders())
          .on(String.class, e -> EntityKey.key("row"), OrderView::new, this::handle)
          .inLaneOrder()
          .build();

  @AfterEach
  void close() {
    generations.close();
  }

  private OrderView handle(OrderView view, String text) {
    if (text.startsWith("poison")) {
      throw new IllegalStateException("cannot be handled: " + text);
    }
    if (text.startsWith("away")) {
      throw SdkClientException.create("unreachable");
    }
    handled.add(text);
    return view;
  }

  private Set<String> handle(String... records) {
    Batches<String> batches =
        new Batches<>(BatchesTest::delivery, this::handler, (r, why) -> dead.add(r + ": " + why));
    return batches.handle(List.of(records));
  }

  private BatchOutcome<?> handler(List<Delivery> deliveries) {
    return projector.handle(deliveries);
  }

  private static Delivery delivery(String record) {
    if (record.startsWith("garbage")) {
      throw new IllegalArgumentException("not an event");
    }
    return Delivery.of(MessageId.of(record), record).lane("lane");
  }

  @Test
  @DisplayName("takes poison out, with the reason, and goes on behind it")
  void poison() {
    assertEquals(
        Set.of("a", "garbage-1", "poison-1", "b", "poison-2", "c"),
        Set.copyOf(handle("a", "garbage-1", "poison-1", "b", "poison-2", "c")));
    assertEquals(
        List.of(
            "garbage-1: IllegalArgumentException: not an event",
            "poison-1: IllegalStateException",
            "poison-2: IllegalStateException"),
        dead);
    assertTrue(handled.containsAll(List.of("a", "b", "c")), handled.toString());
  }

  @Test
  @DisplayName("leaves undone what may be done later, and what stands behind it in its lane")
  void undone() {
    assertEquals(Set.of("a"), Set.copyOf(handle("a", "away-1", "b")));
    assertEquals(List.of(), dead);
  }

  @Test
  @DisplayName("is not done while its dead letters cannot be kept")
  void deadLettersAway() {
    Batches<String> batches =
        new Batches<>(
            BatchesTest::delivery,
            this::handler,
            (record, why) -> {
              throw new IllegalStateException("no broker");
            });
    assertThrows(IllegalStateException.class, () -> batches.handle(List.of("a", "poison-1")));
  }
}
