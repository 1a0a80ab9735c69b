package dev.tidemark.tck.contract;

import static dev.tidemark.tck.contract.OutboxScene.ids;
import static dev.tidemark.tck.contract.OutboxScene.taking;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.longs;

import dev.tidemark.EntityKey;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords.Answer;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Needs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.OUTBOX)
@Needs(Capability.OUTBOX)
@DisplayName("Changes of records of outgoing messages, over what was read a while ago,")
final class OutboxRacesContract {
  private static final int STEPS = 25;

  private final OutboxScene scene;
  private final EntityKey key = Some.key();

  OutboxRacesContract(Backend backend) {
    this.scene = new OutboxScene(backend);
  }

  @Test
  @DisplayName("keep what was published since, whatever they change")
  void publishedSince() {
    for (String change : List.of("some", "all", "parked", "parked all", "due")) {
      EntityKey view = Some.key();
      scene.publish(view, "a", "b");
      OutboxRecord before = scene.due(view);
      scene.publish(view, "c");
      scene.settle(
          switch (change) {
            case "some" -> taking(before, "a");
            case "all" -> taking(before, "a", "b");
            case "parked" -> scene.parking(before, "a");
            case "parked all" -> scene.parking(before, "a", "b");
            default -> taking(before);
          });
      OutboxRecord after = scene.due(view);
      int taken = change.equals("some") ? 1 : change.equals("all") ? 2 : 0;
      assertEquals("c", ids(after.waiting()).get(after.waiting().size() - 1), change);
      assertEquals(3 - taken, after.waiting().size() + after.parked().size(), change);
    }
  }

  @Test
  @DisplayName("keep what was published since all that was read was taken, and was due before")
  void publishedAfterEmptied() {
    scene.publish(key, "a");
    OutboxRecord before = scene.due(key);
    scene.settle(taking(before, "a"));
    scene.publish(key, "b");
    scene.settle(taking(before, "a"));
    assertEquals(List.of("b"), ids(scene.due(key).waiting()));
    scene.settle(scene.parking(before, "a"));
    assertEquals(List.of("b"), ids(scene.due(key).waiting()));
    assertEquals(List.of(), scene.due(key).parked());
  }

  @Test
  @DisplayName("leave nothing where all was taken since, also if they only note a try")
  void emptiedSince() {
    scene.publish(key, "a", "b");
    OutboxRecord before = scene.due(key);
    scene.settle(taking(before, "a", "b"));
    Map<String, Object> empty = scene.backend.raw(key).orElseThrow();
    for (OutboxChange change :
        List.of(
            new OutboxChange(before, Set.of(), Set.of(), Set.of(), 2, before.due() + 1),
            taking(before, "a"),
            scene.parking(before, "a", "b"),
            new OutboxChange(before, Set.of("a"), Set.of("b"), Set.of(), 1, before.due()))) {
      assertEquals(new Answer.Refused(null), scene.write(change));
      assertEquals(empty, scene.backend.raw(key).orElseThrow());
    }
  }

  @Test
  @DisplayName("note a try for the message that they were made for, and for none that came since")
  void triesOfAnother() {
    for (String change : List.of("noted", "beside", "before", "released", "released alone")) {
      EntityKey view = Some.key();
      scene.publish(view, "a", "b");
      boolean releases = change.startsWith("released");
      if (releases) {
        scene.settle(scene.parking(scene.due(view), "b"));
      }
      OutboxRecord before = scene.due(view);
      if (!change.equals("released alone")) {
        scene.publish(view, "c");
      }
      scene.settle(taking(scene.due(view), change.equals("before") ? "b" : "a"));
      Set<String> taken =
          change.equals("beside") ? Set.of("b") : change.equals("before") ? Set.of("a") : Set.of();
      Set<String> released = releases ? Set.of("b") : Set.of();
      Answer answer =
          scene.write(new OutboxChange(before, taken, Set.of(), released, 9, before.due()));
      assertTrue(answer instanceof Answer.Refused, () -> change + ": " + answer);
      assertEquals(0, scene.read(before).tries(), change);
    }
  }

