package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Outcome;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.LATE)
@DisplayName("Law 9: late is not lost unless chosen")
final class LateContract {
  private static final int DISORDER = 6;
  private static final int EVENTS = 50;

  private final Scene scene;
  private final Set<SourceEvent> applied = new HashSet<>();

  LateContract(Backend backend) {
    this.scene = new Scene(backend);
  }

  private EntityStore<View> store(EventPolicy policy) {
    return scene.store(Tracking.defaults().events(policy));
  }

  /** Positions in disorder, some of them delivered again; some never, where holes are wanted. */
  private static List<SourceEvent> deliveries(Random random, Source source, int stride, int holes) {
    List<SourceEvent> events = new ArrayList<>();
    Map<SourceEvent, Integer> places = new HashMap<>();
    for (int i = 1; i <= EVENTS; i++) {
      if (holes == 0 || i % holes != 0) {
        SourceEvent event = SourceEvent.of(source, Position.of((long) i * stride));
        events.add(event);
        places.put(event, i + random.nextInt(DISORDER));
      }
    }
    events.sort(Comparator.comparingInt(places::get));
    for (int i = 0; i < EVENTS / 3; i++) {
      int from = random.nextInt(events.size());
      events.add(from + random.nextInt(events.size() - from), events.get(from));
    }
    return events;
  }

  /** Delivers one event and holds the answer against what was applied before. */
  private Outcome<View> deliver(EntityStore<View> store, SourceEvent event) {
    Outcome<View> outcome = store.update(event, scene.key, Scene.counted());
    boolean before = applied.contains(event);
    if (outcome.isApplied()) {
      assertTrue(applied.add(event), () -> event + " was applied twice");
    } else if (outcome instanceof Outcome.Duplicate) {
      assertTrue(before, () -> event + " is Duplicate but was never applied");
    } else if (outcome instanceof Outcome.Gap) {
      assertTrue(!before, () -> event + " is Gap but was applied");
    } else {
      assertTrue(
          outcome instanceof Outcome.Stale || outcome instanceof Outcome.BeyondHorizon,
          () -> event + " is " + outcome);
    }
    return outcome;
  }

  private List<Outcome<View>> deliverAll(EventPolicy policy, int stride, int holes, long seed) {
    applied.clear();
    Source source = Source.of("Order", policy + "-" + stride + "-" + holes + "-" + seed);
    long count = scene.count();
    EntityStore<View> store = store(policy);
    List<Outcome<View>> outcomes = new ArrayList<>();
    for (SourceEvent event : deliveries(new Random(seed), source, stride, holes)) {
      outcomes.add(deliver(store, event));
    }
    assertEquals(count + applied.size(), scene.count());
    return outcomes;
  }

  private static long count(List<Outcome<View>> outcomes, Class<?> arm) {
    return outcomes.stream().filter(arm::isInstance).count();
  }

  @Test
  @DisplayName("a window wider than the disorder applies every event at its first delivery")
  void windows() {
    for (long seed = 1; seed <= 3; seed++) {
      List<Outcome<View>> dense = deliverAll(EventPolicy.denseWindow(DISORDER), 1, 0, seed);
      assertEquals(EVENTS, count(dense, Outcome.Applied.class));
      assertEquals(dense.size() - EVENTS, count(dense, Outcome.Duplicate.class));
      List<Outcome<View>> sparse = deliverAll(EventPolicy.sparseWindow(2 * DISORDER), 7, 0, seed);
      assertEquals(EVENTS, count(sparse, Outcome.Applied.class));
    }
  }

  @Test
  @DisplayName("contiguous: what came early is Gap, and everything is applied once in the end")
  void contiguous() {
    for (long seed = 1; seed <= 2; seed++) {
      List<Outcome<View>> first = deliverAll(EventPolicy.contiguous(), 1, 0, seed);
      assertTrue(count(first, Outcome.Gap.class) > 0);
      Source source = Source.of("Order", EventPolicy.contiguous() + "-1-0-" + seed);
      for (long position = 1; position <= EVENTS; position++) {
        deliver(store(EventPolicy.contiguous()), SourceEvent.of(source, Position.of(position)));
      }
      assertEquals(EVENTS, applied.size());
    }
  }

