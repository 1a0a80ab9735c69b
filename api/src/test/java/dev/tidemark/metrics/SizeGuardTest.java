package dev.tidemark.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Logged;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A size guard")
class SizeGuardTest {
  private static final long LIMIT = 409_600;

  /** Moved by hand. */
  private static final class HandClock extends Clock {
    private Instant now = Instant.EPOCH;

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  private final HandClock clock = new HandClock();
  private final SizeGuard guard = SizeGuard.of(clock);
  private final Logged log = Logged.of(SizeGuard.class);

  @AfterEach
  void close() {
    log.close();
  }

  static StoreCall call(String store, StoreCall.Size... sizes) {
    return new StoreCall(
        StoreCall.Method.UPDATE,
        store,
        Map.of("Applied", 1),
        Map.of(),
        0,
        new StoreCall.Requests(0, 1, 1, OptionalDouble.empty(), OptionalDouble.empty()),
        Duration.ofMillis(2),
        Arrays.asList(sizes));
  }

  private static StoreCall.Size size(long bytes, long ofMarks) {
    return new StoreCall.Size(bytes, LIMIT, MarkCost.billed(bytes, ofMarks));
  }

  @Test
  @DisplayName("warns at 80 % of the limit, not one byte before")
  void share() {
    guard.ended(call("orders", size(327_679, 1_000)));
    assertEquals(List.of(), log.said());
    guard.ended(call("orders", size(10, 0), size(327_680, 2_048)));
    assertEquals(
        List.of(
            "WARNING An entity of orders has 80 % of the 409600 bytes that the store allows. "
                + "Marks have 2048 bytes of it, and add 2 write units to each write."),
        log.said());
  }

  @Test
  @DisplayName("warns at the share that it is given")
  void ownShare() {
    SizeGuard early = guard.from(0.5);
    early.ended(call("orders", new StoreCall.Size(8 << 20, 16 << 20, MarkCost.stored(7))));
    assertEquals(
        List.of(
            "WARNING An entity of orders has 50 % of the 16777216 bytes that the store allows. "
                + "Marks have 7 bytes of it."),
        log.said());
    assertThrows(IllegalArgumentException.class, () -> guard.from(0));
    assertThrows(IllegalArgumentException.class, () -> guard.from(1.01));
    assertThrows(IllegalArgumentException.class, () -> guard.from(Double.NaN));
  }

  @Test
  @DisplayName("warns once a minute for each store")
  void silence() {
    StoreCall orders = call("orders", size(400_000, 0));
    guard.ended(orders);
    guard.ended(orders);
    clock.now = clock.now.plusMillis(59_999);
    guard.ended(orders);
    guard.ended(call("carts", size(400_000, 0)));
    assertEquals(2, log.said().size());
    clock.now = clock.now.plusMillis(1);
    guard.ended(orders);
    guard.ended(orders);
    assertEquals(3, log.said().size());
  }

  @Test
  @DisplayName("knows what marks add to a write: units with them minus units without")
  void marks() {
    assertEquals(OptionalLong.of(0), MarkCost.billed(1_024, 500).writeUnits());
    assertEquals(OptionalLong.of(1), MarkCost.billed(1_025, 1).writeUnits());
    assertEquals(OptionalLong.of(36), MarkCost.billed(36_900, 36_800).writeUnits());
    assertTrue(MarkCost.stored(5).writeUnits().isEmpty());
  }
}
