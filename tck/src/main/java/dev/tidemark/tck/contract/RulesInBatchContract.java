package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EntityUpdate;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.BATCHES)
@DisplayName("The rules of a batch's changes are judged each by itself")
final class RulesInBatchContract {
  private static final List<EventPolicy> POLICIES =
      List.of(
          EventPolicy.dropLate(),
          EventPolicy.contiguous(),
          EventPolicy.denseWindow(5),
          EventPolicy.sparseWindow(5));

  private final Backend backend;
  private final Scene scene;

  RulesInBatchContract(Backend backend) {
    this.backend = backend;
    this.scene = new Scene(backend);
  }

  /** An update with a rule. */
  private record Ruled(EntityUpdate update, boolean isTrue, String words) {}

  /** Rules about a view that is placed: a false and a true one, portable and native. */
  private List<Ruled> ruled() {
    List<Ruled> all = new ArrayList<>();
    for (boolean isTrue : List.of(false, true)) {
      String status = isTrue ? "PLACED" : "PAID";
      all.add(
          new Ruled(
              change().add("total", 1).onlyIf(attribute("status").is(status)), isTrue, "portable"));
      all.add(new Ruled(backend.counting(Rules.defaults(), status), isTrue, "native"));
    }
    return all;
  }

  /** Pairs of messages. */
  private static List<List<Message>> messages() {
    return List.of(
        List.of(Some.event(1), Some.event(2)),
        List.of(Some.id(), Some.id()),
        List.of(Some.event(1), Some.id()),
        List.of(Some.id(), Some.event(1)));
  }

  /** A view that is placed, and counted once. */
  private EntityKey placed(EntityStore<View> store, Message message) {
    EntityKey key = Some.key();
    Expect.applied(store.apply(Some.id(), key, Views::placed, view -> view));
    Expect.applied(store.update(message, key, Scene.counted()));
    return key;
  }

  @Test
  @DisplayName("what a duplicate's rule is says nothing of the next message")
  void duplicates() {
    for (EventPolicy policy : POLICIES) {
      EntityStore<View> store = scene.store(Tracking.defaults().events(policy));
      for (List<Message> messages : messages()) {
        for (Ruled again : ruled()) {
          for (Ruled next : ruled()) {
            EntityKey key = placed(store, messages.get(0));
            List<Write<View>> batch =
                List.of(
                    Write.update(messages.get(0), key, again.update()),
                    Write.update(messages.get(1), key, next.update()));
            assertEquals(
                List.of("Duplicate", next.isTrue() ? "Applied" : "Refused"),
                Words.of(store.writeAll(batch)),
                () -> again + ", then " + next + ": " + messages + ", " + policy);
            assertEquals(next.isTrue() ? 2 : 1, scene.count(key));
          }
        }
      }
    }
  }

  @Test
  @DisplayName("many refused messages say nothing of the one behind them, alone or among others")
  void refused() {
    for (int entities : List.of(1, 3)) {
      for (Ruled no : ruled().subList(0, 2)) {
        for (Ruled yes : ruled().subList(2, 4)) {
          EntityStore<View> store = scene.store();
          List<Write<View>> batch = new ArrayList<>();
          List<String> expected = new ArrayList<>();
          for (int entity = 0; entity < entities; entity++) {
            EntityKey key = placed(store, Some.id());
            for (int i = 0; i < 6; i++) {
              batch.add(Write.update(Some.id(), key, no.update()));
              expected.add("Refused");
            }
            batch.add(Write.update(Some.id(), key, yes.update()));
            expected.add("Applied");
          }
          assertEquals(expected, Words.of(store.writeAll(batch)), () -> no + ", then " + yes);
          batch.forEach(write -> assertEquals(2, scene.count(write.key())));
        }
      }
    }
  }

  @Test
  @DisplayName("nor do refused messages behind duplicates, however many there are")
  void behindDuplicates() {
    for (Ruled no : ruled().subList(0, 2)) {
      for (Ruled yes : ruled().subList(2, 4)) {
        EntityStore<View> store = scene.store();
        Message known = Some.id();
        EntityKey key = placed(store, known);
        List<Write<View>> batch = new ArrayList<>();
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
          batch.add(Write.update(known, key, no.update()));
          batch.add(Write.update(Some.id(), key, no.update()));
          expected.addAll(List.of("Duplicate", "Refused"));
        }
        batch.add(Write.update(known, key, no.update()));
        batch.add(Write.update(Some.id(), key, yes.update()));
        expected.addAll(List.of("Duplicate", "Applied"));
        assertEquals(expected, Words.of(store.writeAll(batch)), () -> no + ", then " + yes);
        assertEquals(2, scene.count(key));
      }
    }
  }
}