  @Test
  @DisplayName(
      "holes that never fill: contiguous and dense windows stop at Gap, naming what is missing")
  void holes() {
    List<Outcome<View>> contiguous = deliverAll(EventPolicy.contiguous(), 1, 10, 5);
    assertTrue(count(contiguous, Outcome.Gap.class) > 0);
    assertTrue(applied.size() <= 9);
    List<Outcome<View>> window = deliverAll(EventPolicy.denseWindow(5), 1, 10, 6);
    assertTrue(count(window, Outcome.Gap.class) > 0);
    Source source = Source.of("Order", EventPolicy.denseWindow(5) + "-1-10-6");
    SourceEvent far = SourceEvent.of(source, Position.of(500));
    Outcome.Gap<View> gap =
        Expect.gap(store(EventPolicy.denseWindow(5)).update(far, scene.key, Scene.counted()));
    assertEquals(Position.of(10), gap.expected());
    assertEquals(new Outcome.Hole(Position.of(10), Position.of(10)), gap.holes().get(0));
  }

  @Test
  @DisplayName("holes given up: everything else is applied once, what fills them is BeyondHorizon")
  void holesGivenUp() {
    EventPolicy policy = EventPolicy.denseWindow(DISORDER).givingUpHoles();
    List<Outcome<View>> outcomes = deliverAll(policy, 1, 10, 7);
    assertEquals(0, count(outcomes, Outcome.Gap.class));
    assertEquals(EVENTS - EVENTS / 10, applied.size());
    Source source = Source.of("Order", policy + "-1-10-7");
    Expect.beyondHorizon(deliver(store(policy), SourceEvent.of(source, Position.of(10))));
  }

  @Test
  @DisplayName("drop late: what was overtaken is Stale, what is applied ascends")
  void dropLate() {
    List<Outcome<View>> outcomes = deliverAll(EventPolicy.dropLate(), 3, 7, 8);
    assertTrue(count(outcomes, Outcome.Stale.class) > 0);
    assertEquals(0, count(outcomes, Outcome.Gap.class));
  }

  @Test
  @DisplayName("a sparse window forgets the lowest: those are BeyondHorizon, never applied again")
  void sparseForgets() {
    EventPolicy policy = EventPolicy.sparseWindow(5);
    EntityStore<View> store = store(policy);
    for (long i = 1; i <= 100; i++) {
      Expect.applied(deliver(store, Some.event(i * 10)));
    }
    Expect.beyondHorizon(deliver(store, Some.event(10)));
    Expect.beyondHorizon(deliver(store, Some.event(5)));
    Expect.duplicate(deliver(store, Some.event(1_000)));
    Expect.applied(deliver(store, Some.event(995)));
  }

  @Test
  @DisplayName("a re-created source starts a new mark; what is late of the old one is Stale")
  void generations() {
    List<EventPolicy> policies =
        List.of(
            EventPolicy.dropLate(),
            EventPolicy.contiguous(),
            EventPolicy.denseWindow(5),
            EventPolicy.sparseWindow(5));
    for (EventPolicy policy : policies) {
      EntityStore<View> store = store(policy);
      Source old = Source.of("Topic", policy.toString());
      for (long i = 1; i <= 4; i++) {
        Expect.applied(deliver(store, SourceEvent.of(old, Position.of(i))));
      }
      Source created = old.generation(7);
      Expect.applied(deliver(store, SourceEvent.of(created, Position.of(1))));
      Expect.stale(deliver(store, SourceEvent.of(old, Position.of(5))));
      Expect.stale(deliver(store, SourceEvent.of(old.generation(6), Position.of(9))));
      Expect.duplicate(deliver(store, SourceEvent.of(created, Position.of(1))));
      Expect.applied(deliver(store, SourceEvent.of(created, Position.of(2))));
      Expect.applied(deliver(store, SourceEvent.of(old.generation(8), Position.of(1))));
    }
  }

  @Test
  @DisplayName("dense sources start where the policy says, others anywhere")
  void first() {
    Expect.gap(deliver(store(EventPolicy.contiguous()), Some.event("A", "1", 2)));
    Expect.applied(deliver(store(EventPolicy.contiguous()), Some.event("A", "1", 1)));
    EntityStore<View> zero = store(EventPolicy.contiguous().startingAt(0));
    Expect.gap(deliver(zero, Some.event("B", "1", 1)));
    Expect.applied(deliver(zero, Some.event("B", "1", 0)));
    Expect.applied(deliver(store(EventPolicy.denseWindow(5)), Some.event("C", "1", 3)));
    Expect.applied(deliver(store(EventPolicy.dropLate()), Some.event("D", "1", 900)));
  }
}
