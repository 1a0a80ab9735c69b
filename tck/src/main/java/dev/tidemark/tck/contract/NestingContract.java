package dev.tidemark.tck.contract;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.Contract;
import dev.tidemark.tck.Law;
import dev.tidemark.tck.View;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@Contract(Law.CHANGES)
@DisplayName("Conditions nest so deep that every store takes them, and no deeper")
final class NestingContract {
  private static final int DEEPEST = 50;

  private final Scene scene;
  private final EntityStore<View> store;

  NestingContract(Backend backend) {
    this.scene = new Scene(backend);
    this.store = scene.store();
  }

  private static Condition inverted(int times) {
    Condition condition = attribute("status").is("PLACED");
    for (int i = 0; i < times; i++) {
      condition = condition.not();
    }
    return condition;
  }

  /** True where the status is PLACED, by and() and or() in turn. */
  private static Condition alternating(int times) {
    Condition condition = attribute("status").is("PLACED");
    for (int i = 0; i < times; i++) {
      condition =
          i % 2 == 0
              ? condition.and(attribute("total").atLeast(i))
              : condition.or(attribute("note").is("n" + i));
    }
    return condition;
  }

  private void passes(Condition condition, boolean expected) {
    EntityKey key = Some.key();
    scene.backend.putRaw(key, Map.of("status", "PLACED", "total", 1_000));
    var outcome = store.update(Some.id(), key, change().set("note", "x").onlyIf(condition));
    if (expected) {
      Expect.applied(outcome);
    } else {
      Expect.refused(outcome);
    }
  }

  @Test
  @DisplayName("the deepest condition that is allowed means the same on every store")
  void deepest() {
    passes(inverted(DEEPEST), true);
    passes(inverted(DEEPEST - 1), false);
    passes(alternating(DEEPEST), true);
    passes(alternating(DEEPEST - 1).not(), false);
  }

  @Test
  @DisplayName("a deeper one is refused where it is made, and says what to do")
  void deeper() {
    for (int times : new int[] {DEEPEST + 1, 10_000}) {
      assertRefused(assertThrows(IllegalArgumentException.class, () -> inverted(times)));
      assertRefused(assertThrows(IllegalArgumentException.class, () -> alternating(times)));
    }
  }

  private static void assertRefused(IllegalArgumentException fault) {
    String text = String.valueOf(fault.getMessage());
    assertTrue(text.contains(String.valueOf(DEEPEST)) && text.contains("not()"), text);
  }
}
