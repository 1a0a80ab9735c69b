package dev.tidemark.projector;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.AsyncEntityStore;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityStore;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import dev.tidemark.transaction.Committed;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A projector of several entities for one event")
class TogetherTest {
  private static final Outcome<String> APPLIED = new Outcome.Applied<>(null, false, null);
  private static final Outcome<String> DUPLICATE = new Outcome.Duplicate<>(null, null);
  private static final Outcome<String> MISSING = new Outcome.Missing<>();
  private static final Outcome<String> DELETED = new Outcome.Deleted<>();

  private record Added(String to) {}

  private record Moved(Committed to) {}

  private final List<String> done = new ArrayList<>();
  private final List<Message> messages = new ArrayList<>();

  @SuppressWarnings("unchecked")
  private final EntityStore<String> store =
      (EntityStore<String>)
          Proxy.newProxyInstance(
              EntityStore.class.getClassLoader(),
              new Class<?>[] {EntityStore.class},
              (proxy, method, args) ->
                  switch (method.getName()) {
                    case "write" -> written((Write<String>) args[0]);
                    case "writeAll" ->
                        Batch.oneByOne((EntityStore<String>) proxy, (List<Write<String>>) args[0]);
                    default -> Tracking.defaults();
                  });

  @SuppressWarnings("unchecked")
  private final AsyncEntityStore<String> async =
      (AsyncEntityStore<String>)
          Proxy.newProxyInstance(
              AsyncEntityStore.class.getClassLoader(),
              new Class<?>[] {AsyncEntityStore.class},
              (proxy, method, args) ->
                  switch (method.getName()) {
                    case "write" ->
                        CompletableFuture.completedFuture(written((Write<String>) args[0]));
                    case "writeAll" ->
                        CompletableFuture.completedFuture(
                            store.writeAll((List<Write<String>>) args[0]));
                    default -> Tracking.defaults();
                  });

  private Outcome<String> written(Write<String> write) {
    String to = String.valueOf(write.key().parts().get(0));
    done.add(to);
    return to.equals("missing") ? MISSING : APPLIED;
  }

  private <P> P projector(ProjectorBuilder<String, P> builder) {
    return builder
        .updating(Added.class, e -> key(e.to()), e -> change().add("n", 1))
        .transacting(
            Moved.class,
            (e, message) -> {
              messages.add(message);
              done.add("moved");
              return e.to();
            })
        .build();
  }

  private static Committed committed(boolean made, Optional<Outcome<?>> outcome) {
    return new Committed(made, false, List.of(outcome), List.of());
  }

  private static Committed committed(
      boolean made, Optional<Outcome<?>> one, Optional<Outcome<?>> other) {
    return new Committed(made, false, List.of(one, other), List.of());
  }

  private static Optional<Outcome<?>> some(Outcome<String> outcome) {
    return Optional.of(outcome);
  }

  private static Delivery delivery(long position, Object event) {
    return Delivery.of(SourceEvent.of("S", "1", position), event).lane("lane", position);
  }

  private Outcome<String> handled(Committed committed) {
    return projector(Projector.into(store)).handle(delivery(1, new Moved(committed)));
  }

  @Test
  @DisplayName("has the outcome that keeps it from being done, else the first")
  void outcome() {
    assertEquals(APPLIED, handled(committed(true, some(APPLIED), some(APPLIED))));
    assertEquals(DUPLICATE, handled(committed(false, some(DUPLICATE), some(DUPLICATE))));
    assertEquals(MISSING, handled(committed(false, Optional.empty(), some(MISSING))));
    assertEquals(MISSING, handled(committed(false, some(DUPLICATE), some(MISSING))));
    assertEquals(SourceEvent.of("S", "1", 1), messages.get(0));
  }

  @Test
  @DisplayName("fails where a message is known to some of its entities alone, and is not done then")
  void half() {
    Committed half = committed(false, some(DUPLICATE), Optional.empty());
    assertThrows(CorruptRecordException.class, () -> handled(half));
    Committed refused =
        new Committed(false, false, List.of(Optional.empty(), Optional.empty()), List.of(0));
    assertThrows(IllegalStateException.class, () -> handled(refused));
  }

  @Test
  @DisplayName("is not done where a deleted entity keeps its others from being written")
  void deleted() {
    assertEquals(MISSING, handled(committed(false, some(DELETED), some(APPLIED))));
    assertEquals(MISSING, handled(committed(false, Optional.empty(), some(DELETED))));
    Outcome<String> skipped = new Outcome.Refused<>(null, true);
    assertEquals(MISSING, handled(committed(false, some(skipped), some(DELETED))));
    Outcome<String> refused = new Outcome.Refused<>(null, false);
    assertEquals(refused, handled(committed(false, some(DELETED), some(refused))));
    assertEquals(DELETED, handled(committed(false, some(DELETED), some(DUPLICATE))));
    List<Optional<Outcome<?>>> known = List.of(some(DUPLICATE), some(DELETED), some(APPLIED));
    Committed half = new Committed(false, false, known, List.of());
    assertThrows(CorruptRecordException.class, () -> handled(half));
  }

  @Test
  @DisplayName("takes a transaction in its place in the batch")
  void inPlace() throws Exception {
    List<Delivery> batch =
        List.of(
            delivery(1, new Added("a")),
            delivery(2, new Moved(committed(true, some(APPLIED)))),
            delivery(3, new Added("b")),
            delivery(4, new Added("c")));
    BatchOutcome<String> outcome = projector(Projector.into(store)).handle(batch);
    assertTrue(outcome.isDone());
    assertEquals(List.of("a", "moved", "b", "c"), done);
    done.clear();
    assertTrue(projector(Projector.into(async)).handle(batch).get().isDone());
    assertEquals(List.of("a", "moved", "b", "c"), done);
  }

  @Test
  @DisplayName("tries nothing of a source behind what is not done, and goes on with all else")
  void heldBack() throws Exception {
    List<Delivery> single =
        List.of(
            delivery(1, new Added("missing")),
            delivery(2, new Moved(committed(true, some(APPLIED)))),
            delivery(3, new Added("b")),
            Delivery.of(MessageId.of("m1"), new Added("c")));
    List<Delivery> transaction =
        List.of(
            delivery(1, new Moved(committed(false, some(DUPLICATE), Optional.empty()))),
            delivery(2, new Added("b")),
            Delivery.of(MessageId.of("m1"), new Added("c")));
    Projector<String> projector = projector(Projector.into(store));
    AsyncProjector<String> asynchronous = projector(Projector.into(async));
    for (List<Delivery> batch : List.of(single, transaction)) {
      for (BatchOutcome<String> outcome :
          List.of(projector.handle(batch), asynchronous.handle(batch).get())) {
        int last = batch.size() - 1;
        assertEquals(batch.subList(last, last + 1), outcome.toAcknowledge());
        for (int i = 1; i < last; i++) {
          Result<String> behind = new Result.HeldBack<>(batch.get(i - 1).message());
          assertEquals(behind, outcome.results().get(i));
        }
      }
    }
    assertEquals(List.of("missing", "c", "missing", "c", "moved", "c", "moved", "c"), done);
  }
}
