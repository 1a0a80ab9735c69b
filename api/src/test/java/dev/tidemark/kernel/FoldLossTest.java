package dev.tidemark.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.ContentionException;
import dev.tidemark.Decision;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Key;
import dev.tidemark.MessageId;
import dev.tidemark.Operation;
import dev.tidemark.Outcome;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.Path;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A fold of which an attempt without an answer may land late")
final class FoldLossTest {
  private static final FoldedFunctions<String> NO_FUNCTIONS =
      new FoldedFunctions<>() {
        @Override
        public Decision<String> apply(Write.Action.Apply<String> write) {
          throw new AssertionError("no function was given");
        }

        @Override
        public @Nullable String entity() {
          return null;
        }
      };

  private static final Key KEY = Key.key("k");
  private static final Tracking TRACKING = Tracking.defaults();
  private static final Names NAMES = Names.flat(TRACKING);
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);

  private final Fold<String> fold =
      new Fold<>(
          Stream.of("a", "b").map(FoldLossTest::write).toList(),
          TRACKING,
          NAMES,
          CLOCK,
          write -> {},
          new Recall(null, TRACKING, "orders"));

  private static Write<String> write(String id) {
    return Write.update(
        MessageId.of(id), KEY, Change.change().createIfMissing().set("field-" + id, id));
  }

  /** The first attempt, which is lost; and a later one, made over nothing. */
  private FoldedWrite<String> lostAndLater() {
    FoldedWrite<String> first = ((Fold.Step.Blind<String>) fold.next()).attempt();
    first.marking().attemptWasUncertain();
    assertTrue(over(Map.of()), "a later attempt");
    return first;
  }

  /** Whether there is another attempt to make over these marks. */
  private boolean over(Map<String, Object> marks) {
    Found<String> found =
        marks.isEmpty() ? Found.nothing() : new Found<>(true, marks, "the entity");
    return fold.over(found, NO_FUNCTIONS).isPresent();
  }

  private static Map<String, Object> landed(FoldedWrite<String> attempt) {
    return attempt.marking().marksAfter(Map.of());
  }

  /** The marks once another writer has come too. */
  private static Map<String, Object> overwritten(Map<String, Object> marks) {
    Map<String, Object> after = new HashMap<>(marks);
    after.put(NAMES.revision(), Marking.newToken());
    return after;
  }

  private void assertUnknown(int place) {
    Result.Failed<String> failed = (Result.Failed<String>) fold.results().get(place);
    assertInstanceOf(OutcomeUnknownException.class, failed.fault());
  }

  @Test
  @DisplayName("is Applied if what is stored has the token of that attempt")
  void ours() {
    FoldedWrite<String> first = lostAndLater();
    assertEquals(false, over(landed(first)));
    assertInstanceOf(Fold.Step.Finished.class, fold.next());
    for (Result<String> result : fold.results()) {
      Result.Judged<String> judged = (Result.Judged<String>) result;
      assertInstanceOf(Outcome.Applied.class, judged.outcome());
    }
  }

  @Test
  @DisplayName("is unknown if another wrote since")
  void overwritten() {
    FoldedWrite<String> first = lostAndLater();
    assertEquals(false, over(overwritten(landed(first))));
    assertInstanceOf(Fold.Step.Finished.class, fold.next());
    assertUnknown(0);
    assertUnknown(1);
  }

  @Test
  @DisplayName("is a duplicate for what another made, if not all of its messages are known")
  void ofAnother() {
    lostAndLater();
    Map<String, Object> marks =
        Evaluator.apply(
            List.of(new Operation.AddAll(Path.of(NAMES.ids(0)), Set.of("a"))), Map.of());
    assertTrue(over(overwritten(marks)), "an attempt of the other");
    fold.accepted(false, null, Map.of());
    assertEquals(
        List.of("Duplicate", "Applied"),
        fold.results().stream()
            .map(r -> ((Result.Judged<String>) r).outcome().getClass().getSimpleName())
            .toList());
  }

  @Test
  @DisplayName("goes on by single calls: what these find is unknown, what they apply is not")
  void singly() {
    lostAndLater();
    fold.singly();
    assertInstanceOf(Fold.Step.Alone.class, fold.next());
    fold.end(0, new Result.Judged<>(new Outcome.Duplicate<>(null, null)));
    fold.end(1, new Result.Judged<>(new Outcome.Applied<>(null, false, null)));
    assertUnknown(0);
    assertInstanceOf(Result.Judged.class, fold.results().get(1));
  }

  @Test
  @DisplayName("goes on by single calls after a fault that may be of one: the same")
  void halved() {
    FoldedWrite<String> first = ((Fold.Step.Blind<String>) fold.next()).attempt();
    first.marking().attemptWasUncertain();
    InvalidChangeException fault = new InvalidChangeException("does not fit", KEY, null);
    fold.fault(fault, true);
    assertInstanceOf(Fold.Step.Alone.class, fold.next());
    fold.end(0, new Result.Judged<>(new Outcome.Duplicate<>(null, null)));
    fold.end(1, new Result.Failed<>(fault));
    assertUnknown(0);
    assertSame(fault, ((Result.Failed<String>) fold.results().get(1)).fault());
  }

  @Test
  @DisplayName("is unknown if contention ends the later attempt")
  void faults() {
    lostAndLater();
    fold.fault(new ContentionException("too many", KEY, null), false);
    assertUnknown(0);
    assertUnknown(1);
  }
}
