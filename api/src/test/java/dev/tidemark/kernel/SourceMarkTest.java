package dev.tidemark.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EventPolicy;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is stored of a source")
class SourceMarkTest {
  private static final Source SOURCE = Source.of("Order", "1");
  private static final Names NAMES = Names.flat(Tracking.defaults());

  @Test
  @DisplayName("a generation without any position says nothing: the next event is fresh")
  void generationAlone() {
    Map<String, Object> flat = Map.of(NAMES.mark(SOURCE, Names.Part.GENERATION), 1L);
    SourceMark mark = SourceMark.read(flat, NAMES, SOURCE);
    assertTrue(mark.isNone());
    SourceEvent event = SourceEvent.of(SOURCE, Position.of(4));
    assertEquals(Judgement.FRESH, Judge.judge(mark, event, EventPolicy.dropLate()));
  }

  @Test
  @DisplayName("a horizon alone is the highest position that is known")
  void horizonAlone() {
    Map<String, Object> flat = Map.of(NAMES.mark(SOURCE, Names.Part.HORIZON), 7L);
    SourceMark mark = SourceMark.read(flat, NAMES, SOURCE);
    SourceEvent event = SourceEvent.of(SOURCE, Position.of(4));
    assertEquals(Judgement.STALE, Judge.judge(mark, event, EventPolicy.dropLate()));
    assertEquals(Position.of(7), Objects.requireNonNull(mark.highest(SOURCE)).highest());
  }
}
