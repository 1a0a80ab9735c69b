package dev.tidemark.tck.contract;

import static dev.tidemark.tck.contract.OutboxScene.MANY;
import static dev.tidemark.tck.contract.OutboxScene.ids;
import static dev.tidemark.tck.contract.OutboxScene.taking;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.outbox.Look;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords.Answer;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import dev.tidemark.tck.Neutral;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.OUTBOX)
@Needs(Capability.OUTBOX)
@DisplayName("Records of outgoing messages")
final class OutboxRecordsContract {
  private static final Set<String> NAMES =
      Set.of("_outbox", "_outbox#parked", "_outbox#shard", "_outbox#due", "_outbox#tries");

  private final OutboxScene scene;
  private final EntityKey key = Some.key();

  OutboxRecordsContract(Backend backend) {
    this.scene = new OutboxScene(backend);
  }

  private long expiry(EntityKey view) {
    Map<String, Object> stored = Neutral.record(scene.backend.raw(view).orElseThrow());
    return (Long) Objects.requireNonNull(stored.get("deletedUntil"));
  }

  private Map<String, Object> raw() {
    return Neutral.record(scene.backend.raw(key).orElseThrow());
  }

  @Test
  @DisplayName("have what was published, as it was published, in its order")
  void whole() {
    byte[] bytes = {0, -1, 2};
    OutgoingMessage full =
        OutgoingMessage.to("a/b", "ü\uD83D\uDE00")
            .key(key.parts().get(0).toString())
            .type("t")
            .header("x", "")
            .header("$", ".");
    OutgoingMessage bare = OutgoingMessage.to("c", bytes).id("own-" + key).unordered();
    Expect.applied(scene.store.update(Some.id(), key, Scene.counted().publish(full).publish(bare)));
    OutboxRecord record = scene.due(key);
    assertEquals(List.of(), record.parked());
    assertEquals(0, record.tries());
    assertEquals(scene.clock.millis(), record.due());
    OutboxMessage first = record.waiting().get(0);
    assertEquals(Optional.of(first.id()), first.message().id());
    assertEquals(scene.clock.instant(), first.storedAt());
    assertEquals("a/b", first.message().topic());
    assertEquals(full.text(), first.message().text());
    assertEquals(full.key(), first.message().key());
    assertEquals(full.type(), first.message().type());
    assertEquals(full.headers(), first.message().headers());
    assertTrue(first.message().isOrdered());
    OutboxMessage second = record.waiting().get(1);
    assertEquals("own-" + key, second.id());
    assertArrayEquals(bytes, second.message().bytes());
    assertEquals(Optional.empty(), second.message().text());
    assertEquals(Optional.empty(), second.message().key());
    assertFalse(second.message().isOrdered());
    assertEquals(record.toString(), scene.read(record).toString());
    assertEquals(ids(record.waiting()), ids(scene.read(record).waiting()));
    Object kept = scene.records.bare(record.key());
    assertEquals(record.key(), kept);
    assertEquals(ids(record.waiting()), ids(scene.records.read(kept).orElseThrow().waiting()));
  }

  @Test
  @DisplayName("are found from their time on, the longest due first, as many as are asked for")
  void due() {
    EntityKey[] keys = {OutboxScene.key(2), OutboxScene.key(2), OutboxScene.key(2)};
    for (int i : new int[] {1, 0, 2}) {
      scene.publish(keys[i], Some.name());
      scene.clock.move(Duration.ofMillis(1));
    }
    long now = scene.clock.millis();
    List<OutboxRecord> all = scene.records.due(2, now, MANY);
    assertEquals(List.of(now - 3, now - 2, now - 1), all.stream().map(OutboxRecord::due).toList());
    assertEquals(scene.due(keys[1]).key(), all.get(0).key());
    assertEquals(1, scene.records.due(2, now - 3, MANY).size());
    assertEquals(List.of(), scene.records.due(2, now - 4, MANY));
    assertEquals(2, scene.records.due(2, now, 2).size());
    List<OutboxRecord> later = scene.records.look(2, now - 2, now, 1, Long.MAX_VALUE).records();
    assertEquals(List.of(now - 2), later.stream().map(OutboxRecord::due).toList());
    assertEquals(2, scene.records.look(2, now - 2, now, MANY, Long.MAX_VALUE).records().size());
    assertEquals(List.of(), scene.records.look(2, now, now, MANY, Long.MAX_VALUE).records());
    for (int shard : new int[] {0, 1, 3}) {
      assertEquals(List.of(), scene.records.due(shard, now, MANY));
    }
  }

