package dev.tidemark.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A backoff")
final class BackoffTest {
  @Test
  @DisplayName("doubles its pauses up to the longest, however many attempts there were")
  void doubling() {
    Backoff backoff = Backoff.doubling(Duration.ofMillis(250), Duration.ofSeconds(1));
    List<Duration> pauses = IntStream.rangeClosed(0, 4).mapToObj(backoff::after).toList();
    assertEquals(Stream.of(250, 250, 500, 1_000, 1_000).map(Duration::ofMillis).toList(), pauses);
    for (int attempts : List.of(32, 64, 65, Integer.MAX_VALUE)) {
      assertEquals(Duration.ofSeconds(1), backoff.after(attempts));
    }
  }

  @Test
  @DisplayName("takes pauses that are longer than nanoseconds can tell")
  void forEver() {
    Duration ever = Duration.ofSeconds(Long.MAX_VALUE);
    Backoff backoff = Backoff.doubling(Duration.ofMillis(1), ever);
    assertEquals(Duration.ofMillis(2), backoff.after(2));
    assertEquals(ever, backoff.after(200));
  }

  @Test
  @DisplayName("leaves a part of each pause to chance, and no more")
  void spread() {
    Backoff backoff = Backoff.contending(Duration.ofMillis(2));
    for (int attempts = 1; attempts < 50; attempts++) {
      Duration most = new Backoff(backoff.first(), 1.5, backoff.longest(), 0).after(attempts);
      Duration pause = backoff.after(attempts);
      assertTrue(pause.multipliedBy(2).plusNanos(2).compareTo(most) >= 0, pause::toString);
      assertTrue(pause.compareTo(most) <= 0, pause::toString);
    }
    assertEquals(Duration.ofMillis(500), backoff.longest());
  }

  @Test
  @DisplayName("of an intake has 1 ms to 1 day, both of them included")
  void bounds() {
    Duration least = Duration.ofMillis(1);
    Duration day = Duration.ofDays(1);
    assertEquals(least, Backoff.ofIntake(least, day).after(1));
    assertEquals(day, Backoff.ofIntake(day, day).after(9));
    Duration less = Duration.ofNanos(999_999);
    assertThrows(IllegalArgumentException.class, () -> Backoff.ofIntake(less, day));
    assertThrows(IllegalArgumentException.class, () -> Backoff.ofIntake(day, least));
    Duration more = day.plusNanos(1);
    assertThrows(IllegalArgumentException.class, () -> Backoff.ofIntake(least, more));
  }
}
