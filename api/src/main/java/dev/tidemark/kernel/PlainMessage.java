package dev.tidemark.kernel;

import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.math.BigInteger;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message ID within the horizon, or an event that has a number and no generation, of a source
 * whose late events are dropped. The guard and the operations of a write that records it alone are
 * those of every other such write, but for the name of the mark and some values.
 *
 * @param mark the flat name of an event's mark; null of a message ID, which has none of its own
 * @param values what differs, as it is stored
 */
public record PlainMessage(@Nullable String mark, List<Object> values) {
  /** A source that nobody else can name. */
  private static final String MODEL = UUID.randomUUID().toString();

  private static final MessageId MODEL_ID = MessageId.of(new UUID(0, 0).toString());
  private static final Instant MODEL_TIME = Instant.ofEpochMilli(-98_765_432_123_457L);
  private static final Position MODEL_POSITION =
      Position.of(BigInteger.TEN.pow(33).add(BigInteger.TWO));

  /** The message as one of these; null if it is another. */
  static @Nullable PlainMessage of(Message message, Tracking tracking, Names names, Instant now) {
    if (message instanceof SourceEvent event) {
      return isPlain(event, tracking)
          ? new PlainMessage(
              names.mark(event.source(), Names.Part.MARK),
              List.of(Positions.stored(event.position())))
          : null;
    }
    MessageId id = (MessageId) message;
    return Judge.isBeyondHorizon(id, tracking, now)
        ? null
        : new PlainMessage(null, Plan.values(id, tracking.messageIds(), now));
  }

  private static boolean isPlain(SourceEvent event, Tracking tracking) {
    return event.source().generation() == 0
        && event.position() instanceof Position.Numeric
        && tracking.events(event.source().type()).kind() == EventPolicy.Kind.DROP_LATE;
  }

  /** A time at which nobody writes. */
  static Instant modelTime() {
    return MODEL_TIME;
  }

  /** Another such message: an ID, or an event of another source at a position, that none has. */
  static Message model(Message message) {
    return message instanceof SourceEvent event
        ? new SourceEvent(new Source(event.source().type(), MODEL, 0), MODEL_POSITION)
        : MODEL_ID;
  }
}