  @Test
  @DisplayName("keep the tries of what came since beside what they release")
  void triesKept() {
    scene.publish(key, "a");
    scene.settle(scene.parking(scene.due(key), "a"));
    OutboxRecord before = scene.parked(key).orElseThrow();
    scene.publish(key, "b");
    OutboxRecord since = scene.due(key);
    scene.settle(new OutboxChange(since, Set.of(), Set.of(), Set.of(), 3, since.due()));
    Answer answer = scene.write(scene.releasing(before, "a"));
    assertTrue(answer instanceof Answer.Refused, answer::toString);
    assertEquals(3, scene.due(key).tries());
  }

  @Test
  @DisplayName("find what somebody else took gone, take nothing else, and bring nothing back")
  void takenSince() {
    scene.publish(key, "a", "b", "c", "d");
    OutboxRecord before = scene.due(key);
    scene.settle(taking(before, "a"));
    scene.settle(taking(before, "a"));
    assertEquals(List.of("b", "c", "d"), ids(scene.due(key).waiting()));
    scene.settle(taking(before, "a", "b"));
    assertEquals(List.of("c", "d"), ids(scene.due(key).waiting()));
    scene.settle(scene.parking(before, "b", "c"));
    assertEquals(List.of("d"), ids(scene.due(key).waiting()));
    assertEquals(List.of("c"), ids(scene.due(key).parked()));
    OutboxRecord aside = scene.due(key);
    scene.settle(taking(aside, "c"));
    scene.settle(scene.releasing(aside, "c"));
    assertEquals(List.of("d"), ids(scene.due(key).waiting()));
    assertEquals(List.of(), scene.due(key).parked());
    scene.settle(taking(before, "a", "b", "c", "d"));
    assertEquals(Optional.empty(), scene.records.read(before.key()));
    assertEquals(new Answer.Refused(null), scene.write(taking(before, "a", "b", "c", "d")));
  }

  @Test
  @DisplayName("end as they should where a reply is lost, also once messages came meanwhile")
  void lostReplies() {
    for (String[] taken : new String[][] {{"a"}, {"a", "b"}}) {
      EntityKey view = Some.key();
      scene.publish(view, "a", "b");
      OutboxRecord before = scene.due(view);
      scene.backend.faults().loseReplies(1, () -> scene.publish(view, "c"));
      scene.settle(taking(before, taken));
      scene.backend.faults().heal();
      List<String> left =
          Stream.of("a", "b", "c").filter(id -> !Set.of(taken).contains(id)).toList();
      assertEquals(left, ids(scene.due(view).waiting()));
    }
  }

