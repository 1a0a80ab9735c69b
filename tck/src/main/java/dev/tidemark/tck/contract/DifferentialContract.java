package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.longs;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import dev.tidemark.marks.MarkCache;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Oracle;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.GUARDS)
@DisplayName(
    "Random lives of entities end as they have to on every store, however they are written")
final class DifferentialContract {
  private static final int ROUNDS = 6;

  private final Scene scene;

  DifferentialContract(Backend backend) {
    this.scene = new Scene(backend);
  }

  /** One way to write, to an entity of its own. */
  private final class Way {
    private final String name;
    private final EntityKey key = Some.key();
    private final OracleCheck check = new OracleCheck(scene.backend, scene.clock, key);
    private final List<EntityStore<View>> stores = new ArrayList<>();
    private final boolean inBatches;

    /** Batches and caches do not tell the marks of windows. */
    private final boolean tellsMarks;

    private Oracle oracle = Oracle.nothing();

    Way(String name, boolean inBatches, boolean cached) {
      this.name = name;
      this.inBatches = inBatches;
      this.tellsMarks = !inBatches && !cached;
      for (Tracking tracking : RandomScript.TRACKINGS) {
        stores.add(
            cached
                ? scene.backend.views(
                    tracking, scene.clock, MarkCache.in(new ConcurrentHashMap<>()))
                : scene.store(tracking));
      }
    }

    void write(RandomScript.Round round, String history) {
      EntityStore<View> store = stores.get(round.tracking());
      List<Write<View>> writes =
          round.writes().stream()
              .map(w -> new Write<>(w.message(), key, w.action(), w.laneOrNull()))
              .toList();
      List<OracleCheck.Told> told = inBatches ? batch(store, writes) : oneByOne(store, writes);
      oracle = check.replay(oracle, told, store.tracking(), tellsMarks, name + " in " + history);
    }

    private List<OracleCheck.Told> batch(EntityStore<View> store, List<Write<View>> writes) {
      return told(writes, store.writeAll(writes), new IdentityHashMap<>());
    }

    private List<OracleCheck.Told> oneByOne(EntityStore<View> store, List<Write<View>> writes) {
      IdentityHashMap<Write<View>, Result<View>> alone = new IdentityHashMap<>();
      List<Result<View>> results =
          Batch.oneByOne(
              writes,
              store.tracking(),
              write -> {
                Result<View> result = Batch.alone(store, write);
                alone.put(write, result);
                return result;
              });
      return told(writes, results, alone);
    }

    /** What was told, by a call of its own if there was one. */
    private List<OracleCheck.Told> told(
        List<Write<View>> writes,
        List<Result<View>> results,
        IdentityHashMap<Write<View>, Result<View>> alone) {
      List<OracleCheck.Told> told = new ArrayList<>();
      for (int i = 0; i < writes.size(); i++) {
        Write<View> write = writes.get(i);
        told.add(new OracleCheck.Told(write, alone.getOrDefault(write, results.get(i))));
      }
      return told;
    }

    void assertState(int number, String history) {
      Tracking tracking = RandomScript.TRACKINGS.get(number);
      List<String> differences = check.differences(oracle, check.seen(tracking), tracking);
      assertEquals(List.of(), differences, () -> name + " at the end of " + history);
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
        .withExamples(Sizes.examples(scene.backend) / 10)
        .withShrinkCycles(0)
        .forAll(longs().all())
        .checkAssert(example -> compare(example, changesPolicies));
  }

  private void compare(long example, boolean changesPolicies) {
    RandomScript script = new RandomScript(example, changesPolicies);
    List<Way> ways = ways(changesPolicies);
    StringBuilder history = new StringBuilder("example " + example);
    int tracking = 0;
    for (int number = 0; number < ROUNDS; number++) {
      RandomScript.Round round = script.round(scene.key, scene.clock.instant());
      tracking = round.tracking();
      scene.clock.move(round.pause());
      history.append("\n").append(round);
      ways.forEach(way -> way.write(round, history.toString()));
    }
    for (Way way : ways) {
      way.assertState(tracking, history.toString());
    }
  }

  private List<Way> ways(boolean changesPolicies) {
    List<Way> ways = new ArrayList<>();
    ways.add(new Way("one by one", false, false));
    ways.add(new Way("in batches", true, false));
    if (!changesPolicies) { // else other processes delete what a cache still knows
      ways.add(new Way("with a cache", false, true));
      ways.add(new Way("in batches with a cache", true, true));
    }
    return ways;
  }
}
