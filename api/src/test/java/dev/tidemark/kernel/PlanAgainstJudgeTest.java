package dev.tidemark.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.EventPolicy;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("A blind write's guard is held to the judge")
class PlanAgainstJudgeTest {
  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
  private static final Names NAMES = Names.flat(Tracking.defaults());
  private static final List<EventPolicy> POLICIES =
      List.of(
          EventPolicy.dropLate(),
          EventPolicy.contiguous(),
          EventPolicy.contiguous().startingAt(0),
          EventPolicy.denseWindow(3),
          EventPolicy.denseWindow(5).givingUpHoles(),
          EventPolicy.sparseWindow(4));

  @DisplayName("for random events under policies that change in between")
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
  void randomEvents(long seed) {
    Random random = new Random(seed);
    for (int entity = 0; entity < 60; entity++) {
      Map<String, Object> marks = Map.of();
      EventPolicy policy = POLICIES.get(random.nextInt(POLICIES.size()));
      for (int i = 0; i < 120; i++) {
        if (random.nextInt(40) == 0) {
          policy = POLICIES.get(random.nextInt(POLICIES.size()));
        }
        long generation = random.nextInt(50) == 0 ? random.nextInt(3) : 0;
        long lowest = policy.isDense() ? policy.startingAt() : 0;
        long position = Math.max(lowest, i / 2 + random.nextInt(9) - 4);
        marks = deliver(marks, policy, generation, position);
      }
    }
  }

  @Test
  @DisplayName("and a dense window takes no second write for what a sparse one forgot")
  void afterForgetting() {
    EventPolicy dense = EventPolicy.denseWindow(1);
    Map<String, Object> marks = Map.of();
    for (int position = 1; position <= 30; position++) {
      marks = deliver(marks, EventPolicy.sparseWindow(2), 0, position);
    }
    marks = deliver(marks, dense, 0, 31);
    for (int position = 32; position <= 40; position++) {
      assertTrue(call(dense, 0, position).acceptsBlindly(marks));
      marks = deliver(marks, dense, 0, position);
    }
    SourceEvent forgotten = SourceEvent.of("Order", "1", 1);
    SourceMark mark = SourceMark.read(marks, NAMES, forgotten.source());
    for (EventPolicy policy : List.of(dense, EventPolicy.contiguous())) {
      assertEquals(Judgement.BEYOND_HORIZON, Judge.judge(mark, forgotten, policy));
    }
  }

  private static Marking call(EventPolicy policy, long generation, long position) {
    Tracking tracking = Tracking.defaults().events(policy);
    Source source = Source.of("Order", "1").generation(generation);
    return new Marking(
        List.of(SourceEvent.of(source, Position.of(position))),
        EntityKey.key("k"),
        tracking,
        NAMES,
        CLOCK.instant(),
        Revision.newToken());
  }

  private static Map<String, Object> deliver(
      Map<String, Object> marks, EventPolicy policy, long generation, long position) {
    Marking call = call(policy, generation, position);
    SourceEvent event = (SourceEvent) call.messages().get(0);
    Source source = event.source();
    SourceMark before = SourceMark.read(marks, NAMES, source);
    Judgement judgement = Judge.judge(before, event, policy);
    boolean blind = Evaluator.test(call.blind(Set.of()).guard(), marks);
    String at = policy + " " + generation + "/" + position + " over " + marks;
    assertTrue(!blind || judgement.kind() == Judgement.Kind.FRESH, at);
    if (judgement.kind() != Judgement.Kind.FRESH) {
      return marks;
    }
    Map<String, Object> after =
        blind
            ? Evaluator.apply(call.blind(Set.of()).operations(), marks)
            : call.marksAfter(marks, Set.of());
    SourceMark expected = Judge.advance(before, event, policy);
    assertMeansTheSame(expected, SourceMark.read(after, NAMES, source), policy, source, at);
    return after;
  }

  /** Every later event gets the same judgement, up to what is remembered longer. */
  private static void assertMeansTheSame(
      SourceMark expected, SourceMark actual, EventPolicy policy, Source source, String at) {
    for (long p = policy.isDense() ? policy.startingAt() : 0; p < 100; p++) {
      SourceEvent later = SourceEvent.of(source, Position.of(p));
      Judgement.Kind should = Judge.judge(expected, later, policy).kind();
      Judgement.Kind does = Judge.judge(actual, later, policy).kind();
      boolean longer = should == Judgement.Kind.BEYOND_HORIZON && does == Judgement.Kind.DUPLICATE;
      if (!longer) {
        assertEquals(should, does, "position " + p + " after " + at);
      }
    }
  }
}
