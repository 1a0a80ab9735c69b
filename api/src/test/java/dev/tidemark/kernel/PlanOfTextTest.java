package dev.tidemark.kernel;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.CorruptRecordException;
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
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Windows of positions that are strings")
final class PlanOfTextTest {
  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);
  private static final Tracking TRACKING = Tracking.defaults().events(EventPolicy.sparseWindow(5));

  @Test
  @DisplayName("take every position of their width blindly, and none of another width")
  void oneWidth() {
    Marking first = call("10");
    Map<String, Object> marks =
        Evaluator.apply(first.blind(Set.of()).operations(), Map.<String, Object>of());
    assertTrue(first.acceptsBlindly(Map.of()));
    assertTrue(call("11").acceptsBlindly(marks));
    assertTrue(call("09").acceptsBlindly(marks));
    for (String other : new String[] {"9", "011", "999"}) {
      assertFalse(call(other).acceptsBlindly(marks), other);
      assertThrows(
          CorruptRecordException.class, () -> call(other).marksAfter(marks, Set.of()), other);
    }
  }

  @Test
  @DisplayName("go on blindly in a higher generation")
  void generation() {
    Map<String, Object> marks = call("10").marksAfter(Map.of(), Set.of());
    Source next = Source.of("Order", "1").generation(1);
    Map<String, Object> after = call(next, "05").marksAfter(marks, Set.of());
    assertTrue(call(next, "06").acceptsBlindly(after));
    assertFalse(call(next, "05").acceptsBlindly(after));
  }

  private static Marking call(String position) {
    return call(Source.of("Order", "1"), position);
  }

  private static Marking call(Source source, String position) {
    SourceEvent event = SourceEvent.of(source, Position.ofText(position));
    return new Marking(
        List.of(event),
        EntityKey.key("k"),
        TRACKING,
        Names.flat(TRACKING),
        CLOCK.instant(),
        Revision.newToken());
  }
}
