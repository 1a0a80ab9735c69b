package dev.tidemark.projector;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A projector's batch")
class ProjectorBatchTest {
  private record Added(String to) {}

  private record Ignored() {}

  private record Unknown() {}

  private record Keyless() {}

  private final List<String> updated = new ArrayList<>();
  private final List<Message> messages = new ArrayList<>();

  /** A store whose updates of entity "missing" find none. */
  @SuppressWarnings("unchecked")
  private final EntityStore<String> store =
      (EntityStore<String>)
          Proxy.newProxyInstance(
              EntityStore.class.getClassLoader(),
              new Class<?>[] {EntityStore.class},
              (proxy, method, args) ->
                  switch (method.getName()) {
                    case "write" -> {
                      Write<String> write = (Write<String>) args[0];
                      messages.add(write.message());
                      yield updated(write.key());
                    }
                    case "writeAll" ->
                        Batch.oneByOne((EntityStore<String>) proxy, (List<Write<String>>) args[0]);
                    default -> Tracking.defaults();
                  });

  private Outcome<String> updated(EntityKey key) {
    updated.add((String) key.parts().get(0));
    return key.equals(key("missing"))
        ? new Outcome.Missing<>()
        : new Outcome.Applied<>(null, false, null);
  }

  private ProjectorBuilder<String, Projector<String>> builder() {
    return Projector.into(store)
        .updating(Added.class, e -> key(e.to()), e -> change().add("n", 1))
        .updating(
            Keyless.class,
            e -> {
              throw new IllegalStateException("no key");
            },
            e -> change())
        .ignoring(Ignored.class);
  }

  private static Delivery delivery(String source, long position, Object event) {
    return Delivery.of(SourceEvent.of("S", source, position), event)
        .lane("lane-" + source, position);
  }

  private static List<String> words(BatchOutcome<?> outcome) {
    return outcome.results().stream().map(r -> r.getClass().getSimpleName()).toList();
  }

  @Test
  @DisplayName(
      "has results in its order; what has no handler or no key fails, and its source waits")
  void results() {
    List<Delivery> deliveries =
        List.of(
            delivery("a", 1, new Added("x")),
            delivery("b", 1, new Unknown()),
            delivery("a", 2, new Ignored()),
            delivery("b", 2, new Added("x")),
            delivery("c", 1, new Keyless()),
            delivery("a", 3, new Added("y")));
    BatchOutcome<String> outcome = builder().build().handle(deliveries);
    assertEquals(
        List.of("Judged", "Failed", "Judged", "HeldBack", "Failed", "Judged"), words(outcome));
    assertEquals(List.of("x", "y"), updated);
    assertFalse(outcome.isDone());
    assertEquals(
        List.of(deliveries.get(0), deliveries.get(2), deliveries.get(5)), outcome.toAcknowledge());
    assertEquals(
        List.of(deliveries.get(1), deliveries.get(3), deliveries.get(4)), outcome.toRetry());
    assertEquals(Map.of("lane-a", 4L, "lane-b", 1L, "lane-c", 1L), outcome.toCommit());
    assertInstanceOf(Result.HeldBack.class, outcome.results().get(3));
  }

  @Test
  @DisplayName("in lane order holds back all that follows in the lane, ignored events too")
  void lanes() {
    List<Delivery> deliveries = new ArrayList<>();
    List.of(new Added("x"), new Added("missing"), new Added("y"), new Ignored())
        .forEach(
            event ->
                deliveries.add(
                    Delivery.of(MessageId.of("m" + deliveries.size()), event)
                        .lane("lane", deliveries.size())));
    deliveries.add(Delivery.of(MessageId.of("other"), new Added("z")).lane("next", 7));
    BatchOutcome<String> outcome = builder().inLaneOrder().build().handle(deliveries);
    assertEquals(List.of("Judged", "Judged", "HeldBack", "HeldBack", "Judged"), words(outcome));
    assertEquals(List.of("x", "missing", "z"), updated);
    assertEquals(Map.of("lane", 1L, "next", 8L), outcome.toCommit());
    assertEquals(
        List.of(deliveries.get(0), deliveries.get(4)), outcome.toAcknowledge(), "acknowledged");
  }

