package dev.tidemark.execution;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.execution.Drama.Kind;
import dev.tidemark.execution.HeldRecords.Trouble;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Time passes inside requests: each request and each reply of claims, heartbeats, steps and ends
 * may be held for longer than every lease, lost, repeated, and land late, while owners are killed
 * and interrupted.
 */
@DisplayName("Where requests and replies are held for longer than a lease")
final class HeldRequestsTest {
  private static final int SEEDS = 1_000;

  /** Requests held for up to four leases, and lost ones. */
  private static Trouble trouble(long seed) {
    int held = seed % 3 == 0 ? 300 : 80;
    int lost = seed % 2 == 0 ? 100 : 0;
    return new Trouble(held, Drama.LEASE.multipliedBy(4), lost);
  }

  private static void all(Kind kind, int most) {
    for (int seed = 0; seed < SEEDS; seed++) {
      String which = kind + ", seed " + seed;
      try (Drama drama = new Drama(kind, seed, trouble(seed))) {
        drama.play(3, seed % 4, 0);
        drama.finish();
        judge(drama, most, which);
      } catch (AssertionError e) {
        throw new AssertionError(which + ": " + e.getMessage(), e);
      }
    }
  }

  private static void judge(Drama drama, int most, String which) {
    Map<String, Integer> acted = drama.acted();
    assertTrue(!acted.isEmpty(), which);
    acted.forEach((effect, times) -> assertTrue(times <= most, () -> which + ": " + acted));
    assertEquals(1, drama.results().size(), which);
    assertTrue(drama.written() <= 1, which);
  }

  @Test
  @DisplayName("work is of one owner at a time, and is done in the end")
  void plain() {
    all(Kind.PLAIN, Integer.MAX_VALUE);
  }

  @Test
  @DisplayName("work that renews its lease is of one owner at a time")
  void renewed() {
    all(Kind.RENEWED, Integer.MAX_VALUE);
  }

  @Test
  @DisplayName("a step that waits for a person acts once")
  void parking() {
    all(Kind.PARKING, 1);
  }

  @Test
  @DisplayName("a step that asks acts once")
  void asking() {
    all(Kind.ASKING, 1);
  }

  @Test
  @DisplayName("a step that acts again is of one owner at a time")
  void retrying() {
    all(Kind.RETRYING, Integer.MAX_VALUE);
  }

  @Test
  @DisplayName("a last write that tells of itself is made once, and steps before it act once")
  void completed() {
    all(Kind.COMPLETED, 1);
  }

  @Test
  @DisplayName("work that was interrupted and returned is not done again")
  void interrupted() {
    for (Kind kind : Kind.values()) {
      for (int seed = 0; seed < SEEDS / 5; seed++) {
        String which = kind + ", seed " + seed;
        try (Drama drama = new Drama(kind, seed, Trouble.NONE)) {
          drama.play(2, 0, 3);
          drama.finish();
          judge(drama, 1, which);
        } catch (AssertionError e) {
          throw new AssertionError(which + ": " + e.getMessage(), e);
        }
      }
    }
  }
}
