package dev.tidemark.kernel;

import dev.tidemark.EventPolicy;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.math.BigInteger;
import org.jspecify.annotations.Nullable;

/**
 * One event that has a number and no generation, of a source whose late events are dropped. The
 * guard and the operations of a write that records it alone are those of every other such write,
 * but for the name of the mark, the position and the token.
 *
 * @param mark the flat name of the mark
 * @param position as it is stored
 */
public record PlainEvent(String mark, Object position) {
  private static final String MODEL = "any";
  private static final Position MODEL_POSITION =
      Position.of(BigInteger.TEN.pow(33).add(BigInteger.TWO));

  /** The event as one of these; null if it is another. */
  static @Nullable PlainEvent of(SourceEvent event, Tracking tracking, Names names) {
    boolean plain =
        event.source().generation() == 0
            && event.position() instanceof Position.Numeric
            && tracking.events(event.source().type()).kind() == EventPolicy.Kind.DROP_LATE;
    return plain
        ? new PlainEvent(
            names.mark(event.source(), Names.Part.MARK), Positions.stored(event.position()))
        : null;
  }

  /** A plain event of another source, at a position that no real event has. */
  static SourceEvent model(SourceEvent event) {
    return new SourceEvent(Source.of(event.source().type(), MODEL), MODEL_POSITION);
  }
}
