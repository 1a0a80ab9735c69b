package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.longs;

import dev.tidemark.EntityStore;
import dev.tidemark.Key;
import dev.tidemark.MarkCache;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.TrackedCall;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Neutral;
import dev.tidemark.tck.ReferenceBackend;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.GUARDS)
@DisplayName("Random lives of entities end alike on every store, however they are written")
final class DifferentialContract {
  private static final int ROUNDS = 6;

  private final Scene scene;
  private final Backend model = new ReferenceBackend();

  DifferentialContract(Backend backend) {
    this.scene = new Scene(backend);
  }

  /** One way to write, to an entity of its own. */
  private final class Way {
    private final String name;
    private final Key key = Some.key();
    private final List<EntityStore<View>> stores = new ArrayList<>();
    private final Backend backend;
    private final boolean inBatches;

    /** Batches and caches do not tell the marks of windows. */
    private final boolean tellsMarks;

    Way(String name, Backend backend, boolean inBatches, boolean cached) {
      this.name = name;
      this.backend = backend;
      this.inBatches = inBatches;
      this.tellsMarks = !inBatches && !cached;
      for (Tracking tracking : RandomScript.TRACKINGS) {
        stores.add(
            cached
                ? backend.views(tracking, scene.clock, MarkCache.in(new ConcurrentHashMap<>()))
                : backend.views(tracking, scene.clock));
      }
    }

    /** What became of each message: results, which without marks are alike for every way. */
    List<Result<View>> write(RandomScript.Round round) {
      EntityStore<View> store = stores.get(round.tracking());
      List<Write<View>> writes =
          round.writes().stream()
              .map(w -> new Write<>(w.message(), key, w.action(), w.laneOrNull()))
              .toList();
      return inBatches ? store.writeAll(writes) : Batch.oneByOne(store, writes);
    }

    /** The entity, and what its marks say of every message under one tracking. */
    List<String> state(int number) {
      Tracking tracking = RandomScript.TRACKINGS.get(number);
      Names names = Names.flat(tracking);
      Found<View> found =
          backend
              .raw(key)
              .map(record -> new Found<View>(true, Neutral.record(record), null))
              .orElse(Found.nothing());
      List<String> state = new ArrayList<>();
      state.add(stores.get(number).find(key).map(Way::withoutKey).orElse("none"));
      state.add("" + found.state(names, scene.clock.instant()));
      for (Message message : RandomScript.everything()) {
        TrackedCall call = new TrackedCall(message, key, tracking, names, scene.clock);
        call.<View>settle(found)
            .ifPresent(outcome -> state.add(message + " " + described(outcome, true)));
      }
      return state;
    }

    private static String withoutKey(View view) {
      view.setId("");
      return view.toString();
    }
  }

  @Test
  @DisplayName("one by one, in batches and with a cache, under policies that stay as they are")
  void samePolicies() {
    check("lives", false);
  }

  @Test
  @DisplayName("one by one and in batches, under policies that change")
  void otherPolicies() {
    check("lives under other policies", true);
  }

  private void check(String what, boolean changesPolicies) {
    long seed = Sizes.seed();
    System.out.println("random " + what + ": -Dtidemark.seed=" + seed);
    qt().withFixedSeed(seed)
        .withExamples(Sizes.examples() / 10)
        .withShrinkCycles(0)
        .forAll(longs().all())
        .checkAssert(example -> compare(example, changesPolicies));
  }

  private void compare(long example, boolean changesPolicies) {
    RandomScript script = new RandomScript(example, changesPolicies);
    Way expected = new Way("the model", model, false, false);
    List<Way> ways = ways(changesPolicies);
    StringBuilder history = new StringBuilder("example " + example);
    int tracking = 0;
    for (int number = 0; number < ROUNDS; number++) {
      RandomScript.Round round = script.round(expected.key, scene.clock.instant());
      tracking = round.tracking();
      scene.clock.move(round.pause());
      List<Result<View>> results = expected.write(round);
      history.append("\n").append(round).append("\n  ").append(described(results, true));
      for (Way way : ways) {
        boolean marks = way.tellsMarks;
        assertEquals(
            described(results, marks),
            described(way.write(round), marks),
            () -> way.name + " in " + history);
      }
    }
    List<String> state = expected.state(tracking);
    for (Way way : ways) {
      assertEquals(state, way.state(tracking), () -> way.name + " at the end of " + history);
    }
  }

  private List<Way> ways(boolean changesPolicies) {
    Backend backend = scene.backend;
    List<Way> ways = new ArrayList<>();
    ways.add(new Way("one by one", backend, false, false));
    ways.add(new Way("in batches", backend, true, false));
    if (!changesPolicies) { // else other processes delete what a cache still knows
      ways.add(new Way("with a cache", backend, false, true));
      ways.add(new Way("in batches with a cache", backend, true, true));
    }
    return ways;
  }

  private static List<String> described(List<Result<View>> results, boolean marks) {
    return results.stream()
        .map(
            result ->
                result instanceof Result.Judged<View> judged
                    ? described(judged.outcome(), marks)
                    : Words.of(result))
        .toList();
  }

  /** An outcome with what tells two of one arm apart. */
  private static String described(Outcome<View> outcome, boolean marks) {
    if (outcome instanceof Outcome.Applied<View> applied) {
      return outcome + (marks ? "" + applied.mark() : "");
    }
    if (outcome instanceof Outcome.Duplicate<View> duplicate) {
      return outcome + (marks ? "" + duplicate.mark() : "");
    }
    if (outcome instanceof Outcome.Stale<View> stale) {
      return "Stale" + (marks ? stale.mark() : "");
    }
    return outcome instanceof Outcome.Gap<View> gap ? outcome + "" + gap.holes() : "" + outcome;
  }
}
