package dev.tidemark.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.ContentionException;
import dev.tidemark.MessageId;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.marks.MarkCache;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A run, step by step")
final class RunTest extends RunSteps {
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
    busyAndDoubtful(run);
    run.found(Kept.of(Map.of()));
    assertWords(run, "ContentionException");
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
    reply(run, new Reply.Refused<>(null, null));
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
    run.found(Kept.of(Map.of()));
    return ((Result.Failed<String>) run.results().get(0)).fault();
  }
}