  @Test
  @DisplayName("are given until they take as much memory as they may, at least one of them")
  void size() {
    Change large = Scene.counted().publish(OutgoingMessage.to("orders", "x".repeat(50_000)));
    for (int view = 0; view < 3; view++) {
      Expect.applied(scene.store.update(Some.id(), OutboxScene.key(2), large));
      scene.clock.move(Duration.ofMillis(1));
    }
    long now = scene.clock.millis();
    Look one = scene.records.look(2, Long.MIN_VALUE, now, MANY, 1);
    assertTrue(one.records().size() >= 1);
    Look all = scene.records.look(2, Long.MIN_VALUE, now, MANY, 10_000_000);
    assertEquals(3, all.records().size());
    assertFalse(all.goesOn());
    assertTrue(all.records().get(0).size() >= 50_000);
    assertEquals(one.records().size() < 3, one.goesOn());
    Set<Object> left = all.records().stream().map(OutboxRecord::key).collect(Collectors.toSet());
    for (int reads = 0; reads < 3 && !left.isEmpty(); reads++) {
      scene.records.readAll(List.copyOf(left), 1).forEach(read -> left.remove(read.key()));
    }
    assertEquals(Set.of(), left);
  }

  @Test
  @DisplayName("tell in which cluster a message was published, and that nothing is told elsewhere")
  void origin() {
    scene.publish(key, "a");
    Expect.applied(
        scene
            .backend
            .views(Tracking.defaults().cluster("eu"), scene.clock)
            .update(
                Some.id(),
                key,
                Scene.counted().publish(OutgoingMessage.to("orders", "b").id("b").key(name()))));
    OutboxRecord found = scene.due(key);
    assertEquals(List.of("", "eu"), found.waiting().stream().map(OutboxMessage::origin).toList());
    scene.settle(new OutboxChange(found, Set.of(), Set.of("b"), Set.of(), 0, found.due()));
    OutboxRecord parked = scene.read(found);
    assertEquals("eu", parked.parked().get(0).origin());
    scene.settle(scene.releasing(parked, "b"));
    assertEquals("eu", scene.read(found).waiting().get(1).origin());
  }

  private String name() {
    return (String) key.parts().get(0);
  }

  @Test
  @Needs(Capability.REQUEST_COUNTS)
  @DisplayName("cost one request to look for where none is due")
  void cost() {
    scene.publish(key, Some.name());
    long before = scene.clock.millis() - 1;
    for (int shard = 0; shard < OutboxScene.SHARDS; shard++) {
      int of = shard;
      Backend.Cost cost =
          scene.backend.measure(() -> assertEquals(List.of(), scene.records.due(of, before, 100)));
      assertEquals(1, cost.reads());
      assertEquals(0, cost.writes());
    }
  }

