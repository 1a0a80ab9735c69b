package dev.tidemark.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EventPolicy;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * What a policy may say of a position after others have written the mark, held to the truth: which
 * positions were applied.
 */
@DisplayName("A policy, whichever policies wrote the mark before it,")
class PolicyChangesTest {
  private static final Source SOURCE = Source.of("Order", "1");
  private static final int HIGHEST = 90;

  private static final List<EventPolicy> POLICIES =
      List.of(
          EventPolicy.dropLate(),
          EventPolicy.contiguous(),
          EventPolicy.contiguous().startingAt(0),
          EventPolicy.contiguous().startingAt(3),
          EventPolicy.denseWindow(2),
          EventPolicy.denseWindow(9),
          EventPolicy.denseWindow(2).startingAt(0),
          EventPolicy.denseWindow(5).startingAt(3),
          EventPolicy.denseWindow(2).givingUpHoles(),
          EventPolicy.denseWindow(9).startingAt(3).givingUpHoles(),
          EventPolicy.sparseWindow(2),
          EventPolicy.sparseWindow(9));

  /** One mark, the truth about it, and what led to it. */
  private static final class Life {
    private final List<String> story = new ArrayList<>();
    private final Set<Long> applied = new TreeSet<>();
    private SourceMark mark = SourceMark.NONE;

    /** Whether a policy has written that takes what it passes for done. */
    private boolean passes;

    private static SourceEvent event(long position) {
      return SourceEvent.of(SOURCE, Position.of(position));
    }

    void deliver(EventPolicy policy, long position) {
      if (position >= policy.startingAt()
          && Judge.judge(mark, event(position), policy).kind() == Judgement.Kind.FRESH) {
        mark = Judge.advance(mark, event(position), policy);
        applied.add(position);
        passes |= policy.kind() == EventPolicy.Kind.DROP_LATE;
        story.add(policy + " starting at " + policy.startingAt() + " applies " + position);
      }
    }

    void assertJudged(EventPolicy policy) {
      for (long position = policy.startingAt(); position <= HIGHEST; position++) {
        Judgement.Kind kind = Judge.judge(mark, event(position), policy).kind();
        boolean known = applied.contains(position);
        boolean may =
            switch (kind) {
              case FRESH, GAP -> !known;
              case DUPLICATE -> known || mayTakeForApplied(policy, position);
              case STALE -> policy.kind() == EventPolicy.Kind.DROP_LATE;
              case BEYOND_HORIZON -> policy.kind() != EventPolicy.Kind.DROP_LATE;
            };
        assertTrue(may, "position " + position + " is " + kind + " under " + policy + ": " + story);
      }
    }

    /** Dense policies take what is below another's mark as applied, unless it was given up. */
    private boolean mayTakeForApplied(EventPolicy policy, long position) {
      boolean below = applied.stream().anyMatch(other -> other > position);
      return policy.isDense() && below && (passes || position < 3);
    }
  }

  @Test
  @DisplayName("never takes what was not applied for a duplicate, nor what was applied for fresh")
  void everyChange() {
    for (EventPolicy writer : POLICIES) {
      for (EventPolicy judge : POLICIES) {
        for (long seed = 0; seed < 16; seed++) {
          Random random = new Random(seed);
          Life life = new Life();
          life.story.add("seed " + seed);
          for (int i = 0; i < 12; i++) {
            life.deliver(writer, random.nextInt(seed % 2 == 0 ? 12 : 70));
          }
          life.assertJudged(judge);
          life.deliver(judge, random.nextInt(HIGHEST));
          POLICIES.forEach(life::assertJudged);
        }
      }
    }
  }

  @Test
  @DisplayName("answers BeyondHorizon for a position that a dense window gave up")
  void givenUp() {
    Life life = new Life();
    life.deliver(EventPolicy.denseWindow(3).givingUpHoles(), 1);
    life.deliver(EventPolicy.denseWindow(3).givingUpHoles(), 40);
    SourceEvent hole = Life.event(37);
    assertEquals(
        Judgement.Kind.BEYOND_HORIZON,
        Judge.judge(life.mark, hole, EventPolicy.sparseWindow(3)).kind());
    assertEquals(Judgement.Kind.STALE, Judge.judge(life.mark, hole, EventPolicy.dropLate()).kind());
  }
}
