package dev.tidemark.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EventPolicy;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is stored of a source")
class SourceMarkTest {
  private static final Source SOURCE = Source.of("Order", "1");
  private static final Names NAMES = Names.flat(Tracking.defaults());

  private static SourceMark read(Map<String, Object> flat) {
    return SourceMark.read(flat, NAMES, SOURCE);
  }

  private static SourceMark wide(Names.Part part, Object value) {
    return read(Map.of(NAMES.mark(SOURCE, Names.Part.MARK), true, NAMES.mark(SOURCE, part), value));
  }

  @Test
  @DisplayName("parts mean something only where true stands in the mark's place")
  void partsAlone() {
    String seen = NAMES.mark(SOURCE, Names.Part.SEEN);
    String mark = NAMES.mark(SOURCE, Names.Part.MARK);
    assertEquals(SourceMark.NONE, read(Map.of(seen, Set.of(3L))));
    SourceMark plain = read(Map.of(mark, 5L, seen, Set.of(9L)));
    assertEquals(Position.of(5), plain.floor());
    assertTrue(plain.seen().isEmpty());
    for (Object foreign : List.of(false, List.of(), Map.of(), Set.of(1L))) {
      assertThrows(CorruptRecordException.class, () -> read(Map.of(mark, foreign)));
    }
  }

  @Test
  @DisplayName("a generation without any position is corrupt")
  void generationAlone() {
    assertThrows(CorruptRecordException.class, () -> wide(Names.Part.GENERATION, 1L));
  }

  @Test
  @DisplayName("a horizon alone is the highest position that is known")
  void horizonAlone() {
    SourceMark mark = wide(Names.Part.HORIZON, 7L);
    SourceEvent event = SourceEvent.of(SOURCE, Position.of(4));
    assertEquals(Judgement.STALE, Judge.judge(mark, event, EventPolicy.dropLate()));
    assertEquals(Position.of(7), Objects.requireNonNull(mark.highest(SOURCE)).highest());
  }
}