  @Test
  @Needs(Capability.REQUEST_COUNTS)
  @DisplayName("cost at most a fifth of a request to clear for each message of a batch")
  void clearing() {
    List<OutboxChange> changes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      EntityKey view = Some.key();
      scene.publish(view, "a");
      changes.add(taking(scene.due(view), "a"));
    }
    Backend.Cost cost =
        scene.backend.measure(
            () ->
                scene
                    .records
                    .write(changes)
                    .forEach(answer -> assertEquals(new Answer.Written(true), answer)));
    int requests = cost.reads() + cost.writes();
    assertTrue(requests * 5 <= changes.size(), () -> requests + " requests for 20 messages");
  }

  @Test
  @DisplayName("give away messages by their IDs, from any place, and keep the others' order")
  void taken() {
    scene.publish(key, "a", "b", "c");
    scene.publish(key, "d");
    Object revision = raw().get("_rev");
    OutboxRecord before = scene.due(key);
    assertEquals(new Answer.Written(false), scene.write(taking(before, "b", "d")));
    OutboxRecord after = scene.read(before);
    assertEquals(List.of("a", "c"), ids(after.waiting()));
    assertEquals(new Answer.Written(true), scene.write(taking(after, "a", "c")));
    assertEquals(revision, raw().get("_rev"));
  }

  @Test
  @DisplayName("keep nothing once they are empty, and change nothing else")
  void empty() {
    Expect.applied(scene.store.update(Some.id(), key, Scene.counted()));
    Map<String, Object> bare = raw();
    scene.publish(key, "a", "b");
    Map<String, Object> full = raw();
    OutboxRecord before = scene.due(key);
    scene.settle(new OutboxChange(before, Set.of(), Set.of("b"), Set.of(), 3, before.due() + 9));
    scene.settle(taking(scene.read(before), "a", "b"));
    Map<String, Object> after = raw();
    assertEquals(bare.keySet(), after.keySet());
    full.keySet().removeAll(NAMES);
    assertEquals(full, after);
    assertEquals(Optional.empty(), scene.records.read(before.key()));
    assertFalse(scene.isDue(key));
    assertFalse(scene.isParked(key));
  }

  @Test
  @DisplayName("note tries and a later time, and are due by it, however much is published")
  void backoff() {
    scene.publish(key, "a");
    OutboxRecord before = scene.due(key);
    long later = scene.clock.millis() + 5_000;
    long tries = (1L << 32) + 2; // two, of which one counts
    scene.settle(new OutboxChange(before, Set.of(), Set.of(), Set.of(), tries, later));
    assertFalse(scene.isDue(key));
    scene.publish(key, "b");
    assertFalse(scene.isDue(key));
    assertEquals(tries, scene.read(before).tries());
    assertEquals(later, scene.read(before).due());
    scene.clock.move(Duration.ofSeconds(5));
    assertEquals(List.of("a", "b"), ids(scene.due(key).waiting()));
    scene.settle(new OutboxChange(scene.due(key), Set.of("a"), Set.of(), Set.of(), 0, later));
    assertEquals(0, scene.due(key).tries());
    assertFalse(raw().containsKey("_outbox#tries"));
    scene.settle(taking(scene.due(key), "b"));
    scene.clock.move(Duration.ofMillis(1));
    scene.publish(key, "c");
    assertEquals(scene.clock.millis(), scene.due(key).due());
  }

  @Test
  @DisplayName("park messages: no record with parked ones alone is due, and operators find it")
  void parked() {
    scene.publish(key, "a", "b");
    OutboxRecord before = scene.due(key);
    scene.settle(scene.parking(before, "a"));
    OutboxRecord after = scene.due(key);
    assertEquals(List.of("b"), ids(after.waiting()));
    assertEquals(List.of("a"), ids(after.parked()));
    assertFalse(scene.isParked(key));
    scene.settle(taking(after, "b"));
    assertFalse(scene.isDue(key));
    assertTrue(scene.isParked(key));
    assertEquals(List.of("a"), ids(scene.read(before).parked()));
    scene.publish(key, "c");
    assertTrue(scene.isDue(key));
    assertFalse(scene.isParked(key));
  }

  @Test
  @DisplayName("release parked messages behind those that wait, or drop them")
  void released() {
    scene.publish(key, "a", "b", "c");
    OutboxRecord before = scene.due(key);
    scene.settle(scene.parking(before, "a", "b", "c"));
    assertEquals(
        1,
        scene.records.parked(OutboxScene.shard(key), MANY).stream()
            .filter(one -> one.key().equals(before.key()))
            .count());
    scene.publish(key, "d");
    scene.settle(scene.releasing(scene.due(key), "b"));
    assertEquals(List.of("d", "b"), ids(scene.due(key).waiting()));
    scene.settle(taking(scene.due(key), "a", "b"));
    assertEquals(List.of("d"), ids(scene.due(key).waiting()));
    assertEquals(List.of("c"), ids(scene.due(key).parked()));
    scene.settle(taking(scene.due(key), "d"));
    scene.settle(scene.releasing(scene.read(before), "c"));
    assertEquals(List.of("c"), ids(scene.due(key).waiting()));
    scene.settle(scene.parking(scene.due(key), "c"));
    assertEquals(new Answer.Written(true), scene.write(taking(scene.read(before), "c")));
    assertFalse(scene.isParked(key));
    assertEquals(Optional.empty(), scene.records.read(before.key()));
  }

  @Test
  @DisplayName("of deleted entities stay until the last message is taken, and expire as they would")
  void tombstones() {
    EntityKey other = Some.key();
    scene.publish(other, "x");
    scene.settle(taking(scene.due(other), "x"));
    scene.publish(key, "a", "b");
    OutboxRecord before = scene.due(key);
    scene.moveLater();
    Expect.applied(scene.store.delete(Some.id(), other));
    Expect.applied(scene.store.delete(Some.id(), key));
    long until = expiry(other);
    assertEquals(until + Outbox.WAITING, raw().get("deletedUntil"));
    assertEquals(before.key(), scene.read(before).key());
    assertEquals(before.key().hashCode(), scene.read(before).key().hashCode());
    assertThrows(InvalidChangeException.class, () -> scene.store.forget(Some.id(), key));
    scene.settle(taking(before, "a"));
    scene.settle(scene.parking(scene.read(before), "b"));
    assertEquals(until + Outbox.WAITING, raw().get("deletedUntil"));
    assertThrows(InvalidChangeException.class, () -> scene.store.forget(Some.id(), key));
    scene.settle(taking(scene.read(before), "b"));
    assertEquals(until, raw().get("deletedUntil"));
    NAMES.forEach(name -> assertFalse(raw().containsKey(name), name));
    Expect.applied(scene.store.forget(Some.id(), key));
  }

  @Test
  @DisplayName("are read together as by themselves, and nothing for those that keep nothing")
  void readAll() {
    List<EntityKey> keys = Stream.generate(Some::key).limit(4).toList();
    keys.forEach(view -> scene.publish(view, "a", "b"));
    List<OutboxRecord> before = keys.stream().map(scene::due).toList();
    scene.settle(taking(before.get(0), "a", "b"));
    scene.settle(scene.parking(before.get(1), "a", "b"));
    scene.backend.putRaw(keys.get(2), Map.of("_outbox", List.of("?")));
    List<Object> all = before.stream().map(OutboxRecord::key).toList();
    List<OutboxRecord> found = scene.records.readAll(all, Long.MAX_VALUE);
    assertEquals(
        Set.copyOf(all), found.stream().map(OutboxRecord::key).collect(Collectors.toSet()));
    List<OutboxRecord> full = found.stream().filter(record -> !record.isEmpty()).toList();
    assertEquals(
        Set.of(before.get(1).key(), before.get(3).key()),
        full.stream().map(OutboxRecord::key).collect(Collectors.toSet()));
    for (OutboxRecord one : full) {
      assertEquals(ids(scene.read(one).waiting()), ids(one.waiting()));
      assertEquals(ids(scene.read(one).parked()), ids(one.parked()));
    }
    assertEquals(List.of(), scene.records.readAll(List.of(), Long.MAX_VALUE));
  }

  @Test
  @DisplayName("that cannot be read hide no others")
  void unreadable() {
    EntityKey bad = OutboxScene.key(1);
    EntityKey good = OutboxScene.key(1);
    Map<String, Object> record =
        Map.of("_outbox", List.of("?"), "_outbox#shard", 1, "_outbox#due", scene.clock.millis());
    scene.backend.putRaw(bad, record);
    scene.clock.move(Duration.ofMillis(1));
    scene.publish(good, "a");
    assertEquals(List.of("a"), ids(scene.due(good).waiting()));
    scene.backend.putRaw(bad, Map.of());
  }

  @Test
  @DisplayName("are changed together, each by itself, and answered in order")
  void together() {
    List<EntityKey> keys = Stream.generate(Some::key).limit(5).toList();
    keys.forEach(view -> scene.publish(view, "a", "b"));
    List<OutboxRecord> before = keys.stream().map(scene::due).toList();
    scene.settle(taking(before.get(3), "a", "b"));
    List<OutboxChange> changes =
        List.of(
            taking(before.get(0), "a"),
            taking(before.get(1), "a", "b"),
            scene.parking(before.get(2), "b"),
            taking(before.get(3), "a", "b"),
            new OutboxChange(before.get(4), Set.of(), Set.of(), Set.of(), 1, before.get(4).due()));
    List<Answer> answers = scene.records.write(changes);
    assertEquals(5, answers.size());
    for (int i : new int[] {0, 2, 4}) {
      assertEquals(new Answer.Written(false), answers.get(i), "change " + i);
    }
    assertEquals(new Answer.Written(true), answers.get(1));
    assertEquals(new Answer.Refused(null), answers.get(3));
    assertEquals(List.of("b"), ids(scene.due(keys.get(0)).waiting()));
    assertEquals(Optional.empty(), scene.records.read(before.get(1).key()));
    assertEquals(List.of("b"), ids(scene.due(keys.get(2)).parked()));
    assertEquals(1, scene.due(keys.get(4)).tries());
    assertEquals(List.of(), scene.records.write(List.of()));
  }
}
