package dev.tidemark.tck.contract;

import static org.quicktheories.QuickTheory.qt;
import static org.quicktheories.generators.SourceDSL.longs;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityStore;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Outcome;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.Neutral;
import dev.tidemark.tck.View;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.CHANGES)
@DisplayName("Random changes of random entities do what the kernel's evaluator says")
final class ChangePropertyContract {
  private final Scene scene;
  private final EntityStore<View> store;

  ChangePropertyContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store();
  }

  @Test
  @DisplayName(
      "operations and conditions, on attributes that are there, missing or of another kind")
  void randomChanges() {
    long seed = Sizes.seed();
    System.out.println("random changes: -Dtidemark.seed=" + seed);
    qt().withFixedSeed(seed)
        .withExamples(Sizes.examples(scene.backend))
        .forAll(longs().all())
        .checkAssert(this::check);
  }

  private void check(long example) {
    RandomChange random = new RandomChange(example);
    Map<String, Object> stored = random.record();
    Change change = random.change();
    Condition condition = random.condition(2);
    scene.backend.putRaw(scene.key, stored);
    String what = "example " + example + ": " + change.operations() + " if " + condition;
    Map<String, Object> expected = expected(stored, change, condition);
    String answer = answer(change.onlyIf(condition));
    String made = change.operations().isEmpty() ? "Recorded" : "Applied";
    String should =
        !Evaluator.test(condition, stored) ? "Refused" : expected == null ? "invalid" : made;
    if (!answer.equals(should)) {
      throw new AssertionError(what + " of " + stored + " is " + answer + ", not " + should);
    }
    Map<String, Object> after = Raw.attributes(scene.raw().orElseThrow());
    Raw.assertSame(should.equals(made) && expected != null ? expected : stored, after, what);
  }

  private String answer(Change change) {
    try {
      Outcome<View> outcome = store.update(Some.id(), scene.key, change);
      return outcome.getClass().getSimpleName();
    } catch (InvalidChangeException e) {
      return "invalid";
    }
  }

  /** Null where the change does not fit. */
  private static @org.jspecify.annotations.Nullable Map<String, Object> expected(
      Map<String, Object> stored, Change change, Condition condition) {
    try {
      return Evaluator.test(condition, stored)
          ? Neutral.record(Evaluator.apply(change.operations(), Neutral.record(stored)))
          : Neutral.record(stored);
    } catch (InvalidChangeException e) {
      return null;
    }
  }
}
