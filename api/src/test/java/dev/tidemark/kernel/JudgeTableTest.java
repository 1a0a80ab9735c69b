package dev.tidemark.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.EventPolicy;
import dev.tidemark.Outcome;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

@DisplayName("The judge's table")
class JudgeTableTest {
  private static final Source SOURCE = Source.of("Order", "1");

  /** The mark of a source to which these positions were applied, in this order. */
  private static SourceMark applied(EventPolicy policy, long... positions) {
    SourceMark mark = SourceMark.NONE;
    for (long position : positions) {
      SourceEvent event = SourceEvent.of(SOURCE, Position.of(position));
      assertEquals(Judgement.Kind.FRESH, Judge.judge(mark, event, policy).kind());
      mark = Judge.advance(mark, event, policy);
    }
    return mark;
  }

  private static Judgement judge(EventPolicy policy, SourceMark mark, long position) {
    return Judge.judge(mark, SourceEvent.of(SOURCE, Position.of(position)), policy);
  }

  private static void assertKind(
      Judgement.Kind kind, EventPolicy policy, SourceMark mark, long position) {
    assertEquals(kind, judge(policy, mark, position).kind());
  }

  @Nested
  @DisplayName("drop late")
  class DropLate {
    private final EventPolicy policy = EventPolicy.dropLate();
    private final SourceMark mark = applied(policy, 3, 7);

    @Test
    @DisplayName("no mark yet: applied, at any position")
    void none() {
      assertKind(Judgement.Kind.FRESH, policy, SourceMark.NONE, 42);
    }

    @Test
    @DisplayName("equal: duplicate; below: stale, also what was applied; next and ahead: applied")
    void cells() {
      assertKind(Judgement.Kind.DUPLICATE, policy, mark, 7);
      assertKind(Judgement.Kind.STALE, policy, mark, 6);
      assertKind(Judgement.Kind.STALE, policy, mark, 3);
      assertKind(Judgement.Kind.FRESH, policy, mark, 8);
      assertKind(Judgement.Kind.FRESH, policy, mark, 99);
    }
  }

  @Nested
  @DisplayName("contiguous")
  class Contiguous {
    private final EventPolicy policy = EventPolicy.contiguous();
    private final SourceMark mark = applied(policy, 1, 2, 3);

    @Test
    @DisplayName("no mark yet: applied at the declared first position, else gap")
    void none() {
      assertKind(Judgement.Kind.FRESH, policy, SourceMark.NONE, 1);
      assertKind(Judgement.Kind.GAP, policy, SourceMark.NONE, 2);
      assertKind(Judgement.Kind.FRESH, policy.startingAt(0), SourceMark.NONE, 0);
      assertKind(Judgement.Kind.FRESH, policy.startingAt(5), SourceMark.NONE, 5);
    }

    @Test
    @DisplayName("below the declared first position: bad input, whatever the mark")
    void belowTheFirst() {
      for (SourceMark any : List.of(SourceMark.NONE, mark)) {
        assertThrows(IllegalArgumentException.class, () -> judge(policy, any, 0));
        assertThrows(IllegalArgumentException.class, () -> judge(policy, any, -1));
        assertThrows(IllegalArgumentException.class, () -> judge(policy.startingAt(5), any, 4));
      }
    }

    @Test
    @DisplayName("equal and below: duplicate; next: applied")
    void seen() {
      assertKind(Judgement.Kind.DUPLICATE, policy, mark, 3);
      assertKind(Judgement.Kind.DUPLICATE, policy, mark, 1);
      assertKind(Judgement.Kind.FRESH, policy, mark, 4);
    }

    @Test
    @DisplayName("further ahead: gap, with the expected position and the hole")
    void gap() {
      Judgement gap = judge(policy, mark, 7);
      assertEquals(Judgement.Kind.GAP, gap.kind());
      assertEquals(Position.of(4), gap.expected());
      assertEquals(List.of(new Outcome.Hole(Position.of(4), Position.of(6))), gap.holes());
    }
  }

  @Nested
  @DisplayName("denseWindow(n)")
  class Dense {
    private final EventPolicy policy = EventPolicy.denseWindow(5);
    private final SourceMark mark = applied(policy, 1, 2, 5, 4);

    @Test
    @DisplayName("no mark yet: the first position is applied, one ahead is remembered")
    void none() {
      assertKind(Judgement.Kind.FRESH, policy, SourceMark.NONE, 1);
      assertKind(Judgement.Kind.FRESH, policy, SourceMark.NONE, 5);
      assertKind(Judgement.Kind.GAP, policy, SourceMark.NONE, 5 + Judge.SLACK + 1);
    }

