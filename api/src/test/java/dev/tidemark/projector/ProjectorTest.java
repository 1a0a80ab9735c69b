package dev.tidemark.projector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Freshness;
import dev.tidemark.MessageId;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A projector")
class ProjectorTest {
  sealed interface OrderEvent permits Placed, Paid, Viewed {}

  record Placed(String order) implements OrderEvent {}

  record Paid(String order) implements OrderEvent {}

  record Viewed(String order) implements OrderEvent {}

  /** A store that answers Applied and notes its calls. */
  private static final class Recorder implements EntityStore<String> {
    private final Tracking tracking;
    private final List<String> calls = new ArrayList<>();

    Recorder(Tracking tracking) {
      this.tracking = tracking;
    }

    private Outcome<String> note(String call, EntityKey key) {
      calls.add(call + " " + key.parts().get(0));
      return new Outcome.Applied<>(null, false, null);
    }

    @Override
    public Tracking tracking() {
      return tracking;
    }

    @Override
    public Outcome<String> write(Write<String> write) {
      return note(shown(write.action()), write.key());
    }

    private static String shown(Write.Action<String> action) {
      if (action instanceof Write.Action.Update<String> update) {
        return "update" + update.update().in(Change.class).operations().size();
      }
      if (action instanceof Write.Action.Apply<String> apply) {
        boolean creates = apply.initialOrNull() != null;
        Decision<String> decision = apply.decide(creates ? apply.initial() : "old");
        String after = decision instanceof Decision.To<String> to ? to.entity() : "refused";
        return (creates ? "create " : "apply ") + after;
      }
      return action.getClass().getSimpleName().toLowerCase(java.util.Locale.ROOT);
    }

    @Override
    public List<Result<String>> writeAll(List<Write<String>> writes) {
      return Batch.oneByOne(this, writes);
    }

    @Override
    public Optional<String> find(EntityKey key) {
      return Optional.empty();
    }

    @Override
    public Freshness<String> find(EntityKey key, NotBefore notBefore) {
      return new Freshness.NotYet<>(null);
    }
  }

  private final Recorder store = new Recorder(Tracking.defaults());

  private static Delivery delivery(Object event) {
    return Delivery.of(MessageId.of("m"), event);
  }

  @Test
  @DisplayName("dispatches an event by its class, else by the nearest type that has a handler")
  void dispatch() {
    Projector<String> projector =
        Projector.into(store)
            .on(Placed.class, e -> EntityKey.key(e.order()), () -> "new", (view, e) -> view + "+")
            .on(OrderEvent.class, e -> EntityKey.key("any"), (view, e) -> view + "!")
            .build();
    assertTrue(projector.handle(delivery(new Placed("7"))).isApplied());
    assertTrue(projector.handle(delivery(new Paid("7"))).isApplied());
    assertEquals(List.of("create new+ 7", "apply old! any"), store.calls);
  }

  @Test
  @DisplayName("updates, deletes and records without a change")
  void kinds() {
    Projector<String> projector =
        Projector.into(store)
            .updating(Placed.class, e -> EntityKey.key(e.order()), e -> Change.change().set("a", 1))
            .deleting(Paid.class, e -> EntityKey.key(e.order()))
            .ignoring(Viewed.class, e -> EntityKey.key(e.order()))
            .build();
    List.of(new Placed("1"), new Paid("2"), new Viewed("3"))
        .forEach(event -> assertTrue(projector.handle(delivery(event)).isDone()));
    assertEquals(List.of("update1 1", "delete 2", "update0 3"), store.calls);
  }

  @Test
  @DisplayName("lets an ignored event pass without a request, and refuses an unknown one")
  void ignoring() {
    Projector<String> projector =
        Projector.into(store)
            .ignoring(Viewed.class)
            .on(Paid.class, e -> EntityKey.key(e.order()), (view, e) -> view)
            .build();
    assertTrue(projector.handle(delivery(new Viewed("1"))).isDone());
    assertTrue(store.calls.isEmpty());
    assertThrows(IllegalArgumentException.class, () -> projector.handle(delivery(new Placed("1"))));
    assertFalse(delivery(new Placed("secret")).toString().contains("secret"));
  }

  @Test
  @DisplayName("refuses a second handler of one type, and to have none")
  void duplicates() {
    ProjectorBuilder<String, Projector<String>> builder =
        Projector.into(store).on(Paid.class, e -> EntityKey.key(e.order()), (view, e) -> view);
    assertThrows(IllegalStateException.class, () -> builder.ignoring(Paid.class));
    assertThrows(IllegalStateException.class, () -> Projector.into(store).build());
  }

  @Test
  @DisplayName(
      "of dense sources refuses to leave a declared type out, or to ignore one without key")
  void dense() {
    Recorder dense = new Recorder(Tracking.defaults().events(EventPolicy.contiguous()));
    ProjectorBuilder<String, Projector<String>> part =
        Projector.into(dense)
            .on(Placed.class, e -> EntityKey.key(e.order()), (view, e) -> view)
            .on(Paid.class, e -> EntityKey.key(e.order()), (view, e) -> view)
            .declaring(OrderEvent.class);
    String message =
        String.valueOf(assertThrows(IllegalStateException.class, part::build).getMessage());
    assertTrue(message.contains("Viewed"), message);
    assertTrue(
        part.ignoring(Viewed.class, e -> EntityKey.key(e.order()))
            .build()
            .handle(delivery(new Viewed("1")))
            .isApplied());
    ProjectorBuilder<String, Projector<String>> keyless =
        Projector.into(dense)
            .on(OrderEvent.class, e -> EntityKey.key("any"), (view, e) -> view)
            .ignoring(Viewed.class);
    assertThrows(IllegalStateException.class, keyless::build);
  }
}
