package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.Oracle;
import dev.tidemark.tck.ReferenceBackend;
import dev.tidemark.tck.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * The random life of one entity, written by the kernel's run over a map, beside other writers, over
 * a wire that loses, delays and turns away. What each call tells, and what is stored after it, has
 * to come of its messages judged one by one, in some order of them and of what others wrote.
 */
public final class RunTrial {
  private static final int ROUNDS = 6;

  /** How many replies a call of the reference loses before it gives up. */
  private static final int MOST_LOST = 8;

  private final EntityKey key = EntityKey.key("view");
  private final MovableClock clock = new MovableClock();
  private final Random random;
  private final RandomScript script;
  private final StringBuilder history = new StringBuilder();
  private final UnsureWire wire;
  private final ReferenceBackend backend;
  private final OracleCheck check;
  private Set<Oracle> possible = Set.of(Oracle.nothing());
  private Tracking tracking = RandomScript.TRACKINGS.get(0);

  private RunTrial(long seed) {
    history.append("life ").append(seed);
    random = new Random(seed);
    script = new RandomScript(random.nextLong(), random.nextBoolean());
    wire = new UnsureWire(random);
    backend = new ReferenceBackend(wire);
    check = new OracleCheck(backend, clock, key);
  }

  /**
   * Lives some lives.
   *
   * @param seed of the first
   * @param lives how many
   */
  public static void run(long seed, int lives) {
    for (int life = 0; life < lives; life++) {
      new RunTrial(seed + life).live();
    }
  }

  private void live() {
    for (int number = 0; number < ROUNDS; number++) {
      RandomScript.Round round = script.round(key, clock.instant());
      clock.move(round.pause());
      tracking = RandomScript.TRACKINGS.get(round.tracking());
      history.append("\nround of ").append(tracking);
      if (random.nextBoolean()) {
        call(round.writes(), true);
      } else {
        round.writes().forEach(write -> call(List.of(write), false));
      }
    }
  }

  /** Makes writes in trouble, and what is undone once more, in peace. */
  private void call(List<Write<View>> writes, boolean batch) {
    boolean erases = writes.stream().anyMatch(RunTrial::erases);
    UnsureWire.Worst worst =
        !erases ? UnsureWire.Worst.LATE : batch ? UnsureWire.Worst.BUSY : UnsureWire.Worst.LOST;
    wire.trouble(random.nextInt(3), worst, others(writes));
    List<OracleCheck.Told> told = make(writes, batch);
    wire.calm();
    explain(told, batch);
    List<Write<View>> undone =
        told.stream().filter(t -> !t.result().isDone()).map(OracleCheck.Told::write).toList();
    if (!undone.isEmpty()) {
      wire.trouble(0, UnsureWire.Worst.BUSY, List.of());
      List<OracleCheck.Told> again = make(undone, batch);
      wire.calm();
      explain(again, batch);
    }
  }

  /** What others write in between: now and then the same. */
  private List<Runnable> others(List<Write<View>> writes) {
    List<Runnable> others = new ArrayList<>();
    for (Write<View> write : script.round(key, clock.instant()).writes()) {
      Write<View> same = writes.get(random.nextInt(writes.size()));
      Write<View> other = random.nextInt(3) == 0 ? same : write;
      if (others.size() < 3 && !erases(other)) {
        others.add(() -> wire.told(new OracleCheck.Told(other, Batch.alone(store(), other))));
      }
    }
    return others;
  }

  /** Whether a write takes marks away: what was made before it and comes again is made again. */
  private static boolean erases(Write<View> write) {
    return write.action() instanceof Write.Action.Forget
        || (write.action() instanceof Write.Action.Update<View> update
            && !update.rules().retired().isEmpty());
  }

  private EntityStore<View> store() {
    return backend.views(tracking, clock);
  }

  private List<OracleCheck.Told> make(List<Write<View>> writes, boolean batch) {
    List<Result<View>> results =
        batch ? store().writeAll(writes) : List.of(Batch.alone(store(), writes.get(0)));
    List<OracleCheck.Told> told = new ArrayList<>();
    for (int i = 0; i < writes.size(); i++) {
      told.add(new OracleCheck.Told(writes.get(i), results.get(i)));
    }
    return told;
  }

  private void explain(List<OracleCheck.Told> told, boolean batch) {
    history.append("\n").append(told).append(wire);
    told.forEach(one -> assertNoNeedlessFault(one, batch));
    OracleCheck.Seen seen = check.seen(tracking);
    Instant now = clock.instant();
    Orders orders =
        new Orders(
            OracleCheck.judged(told, tracking, history.toString()),
            wire.told(),
            !batch,
            wire.losses() > 0,
            wire.hasLandedLate(),
            write -> oracle -> oracle.write(write, tracking, now));
    Set<Oracle> explained = orders.of(possible);
    List<String> differences = new ArrayList<>();
    explained.removeIf(
        oracle -> {
          List<String> found = check.differences(oracle, seen, tracking);
          differences.addAll(found);
          return !found.isEmpty();
        });
    assertFalse(
        explained.isEmpty(),
        () ->
            "no order of the writes tells and leaves this: "
                + orders.stuck()
                + differences
                + "\n"
                + history);
    possible = explained;
  }

  /** A result is unknown only if something was lost that what is stored does not settle. */
  private void assertNoNeedlessFault(OracleCheck.Told told, boolean batch) {
    boolean busy = wire.hasTurnedAway() || !wire.told().isEmpty();
    boolean unsettled =
        busy || batch || wire.losses() >= MOST_LOST || erases(told.write()) || !isFresh(told);
    boolean unknown = OracleCheck.isUnknown(told.result());
    assertFalse(unknown && wire.losses() == 0, () -> "unknown, of nothing lost: " + history);
    assertFalse(unknown && !unsettled, () -> "unknown, with nobody else: " + history);
    boolean contention = OracleCheck.isUndecided(told.result()) && !unknown;
    assertFalse(contention && !busy, () -> "contention with nobody: " + history);
  }

  private boolean isFresh(OracleCheck.Told told) {
    return possible.stream()
        .allMatch(
            oracle -> oracle.judged(told.write().message(), tracking, clock.instant()).isEmpty());
  }
}
