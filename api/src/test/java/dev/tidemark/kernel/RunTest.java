package dev.tidemark.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.ContentionException;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import dev.tidemark.Operation;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.Path;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.marks.MarkCache;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("A run, step by step")
final class RunTest {
  private static final int TRIES = 4;
  private static final EntityKey KEY = EntityKey.key("k");
  private static final Tracking TRACKING = Tracking.defaults();
  private static final Names NAMES = Names.flat(TRACKING);
  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC);
  private static final Patience PATIENCE =
      new Patience(TRIES, 3, 0, tries -> Duration.ofMillis(tries), race -> race.multipliedBy(2));

  /** A record of which functions are not asked. */
  private record Kept(Found<String> found) implements Stored<String> {
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

  private final List<Duration> pauses = new ArrayList<>();

  private static Write<String> write(String id) {
    return write(id, Change.change().createIfMissing().set("field-" + id, id));
  }

  private static Write<String> write(String id, Change change) {
    return Write.update(MessageId.of(id), KEY, change);
  }

  private static Run<String> run(Patience patience, List<Write<String>> writes) {
    return run(patience, writes, new Recall(null, TRACKING, "orders"));
  }

  private static Run<String> run(Patience patience, List<Write<String>> writes, Recall recall) {
    return new Run<>(writes, TRACKING, NAMES, CLOCK, write -> write, recall, patience);
  }

  /** The next step but for pauses. */
  private Step<String> step(Run<String> run) {
    Step<String> step = run.next();
    while (step instanceof Step.Pause<String> pause) {
      pauses.add(pause.time());
      step = run.next();
    }
    return step;
  }

  private Request<String> request(Run<String> run) {
    Step<String> step = step(run);
    assertInstanceOf(Step.Send.class, step);
    return ((Step.Send<String>) step).request();
  }

  private static void reply(Run<String> run, Reply<String> reply) {
    run.on(reply, false, Duration.ofMillis(10));
  }

  private static void refuse(Run<String> run, Map<String, Object> marks) {
    reply(run, new Reply.Refused<>(Kept.of(marks), false));
  }

  private static void accept(Run<String> run) {
    reply(run, new Reply.Accepted<>(false, "the entity", Map.of(), 0));
  }

  private static void lose(Run<String> run) {
    reply(run, new Reply.Lost<>(true, null));
  }

  private static Map<String, Object> landed(Request<String> request) {
    return request.marking().marksAfter(Map.of(), Set.of());
  }

  /** The marks once another writer has come too. */
  private static Map<String, Object> overwritten(Map<String, Object> marks) {
    Map<String, Object> after = new HashMap<>(marks);
    after.put(NAMES.revision(), Marking.newToken());
    return after;
  }

  private static Map<String, Object> knowing(String id) {
    return overwritten(
        Evaluator.apply(
            List.<Operation>of(
                new Operation.AddAll(Path.of(NAMES.ids(0)), Set.of(id)),
                new Operation.Assign(Path.of(NAMES.since()), 0L)),
            Map.of()));
  }

  private void assertWords(Run<String> run, String... words) {
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

  @Test
  @DisplayName("is asked as often as one likes, and takes the same step until it is told more")
  void sameStep() {
    Run<String> run = run(PATIENCE, List.of(write("a")));
    assertSame(request(run), request(run));
    accept(run);
    assertWords(run, "Applied");
  }

  @Test
  @DisplayName("asks again and again of a store that is busy, after pauses, and gives up")
  void busy() {
    Run<String> run = run(PATIENCE, List.of(write("a")));
    Request<String> first = request(run);
    for (int i = 0; i <= TRIES; i++) {
      assertSame(first, request(run));
      reply(run, new Reply.Busy<>(1, null));
    }
    assertWords(run, "ContentionException");
    assertEquals(Stream.of(1, 2, 3, 4).map(Duration::ofMillis).toList(), pauses, "growing pauses");
  }

  /** Until it gives up, of an attempt that the store's client may have made by itself. */
  private Request<String> busyAndDoubtful(Run<String> run) {
    Request<String> first = request(run);
    run.mayHaveBeenMade();
    for (int i = 0; i <= TRIES; i++) {
      assertSame(first, request(run));
      reply(run, new Reply.Busy<>(1, null));
    }
    assertInstanceOf(Step.Read.class, step(run), "a last look");
    return first;
  }

  @Test
  @DisplayName("looks before it gives up what its client may have made: nothing was written")
  void busyAndNotMade() {
    Run<String> run = run(PATIENCE, List.of(write("a")));
    Request<String> first = busyAndDoubtful(run);
    run.found(Kept.of(Map.of()));
    assertWords(run, "ContentionException");
    assertTrue(first.marking().isUncertain());
  }

  @Test
  @DisplayName("looks before it gives up what its client may have made: it was, or nobody knows")
  void busyAndMade() {
    Run<String> run = run(PATIENCE, List.of(write("a")));
    run.found(Kept.of(landed(busyAndDoubtful(run))));
    assertWords(run, "Applied");
    Run<String> overtaken = run(PATIENCE, List.of(write("a")));
    overtaken.found(Kept.of(overwritten(landed(busyAndDoubtful(overtaken)))));
    assertWords(overtaken, "OutcomeUnknownException");
    Run<String> unread = run(PATIENCE, List.of(write("a")));
    busyAndDoubtful(unread);
    unread.unread(new Reply.Busy<>(1, null));
    assertWords(unread, "OutcomeUnknownException");
  }

  @Test
  @DisplayName("makes room for others where it may, and begins anew")
  void yields() {
    Run<String> run = run(PATIENCE.yielding(1), List.of(write("a")));
    for (int i = 0; i <= TRIES; i++) {
      request(run);
      reply(run, new Reply.Busy<>(1, null));
    }
    assertInstanceOf(Step.Yield.class, step(run));
    request(run);
    accept(run);
    assertWords(run, "Applied");
  }

  @Test
  @DisplayName("counts its tries anew when a write was accepted")
  void progress() {
    Change ruled = Change.change().set("x", 1).onlyIf(Condition.attribute("y").is(2));
    Run<String> run = run(PATIENCE, List.of(write("a", ruled), write("b", ruled)));
    for (int accepted = 0; accepted < 2; accepted++) {
      for (int busy = 0; busy < TRIES; busy++) {
        request(run);
        reply(run, new Reply.Busy<>(1, null));
      }
      request(run);
      accept(run);
    }
    assertWords(run, "Applied", "Applied");
  }

  @Test
  @DisplayName("reads where a refusal has brought nothing")
  void silentRefusal() {
    Run<String> run = run(PATIENCE, List.of(write("a")));
    request(run);
    reply(run, new Reply.Refused<>(null, false));
    assertInstanceOf(Step.Read.class, step(run));
    run.found(Kept.of(knowing("a")));
    assertWords(run, "Duplicate");
  }

  @Test
  @DisplayName("knows the rule for false where nothing else has refused what it wrote over")
  void rule() {
    Change ruled = Change.change().set("x", 1).onlyIf(Condition.attribute("y").is(2));
    Run<String> run = run(PATIENCE, List.of(write("a", ruled.otherwiseSkip())));
    request(run);
    Map<String, Object> marks = knowing("b");
    refuse(run, marks);
    assertTrue(request(run).over() != null, "it writes over what refused it");
    refuse(run, marks);
    Request<String> record = request(run);
    assertInstanceOf(Effect.Nothing.class, record.effect());
    lose(run);
    request(run);
    refuse(run, record.marking().marksAfter(marks, Set.of()));
    assertWords(run, "Refused");
  }

  @Test
  @DisplayName("writes blindly again, aside, where the winner of a race lets it pass")
  void race() {
    Run<String> run = run(PATIENCE, List.of(write("a")));
    request(run);
    refuse(run, Map.of());
    assertTrue(request(run).over() != null);
    refuse(run, knowing("b"));
    assertTrue(request(run).over() == null);
    assertEquals(List.of(Duration.ofMillis(20)), pauses);
    accept(run);
    assertWords(run, "Applied");
  }

  @Nested
  @DisplayName("of which an attempt without an answer may land late")
  final class Loss {
    private final Run<String> run = run(PATIENCE, List.of(write("a"), write("b")));

    /** The first attempt, which is lost; and a later one, made over nothing. */
    private Request<String> lostAndLater() {
      Request<String> first = request(run);
      lose(run);
      assertSame(first, request(run), "the same again");
      refuse(run, Map.of());
      assertTrue(request(run).over() != null, "a later attempt");
      return first;
    }

    @Test
    @DisplayName("is Applied if what is stored has the token of that attempt")
    void ours() {
      Request<String> first = lostAndLater();
      refuse(run, landed(first));
      assertWords(run, "Applied", "Applied");
    }

    @Test
    @DisplayName("is unknown if another wrote since")
    void unknown() {
      Request<String> first = lostAndLater();
      refuse(run, overwritten(landed(first)));
      assertWords(run, "OutcomeUnknownException", "OutcomeUnknownException");
    }

    @Test
    @DisplayName("is a duplicate for what another made, if not all of its messages are known")
    void ofAnother() {
      lostAndLater();
      refuse(run, knowing("a"));
      request(run);
      accept(run);
      assertWords(run, "Duplicate", "Applied");
    }

    @Test
    @DisplayName("goes on after a fault that may be of one; as not all are known, none was applied")
    void halved() {
      request(run);
      lose(run);
      request(run);
      InvalidChangeException fault = new InvalidChangeException("does not fit", KEY, null);
      reply(run, new Reply.Fault<>(fault, true));
      assertEquals(1, request(run).marking().messages().size());
      refuse(run, knowing("a"));
      request(run);
      reply(run, new Reply.Fault<>(fault, true));
      request(run);
      refuse(run, knowing("a"));
      assertWords(run, "Duplicate", "InvalidChangeException");
    }

    @Test
    @DisplayName("is unknown if contention ends the later attempt")
    void contention() {
      lostAndLater();
      for (int i = 0; i < TRIES; i++) {
        request(run);
        reply(run, new Reply.Busy<>(1, null));
      }
      assertWords(run, "OutcomeUnknownException", "OutcomeUnknownException");
    }

    @Test
    @DisplayName("is unknown if no reply comes at all")
    void never() {
      for (int i = 0; i < 3; i++) {
        request(run);
        lose(run);
      }
      assertWords(run, "OutcomeUnknownException", "OutcomeUnknownException");
    }

    @Test
    @DisplayName("is unknown if the read that would tell fails")
    void unread() {
      request(run);
      lose(run);
      request(run);
      reply(run, new Reply.Refused<>(null, false));
      assertInstanceOf(Step.Read.class, step(run));
      run.unread(new Reply.Fault<>(new IllegalStateException("no connection"), false));
      assertWords(run, "OutcomeUnknownException", "OutcomeUnknownException");
    }
  }

  @Test
  @DisplayName("lets nothing be recalled of what a tombstone proves, which expires")
  void tombstone() {
    Recall recall = new Recall(MarkCache.in(new ConcurrentHashMap<>()), TRACKING, "orders");
    for (boolean deleted : List.of(true, false)) {
      Run<String> run = run(PATIENCE, List.of(write("a")), recall);
      request(run);
      Map<String, Object> marks = new HashMap<>(knowing("a"));
      if (deleted) {
        marks.put(NAMES.tombstone(), CLOCK.instant().plusSeconds(60).getEpochSecond());
      }
      refuse(run, marks);
      assertWords(run, "Duplicate");
      run.remember(null);
      assertEquals(deleted, recall.sure(MessageId.of("a"), KEY).isEmpty());
    }
  }

  @Test
  @DisplayName("fails all where it cannot read")
  void unreadable() {
    Run<String> run =
        run(PATIENCE, List.of(Write.apply(MessageId.of("a"), KEY, value -> value + "!")));
    assertInstanceOf(Step.Read.class, step(run));
    run.unread(new Reply.Fault<>(new ContentionException("throttled", KEY, null), false));
    assertWords(run, "ContentionException");
    assertInstanceOf(
        ContentionException.class, ((Result.Failed<String>) run.results().get(0)).fault());
  }

  @Test
  @DisplayName("gives the fault of a store back as it is, if nothing is uncertain")
  void fault() {
    Run<String> run = run(PATIENCE, List.of(write("a")));
    request(run);
    IllegalStateException fault = new IllegalStateException("no table");
    reply(run, new Reply.Fault<>(fault, false));
    assertWords(run, "IllegalStateException");
    assertSame(fault, ((Result.Failed<String>) run.results().get(0)).fault());
    assertEquals(OutcomeUnknownException.class, lostThen(fault).getClass());
  }

  private RuntimeException lostThen(RuntimeException fault) {
    Run<String> run = run(PATIENCE, List.of(write("a")));
    request(run);
    lose(run);
    request(run);
    reply(run, new Reply.Fault<>(fault, false));
    return ((Result.Failed<String>) run.results().get(0)).fault();
  }
}
