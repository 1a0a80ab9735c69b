package dev.tidemark.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.IdPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Tracking;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Slots of message IDs")
class SlotsTest {
  private static final Duration SKEW = Duration.ofMinutes(5);
  private static final Duration HORIZON = Duration.ofHours(10);

  private final Map<MessageId, Instant> recorded = new LinkedHashMap<>();
  private Map<String, Object> marks = Map.of();
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");
  private int rewrites;

  @DisplayName("remember every id for the horizon, at one rewrite in 20, whatever the rhythm")
  @ParameterizedTest(name = "one message every {0} seconds")
  @ValueSource(longs = {1, 60, 500, 1_800, 3_600, 36_000, 40_000, 100_000, 0})
  void keptForADuration(long seconds) {
    Random random = new Random(seconds);
    IdPolicy policy = IdPolicy.keptFor(HORIZON).maxSkew(SKEW);
    int messages = 3_000;
    for (int i = 0; i < messages; i++) {
      now = now.plusSeconds(seconds);
      Instant skewed = now.plusSeconds(random.nextInt(300) - 150L);
      deliver(policy, MessageId.of("m" + i), skewed);
      if (i % 100 == 0) {
        Slots slots = slots(policy);
        recorded.forEach(
            (id, at) ->
                assertTrue(
                    at.plus(HORIZON).isBefore(now) || remembers(slots, id), id + " forgotten"));
      }
    }
    long half = seconds == 0 ? messages : HORIZON.plus(SKEW).toSeconds() / 2 / seconds;
    assertTrue(stored() <= 3 * Math.max(20, half + 2), () -> "stored " + stored());
    assertTrue(rewrites <= messages / 20, () -> "rewrites " + rewrites);
  }

  @DisplayName("remember at least the last n, and at most half as many or 40 more")
  @ParameterizedTest(name = "n = {0}")
  @ValueSource(ints = {1, 5, 20, 21, 80, 100, 1_000})
  void lastN(int n) {
    IdPolicy policy = IdPolicy.last(n);
    int messages = 3_000;
    for (int i = 0; i < messages; i++) {
      deliver(policy, MessageId.of("m" + i), now);
      if (i % 50 == 0) {
        Slots slots = slots(policy);
        for (int back = 0; back < n && back <= i; back++) {
          assertTrue(remembers(slots, MessageId.of("m" + (i - back))), "n - " + back);
        }
      }
      assertTrue(stored() <= n + Math.max(40, (n + 1) / 2), () -> "stored " + stored());
    }
    assertTrue(rewrites <= messages / 20, () -> "rewrites " + rewrites);
  }

  @Test
  @DisplayName("remember the last n where room is made for an ID that is not recorded yet")
  void room() {
    for (int n : List.of(1, 20, 21, 22, 41, 80)) {
      marks = Map.of();
      IdPolicy policy = IdPolicy.last(n);
      for (int i = 0; i < 200; i++) {
        Marking call = call(policy, MessageId.of("m" + i), now);
        if (!call.acceptsBlindly(marks)) {
          marks = Evaluator.apply(call.room(new Found<>(true, marks, null)).operations(), marks);
          for (int back = 1; back <= n && back <= i; back++) {
            String id = "m" + (i - back);
            assertTrue(remembers(slots(policy), MessageId.of(id)), () -> id + " of " + n);
          }
        }
        deliver(policy, MessageId.of("m" + i), now);
      }
    }
    assertEquals(0, rewrites);
  }

  @Test
  @DisplayName("let no write that reads nothing pass by closed ones of the other form")
  void otherForm() {
    Names names = Names.flat(Tracking.defaults());
    MessageId known = MessageId.of("m-1");
    for (IdPolicy policy :
        List.of(IdPolicy.keptFor(HORIZON), IdPolicy.last(9), IdPolicy.forEver())) {
      for (int slot = 1; slot <= Names.CLOSED_SLOTS; slot++) {
        marks = Map.of(names.ids(slot), Set.of("m-1"), names.closed(), List.of(1L, 1L));
        assertFalse(call(policy.compact(), known, now).acceptsBlindly(marks));
        assertFalse(call(policy, known, now).acceptsBlindly(marks));
        assertTrue(call(policy, MessageId.of("m-2"), now).acceptsBlindly(marks));
      }
    }
  }

  @DisplayName("keep what any policy promised when another takes over")
  @ParameterizedTest(name = "seed {0}")
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void policiesInTurn(long seed) {
    Random random = new Random(seed);
    List<IdPolicy> policies =
        List.of(
            IdPolicy.forEver(),
            IdPolicy.keptFor(HORIZON).maxSkew(SKEW),
            IdPolicy.keptFor(HORIZON.multipliedBy(3)).maxSkew(SKEW),
            IdPolicy.last(200));
    for (int i = 0; i < 2_000; i++) {
      now = now.plusSeconds(random.nextInt(1_200));
      IdPolicy policy = policies.get(i / 150 % policies.size());
      deliver(policy, MessageId.of("m" + i), now);
      Slots slots = slots(policy);
      for (int back = 0; back < 3 && back <= i; back++) {
        assertTrue(remembers(slots, MessageId.of("m" + (i - back))), i + " - " + back);
      }
    }
  }

  @Test
  @DisplayName("have two forms of the longest id, which starts as one of several fields does")
  void longest() {
    MessageId longest = MessageId.of("a", "x".repeat(8_189));
    assertEquals(8_192, longest.value().length());
    assertEquals(2, Ids.allForms(longest).size());
  }

  private void deliver(IdPolicy policy, MessageId id, Instant writersTime) {
    Marking call = call(policy, id, writersTime);
    if (call.acceptsBlindly(marks)) {
      marks = Evaluator.apply(call.blind(Set.of()).operations(), marks);
    } else {
      rewrites++;
      marks = call.marksAfter(marks, Set.of());
    }
    assertTrue(!call.acceptsBlindly(marks), "its own redelivery passes the guard");
    recorded.put(id, writersTime);
  }

  private Slots slots(IdPolicy policy) {
    return Slots.read(marks, Names.flat(Tracking.defaults()), policy);
  }

  private static boolean remembers(Slots slots, MessageId id) {
    return slots.remembers(Ids.allForms(id));
  }

  private static Marking call(IdPolicy policy, MessageId id, Instant at) {
    Tracking tracking = Tracking.defaults().messageIds(policy);
    Clock clock = Clock.fixed(at, ZoneOffset.UTC);
    return new Marking(
        List.of(id),
        EntityKey.key("k"),
        tracking,
        Names.flat(tracking),
        clock.instant(),
        Revision.newToken());
  }

  private int stored() {
    Names names = Names.flat(Tracking.defaults());
    int stored = 0;
    for (int slot = 0; slot <= Names.CLOSED_SLOTS; slot++) {
      stored += marks.get(names.ids(slot)) instanceof Set<?> ids ? ids.size() : 0;
    }
    return stored;
  }
}
