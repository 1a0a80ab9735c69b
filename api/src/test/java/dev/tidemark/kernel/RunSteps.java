package dev.tidemark.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Steps of a run that a test takes as a store would. */
abstract class RunSteps {
  static final int TRIES = 4;
  static final EntityKey KEY = EntityKey.key("k");
  static final Tracking TRACKING = Tracking.defaults();
  static final Names NAMES = Names.flat(TRACKING);
  static final Clock CLOCK = Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);
  static final Patience PATIENCE =
      new Patience(TRIES, 3, 0, tries -> Duration.ofMillis(tries), race -> race.multipliedBy(2));

  /** A record of which functions are not asked. */
  record Kept(Found<String> found) implements Stored<String> {
    static Kept of(Map<String, Object> marks) {
      return new Kept(marks.isEmpty() ? Found.nothing() : new Found<>(true, marks, "the entity"));
    }

    @Override
    public FoldedFunctions<String> functions() {
      return new FoldedFunctions<>() {
        @Override
        public Decision<String> apply(Write.Action.Apply<String> write) {
          throw new AssertionError("no function was given");
        }

        @Override
        public void renew(int recorded) {
          throw new AssertionError("no function was called");
        }

        @Override
        public boolean changed() {
          throw new AssertionError("no function was called");
        }

        @Override
        public @Nullable String entity() {
          return null;
        }
      };
    }
  }

  final List<Duration> pauses = new ArrayList<>();

  static Write<String> write(String id) {
    return write(id, Change.change().createIfMissing().set("field-" + id, id));
  }

  static Write<String> write(String id, Change change) {
    return Write.update(MessageId.of(id), KEY, change);
  }

  static Run<String> run(Patience patience, List<Write<String>> writes) {
    return run(patience, writes, new Recall(null, TRACKING, "orders"));
  }

  static Run<String> run(Patience patience, List<Write<String>> writes, Recall recall) {
    return new Run<>(writes, TRACKING, NAMES, CLOCK, write -> write, recall, patience);
  }

  /** The next step but for pauses. */
  Step<String> step(Run<String> run) {
    Step<String> step = run.next();
    while (step instanceof Step.Pause<String> pause) {
      pauses.add(pause.time());
      step = run.next();
    }
    return step;
  }

  Request<String> request(Run<String> run) {
    Step<String> step = step(run);
    assertInstanceOf(Step.Send.class, step);
    return ((Step.Send<String>) step).request();
  }

  static void reply(Run<String> run, Reply<String> reply) {
    run.on(reply, false, Duration.ofMillis(10));
  }

  static void refuse(Run<String> run, Map<String, Object> marks) {
    reply(run, new Reply.Refused<>(Kept.of(marks), null));
  }

  static void accept(Run<String> run) {
    reply(run, new Reply.Accepted<>(false, "the entity", Map.of(), 0));
  }

  static void lose(Run<String> run) {
    reply(run, new Reply.Lost<>(true, null));
  }

  static Map<String, Object> landed(Request<String> request) {
    return request.marking().marksAfter(Map.of(), Set.of());
  }

  /** The marks once another writer has come too. */
  static Map<String, Object> overwritten(Map<String, Object> marks) {
    Map<String, Object> after = new HashMap<>(marks);
    after.put(NAMES.revision(), Revision.newToken());
    return after;
  }

  static Map<String, Object> knowing(String id) {
    return overwritten(
        Evaluator.apply(
            List.<Operation>of(
                new Operation(Operation.Kind.ADD_ALL, Path.of(NAMES.ids(0)), Set.of(id)),
                Operation.assign(Path.of(NAMES.since()), 0L)),
            Map.of()));
  }

  void assertWords(Run<String> run, String... words) {
    assertInstanceOf(Step.Done.class, step(run));
    assertEquals(
        List.of(words),
        run.results().stream()
            .map(
                result ->
                    result instanceof Result.Failed<String> failed
                        ? failed.fault().getClass().getSimpleName()
                        : ((Result.Judged<String>) result).outcome().getClass().getSimpleName())
            .toList());
  }
}
