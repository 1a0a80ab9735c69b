package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EntityUpdate;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.IdPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.POLICIES)
@DisplayName("An id is known in either form, whichever the policy asks for by now")
final class CompactedContract {
  private static final List<IdPolicy> POLICIES =
      List.of(IdPolicy.forEver(), IdPolicy.keptFor(Duration.ofDays(7)), IdPolicy.last(100));

  /** Few sources, so that the revision tells of them in text. */
  private static final List<UnaryOperator<Tracking>> ROOMS =
      List.of(tracking -> tracking, tracking -> tracking.maxSources(1));

  private final Backend backend;
  private final Scene scene;

  CompactedContract(Backend backend) {
    this.backend = backend;
    this.scene = new Scene(backend);
  }

  private static List<MessageId> ids() {
    return List.of(
        MessageId.of(UUID.randomUUID()), MessageId.of("order-7"), MessageId.of("an id of 15 c."));
  }

  /** What is delivered again: with no rule, and with one that is false by now. */
  private List<EntityUpdate> updates() {
    Change counts = change().add("total", 1);
    Change ruled = counts.onlyIf(attribute("status").is("PLACED"));
    return List.of(
        counts,
        Scene.counted(),
        counts.returning(),
        Scene.counted().recreate(),
        ruled,
        ruled.returning(),
        ruled.otherwiseSkip(),
        backend.counting(Rules.defaults(), null),
        backend.counting(Rules.defaults().recreate(), null),
        backend.counting(Rules.defaults(), "PLACED"),
        backend.counting(Rules.defaults().otherwiseSkip().returning(), "PLACED"));
  }

  private interface Case {
    void with(EntityStore<View> before, EntityStore<View> after, String at);
  }

  private void forAll(Case one) {
    for (IdPolicy policy : POLICIES) {
      for (UnaryOperator<Tracking> room : ROOMS) {
        Tracking text = room.apply(Tracking.defaults().messageIds(policy));
        Tracking compact = room.apply(Tracking.defaults().messageIds(policy.compact()));
        one.with(scene.store(text), scene.store(compact), "text, then compact " + room + policy);
        one.with(scene.store(compact), scene.store(text), "compact, then text " + room + policy);
      }
    }
  }

  /** A view that was told ids and an event of its one source, and is paid. */
  private static EntityKey told(EntityStore<View> store, List<MessageId> ids) {
    EntityKey key = Some.key();
    ids.forEach(id -> Expect.applied(store.update(id, key, Scene.counted())));
    Expect.applied(store.update(Some.event(1), key, change().set("status", "PAID")));
    return key;
  }

  @Test
  @DisplayName("a live entity's ids are Duplicates, also where the rule is false by now")
  void live() {
    forAll(
        (before, after, at) -> {
          for (EntityUpdate update : updates()) {
            List<MessageId> ids = ids();
            EntityKey key = told(before, ids);
            List<Write<View>> batch = new ArrayList<>();
            for (MessageId id : ids) {
              Outcome<View> outcome = after.update(id, key, update);
              assertEquals("Duplicate", outcome.getClass().getSimpleName(), at + update.rules());
              batch.add(Write.update(id, key, update));
            }
            after.writeAll(batch).forEach(r -> assertEquals("Duplicate", Words.of(r), at));
            assertEquals(3, scene.count(key), at);
          }
        });
  }

  @Test
  @DisplayName(
      "so are a tombstone's, and those of an entity that was revived, switched back or not")
  void deleted() {
    forAll(
        (before, after, at) -> {
          for (EntityUpdate recreate :
              List.of(
                  Scene.counted().recreate(),
                  backend.counting(Rules.defaults().recreate(), null))) {
            List<MessageId> ids = new ArrayList<>(ids());
            EntityKey key = told(before, ids);
            MessageId delete = Some.id();
            Expect.applied(before.delete(delete, key));
            ids.forEach(id -> Expect.duplicate(after.update(id, key, recreate)));
            MessageId revived = Some.id();
            Expect.applied(after.update(revived, key, recreate));
            ids.addAll(List.of(delete, revived));
            ids.forEach(id -> Expect.duplicate(after.update(id, key, recreate)));
            ids.forEach(id -> Expect.duplicate(before.update(id, key, recreate)));
            assertEquals(1, scene.count(key), at);
          }
        });
  }

  @Test
  @DisplayName("fresh ids are applied once, however often the form changes")
  void fresh() {
    forAll(
        (before, after, at) -> {
          EntityKey key = told(before, ids());
          List<MessageId> ids = new ArrayList<>();
          for (int i = 0; i < 6; i++) {
            EntityStore<View> store = i % 2 == 0 ? after : before;
            ids.add(Some.id());
            Expect.applied(store.update(ids.get(i), key, change().add("total", 1)));
            ids.forEach(id -> Expect.duplicate(store.update(id, key, change().add("total", 1))));
          }
          assertEquals(9, scene.count(key), at);
        });
  }
}