    @Test
    @DisplayName("remembered and below the floor: duplicate; in the hole and next: applied")
    void seen() {
      assertKind(Judgement.Kind.DUPLICATE, policy, mark, 5);
      assertKind(Judgement.Kind.DUPLICATE, policy, mark, 1);
      assertKind(Judgement.Kind.FRESH, policy, mark, 3);
      assertKind(Judgement.Kind.FRESH, policy, mark, 6);
    }

    @Test
    @DisplayName("filling the hole moves the floor over what was seen")
    void floor() {
      SourceMark filled = applied(policy, 1, 2, 5, 4, 3);
      assertEquals(new SourceMark(0, Position.of(5), new TreeSet<>(), null), filled);
    }

    @Test
    @DisplayName("beyond the window: gap that names what is missing")
    void gap() {
      Judgement gap = judge(policy, mark, 2 + 5 + Judge.SLACK + 1);
      assertEquals(Position.of(3), gap.expected());
      assertEquals(new Outcome.Hole(Position.of(3), Position.of(3)), gap.holes().get(0));
      assertEquals(new Outcome.Hole(Position.of(6), Position.of(27)), gap.holes().get(1));
    }

    @Test
    @DisplayName("giving up holes: applied, then at or below the highest hole beyond the horizon")
    void givenUp() {
      EventPolicy lossy = policy.givingUpHoles();
      SourceMark far = applied(lossy, 1, 2, 5, 4, 40);
      assertKind(Judgement.Kind.BEYOND_HORIZON, lossy, far, 3);
      assertKind(Judgement.Kind.BEYOND_HORIZON, lossy, far, 35);
      assertKind(Judgement.Kind.FRESH, lossy, far, 36);
      assertKind(Judgement.Kind.DUPLICATE, lossy, far, 40);
    }
  }

  @Nested
  @DisplayName("sparseWindow(n)")
  class Sparse {
    private final EventPolicy policy = EventPolicy.sparseWindow(2);

    @Test
    @DisplayName("no mark yet, between and ahead: applied; remembered: duplicate")
    void cells() {
      SourceMark mark = applied(policy, 10, 30);
      assertKind(Judgement.Kind.FRESH, policy, SourceMark.NONE, 1_000);
      assertKind(Judgement.Kind.FRESH, policy, mark, 20);
      assertKind(Judgement.Kind.FRESH, policy, mark, 5);
      assertKind(Judgement.Kind.FRESH, policy, mark, 40);
      assertKind(Judgement.Kind.DUPLICATE, policy, mark, 10);
    }

    @Test
    @DisplayName("at or below what was forgotten: beyond the horizon; above it: applied")
    void forgotten() {
      long[] positions = new long[2 + Judge.SLACK + 1];
      for (int i = 0; i < positions.length; i++) {
        positions[i] = 10L * (i + 1);
      }
      SourceMark mark = applied(policy, positions);
      assertEquals(2, mark.seen().size());
      assertEquals(Position.of(210), mark.horizon());
      assertKind(Judgement.Kind.BEYOND_HORIZON, policy, mark, 210);
      assertKind(Judgement.Kind.BEYOND_HORIZON, policy, mark, 15);
      assertKind(Judgement.Kind.FRESH, policy, mark, 215);
      assertKind(Judgement.Kind.DUPLICATE, policy, mark, 220);
    }
  }

  @Test
  @DisplayName("a lower generation is stale, a higher one starts afresh, under every policy")
  void generations() {
    List<EventPolicy> policies =
        List.of(
            EventPolicy.dropLate(),
            EventPolicy.contiguous(),
            EventPolicy.denseWindow(3),
            EventPolicy.sparseWindow(3));
    for (EventPolicy policy : policies) {
      SourceEvent second = SourceEvent.of(SOURCE.generation(2), Position.of(1));
      SourceMark mark = Judge.advance(applied(policy, 1, 2), second, policy);
      assertEquals(2, mark.generation());
      assertKind(Judgement.Kind.STALE, policy, mark, 3);
      assertEquals(Judgement.DUPLICATE, Judge.judge(mark, second, policy));
      SourceEvent third = SourceEvent.of(SOURCE.generation(3), Position.of(1));
      assertEquals(Judgement.FRESH, Judge.judge(mark, third, policy));
    }
  }
}