  @Test
  @Needs(Capability.PARALLEL_WRITERS)
  @DisplayName("take each message once, in its order, while others publish")
  void parallel() throws Exception {
    scene.publish(key, "0-0");
    Object record = scene.due(key).key();
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try {
      List<Future<?>> writers = new ArrayList<>();
      for (int writer = 1; writer <= 2; writer++) {
        int of = writer;
        writers.add(threads.submit(() -> publishAll(of)));
      }
      List<String> seen = new ArrayList<>();
      boolean done = false;
      while (!done) {
        done = writers.stream().allMatch(Future::isDone);
        Optional<OutboxRecord> found = scene.records.read(record);
        if (found.isPresent()) {
          List<String> all = ids(found.get().waiting());
          assertFalse(all.stream().anyMatch(seen::contains), "came back: " + all);
          String[] taken = all.subList(0, (all.size() + 1) / 2).toArray(String[]::new);
          seen.addAll(List.of(taken));
          scene.settle(taking(found.get(), taken));
          done = false;
        }
      }
      for (Future<?> writer : writers) {
        writer.get();
      }
      for (int writer = 1; writer <= 2; writer++) {
        String of = writer + "-";
        assertEquals(
            Stream.iterate(0, i -> i + 1).limit(20).map(i -> of + i).toList(),
            seen.stream().filter(id -> id.startsWith(of)).toList());
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private void publishAll(int writer) {
    for (int i = 0; i < 20; i++) {
      scene.publish(key, writer + "-" + i);
    }
  }

  @Test
  @DisplayName("come to what a list in memory comes to, in random lives")
  void random() {
    qt().withExamples(scene.backend.isSecond() ? 3 : 12)
        .withShrinkCycles(0)
        .forAll(longs().all())
        .checkAssert(seed -> new Life(seed).live());
  }

  /** One view whose messages are published, and changed over records that were read at any time. */
  private final class Life {
    private final EntityKey view = Some.key();
    private final Random random;
    private final List<OutboxRecord> reads = new ArrayList<>();
    private final String seed;
    private @Nullable Object record;
    private OutboxRecord model = new OutboxRecord("", List.of(), List.of(), 0, 0);
    private int published;

    Life(long seed) {
      this.seed = "seed " + seed;
      this.random = new Random(seed);
    }

    void live() {
      for (int step = 0; step < STEPS; step++) {
        if (reads.isEmpty() || random.nextInt(3) == 0) {
          publish();
        } else {
          change(random.nextInt(Math.max(0, reads.size() - 4), reads.size()));
        }
        compare();
      }
      for (int i = 0; i < 2 && !model.isEmpty(); i++) {
        OutboxRecord now = scene.records.read(key()).orElseThrow();
        List<String> all =
            Stream.of(now.waiting(), now.parked()).flatMap(m -> ids(m).stream()).toList();
        assertEquals(
            new Answer.Written(true), scene.write(taking(now, all.toArray(String[]::new))), seed);
        model = new OutboxRecord("", List.of(), List.of(), 0, 0);
        compare();
      }
    }

    private Object key() {
      return Objects.requireNonNull(record);
    }

    private void publish() {
      String[] ids = new String[1 + random.nextInt(3)];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = "m" + published++;
      }
      scene.publish(view, ids);
      List<OutboxMessage> waiting = new ArrayList<>(model.waiting());
      OutboxRecord stored =
          record == null ? scene.due(view) : scene.records.read(record).orElseThrow();
      record = stored.key();
      waiting.addAll(stored.waiting().stream().filter(m -> Set.of(ids).contains(m.id())).toList());
      long due = model.isEmpty() ? scene.clock.millis() : model.due();
      model = new OutboxRecord("", waiting, model.parked(), model.tries(), due);
    }

    /** Makes a change over what was read by one of the last looks. */
    private void change(int look) {
      OutboxRecord before = reads.get(look);
      Set<String> removed = some(before.waiting());
      removed.addAll(some(before.parked()));
      OutboxChange change =
          new OutboxChange(
              before,
              removed,
              others(some(before.waiting()), removed),
              others(some(before.parked()), removed),
              random.nextInt(3),
              scene.clock.millis() + random.nextInt(3));
      boolean fresh = look == reads.size() - 1;
      Answer answer = scene.write(change);
      if (answer instanceof Answer.Refused refused) {
        assertFalse(fresh && !model.isEmpty(), seed + ": refused over what is stored");
        assertEquals(model.isEmpty(), refused.found() == null, seed);
      } else {
        model = model.after(change);
        assertEquals(new Answer.Written(model.isEmpty()), answer, seed);
        if (model.isEmpty()) {
          model = new OutboxRecord("", List.of(), List.of(), 0, 0);
        }
      }
    }

    private static Set<String> others(Set<String> ids, Set<String> without) {
      ids.removeAll(without);
      return ids;
    }

    private Set<String> some(List<OutboxMessage> messages) {
      int odds = 1 + random.nextInt(3);
      return messages.stream()
          .map(OutboxMessage::id)
          .filter(id -> random.nextInt(3) < odds)
          .collect(Collectors.toCollection(TreeSet::new));
    }

    private void compare() {
      Optional<OutboxRecord> stored = scene.records.read(key());
      assertEquals(!model.isEmpty(), stored.isPresent(), seed);
      if (stored.isPresent()) {
        OutboxRecord found = stored.get();
        assertEquals(ids(model.waiting()), ids(found.waiting()), seed);
        assertEquals(ids(model.parked()), ids(found.parked()), seed);
        assertEquals(model.tries(), found.tries(), seed);
        assertEquals(model.due(), found.due(), seed);
        reads.add(found);
      }
      boolean now = !model.waiting().isEmpty() && model.due() <= scene.clock.millis();
      assertEquals(now, scene.isDue(view), seed);
      assertEquals(!model.isEmpty() && model.waiting().isEmpty(), scene.isParked(view), seed);
    }
  }
}
