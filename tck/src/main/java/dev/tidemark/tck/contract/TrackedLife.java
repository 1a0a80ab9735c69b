package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.Oracle;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Tracked views, of a policy each, that are written one by one. */
final class TrackedLife implements Life {
  /** A view and what it should be. */
  static final class One {
    final EntityKey key = Some.key();
    final Tracking tracking;
    private final EntityStore<View> store;
    private final OracleCheck check;
    private Oracle oracle = Oracle.nothing();

    One(Backend backend, MovableClock clock, Tracking tracking) {
      this.tracking = tracking;
      this.store = backend.views(tracking, clock);
      this.check = new OracleCheck(backend, clock, key);
    }

    Oracle.Step step(Write<View> write, MovableClock clock) {
      return oracle.write(write, tracking, clock.instant());
    }

    /** The view is what a write has left. */
    void become(Oracle after) {
      oracle = after;
    }

    String state(MovableClock clock) {
      return oracle.at(clock.instant()).state().name();
    }

    void assertStored(String after) {
      assertEquals(
          List.of(),
          check.differences(oracle, check.seen(store), tracking),
          () -> "stored after " + after);
    }
  }

  private final List<One> views = new ArrayList<>();

  TrackedLife(Backend backend, MovableClock clock) {
    RandomScript.TRACKINGS.forEach(tracking -> views.add(new One(backend, clock, tracking)));
  }

  List<One> views() {
    return views;
  }

  static Write<View> write(One view, Random random, MovableClock clock) {
    return new RandomScript(random.nextLong(), false).write(view.key, clock.instant());
  }

  @Override
  public Told turn(Random random, MovableClock clock) {
    One view = views.get(random.nextInt(views.size()));
    Write<View> write = write(view, random, clock);
    Oracle.Step step = view.step(write, clock);
    Result<View> result = Batch.alone(view.store, write);
    String what = write + " under " + view.tracking;
    assertTrue(
        OracleCheck.agree(write, step, result, true),
        () ->
            what + " is " + OracleCheck.text(result) + ", not " + OracleCheck.text(step.result()));
    view.become(step.after());
    view.assertStored(what);
    String operation = write.action().getClass().getSimpleName().toLowerCase(Locale.ROOT);
    return new Told(operation, Words.of(result), view.state(clock), isMade(result));
  }

  /** Whether a write leaves what it was to leave. */
  static boolean isMade(Result<View> result) {
    Outcome<View> outcome = result.outcomeIfJudged().orElse(null);
    return outcome instanceof Outcome.Applied || outcome instanceof Outcome.Recorded;
  }
}