  @Test
  @DisplayName("applies ahead of what is not done in its lane, and acknowledges none of that")
  void acknowledgement() {
    List<Delivery> deliveries = new ArrayList<>();
    List.of(new Added("x"), new Added("missing"), new Added("y"), new Ignored())
        .forEach(
            event -> {
              MessageId id = MessageId.of("m" + deliveries.size());
              deliveries.add(Delivery.of(id, event).lane("group"));
            });
    deliveries.add(Delivery.of(MessageId.of("other"), new Added("z")).lane("next"));
    deliveries.add(Delivery.of(MessageId.of("free"), new Added("w")));
    BatchOutcome<String> outcome = builder().build().handle(deliveries);
    assertEquals(List.of("x", "missing", "y", "z", "w"), updated);
    assertTrue(outcome.results().get(2).isDone(), "a result says what was done to the entity");
    assertEquals(
        List.of(deliveries.get(0), deliveries.get(4), deliveries.get(5)), outcome.toAcknowledge());
    assertEquals(deliveries.subList(1, 4), outcome.toRetry());
    assertEquals(Map.of(), outcome.toCommit());
    assertFalse(outcome.isDone());
  }

  @Test
  @DisplayName("commits a lane whose events of one source came in another order")
  void disorder() {
    for (boolean inLaneOrder : new boolean[] {false, true}) {
      ProjectorBuilder<String, Projector<String>> builder =
          inLaneOrder ? builder().inLaneOrder() : builder();
      messages.clear();
      BatchOutcome<String> outcome =
          builder
              .build()
              .handle(
                  List.of(
                      Delivery.of(SourceEvent.of("S", "a", 3), new Added("x")).lane("lane", 10),
                      Delivery.of(SourceEvent.of("S", "a", 2), new Added("x")).lane("lane", 11)));
      assertEquals(
          List.of(SourceEvent.of("S", "a", 2), SourceEvent.of("S", "a", 3)), messages, "in order");
      assertEquals(Map.of("lane", 12L), outcome.toCommit());
    }
  }

  @Test
  @DisplayName("holds back what is behind a delivery without a key, by position and not by place")
  void unkeyed() {
    BatchOutcome<String> outcome =
        builder()
            .build()
            .handle(
                List.of(
                    delivery("a", 3, new Added("x")),
                    delivery("a", 2, new Keyless()),
                    delivery("a", 1, new Added("y"))));
    assertEquals(List.of("HeldBack", "Failed", "Judged"), words(outcome));
    assertEquals(
        SourceEvent.of("S", "a", 2), ((Result.HeldBack<?>) outcome.results().get(0)).behind());
    assertEquals(List.of("y"), updated);
  }

  @Test
  @DisplayName("may know deliveries by another identity, and is still of the same batch")
  void identity() {
    List<Delivery> deliveries = List.of(delivery("a", 1, new Added("x")));
    Projector<String> second =
        builder()
            .identifiedBy(delivery -> MessageId.of(((Added) delivery.event()).to() + "-id"))
            .build();
    BatchOutcome<String> outcome = second.handle(deliveries);
    assertEquals(List.of(MessageId.of("x-id")), messages);
    assertTrue(builder().build().handle(deliveries).and(outcome).isDone());
    assertTrue(second.handle(deliveries.get(0)).isDone());
    assertEquals(MessageId.of("x-id"), messages.get(2), "alone as in a batch");
  }

  @Test
  @DisplayName("of two stores is done where both say so")
  void both() {
    List<Delivery> deliveries =
        List.of(delivery("a", 1, new Added("x")), delivery("b", 1, new Ignored()));
    Projector<String> first = builder().build();
    Projector<String> second =
        Projector.into(store)
            .updating(Added.class, e -> key("missing"), e -> change())
            .ignoring(Ignored.class)
            .build();
    BatchOutcome<?> both = first.handle(deliveries).and(second.handle(deliveries));
    assertEquals(List.of(deliveries.get(0)), both.toRetry());
    assertEquals(Map.of("lane-a", 1L, "lane-b", 2L), both.toCommit());
    assertEquals(both.toRetry(), second.handle(deliveries).and(first.handle(deliveries)).toRetry());
    BatchOutcome<String> other = first.handle(deliveries.subList(0, 1));
    assertThrows(IllegalArgumentException.class, () -> both.and(other));
    assertTrue(first.handle(List.of()).isDone());
  }

  @Test
  @DisplayName("says neither keys nor values in its words")
  void silent() {
    Write<String> write = Write.update(MessageId.of("m"), key("secret"), change().set("a", "b"));
    String fault = new Result.Failed<String>(new IllegalStateException("secret")).toString();
    assertFalse((write + fault).contains("secret"), write + fault);
    assertThrows(
        IllegalArgumentException.class, () -> Delivery.of(MessageId.of("m"), "e").lane("lane", -1));
    assertThrows(IllegalArgumentException.class, () -> write.inLane(""));
  }
}
