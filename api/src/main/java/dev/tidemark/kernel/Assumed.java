package dev.tidemark.kernel;

import dev.tidemark.Mark;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The marks that a writer may assume when it has not read the entity: those that the messages of
 * its own write leave, once the write is accepted. Tells which further messages may stand in the
 * write, and judges those of them that need no write.
 */
final class Assumed {
  /** How much a guard may ask: DynamoDB takes 300 operators and 4 KB. */
  private static final int CAPACITY = 100;

  private static final int OF_ID = 10;
  private static final int OF_EVENT = 8;

  private final Tracking tracking;
  private final Instant now;
  private Set<Object> ids = Set.of();
  private Map<Source, List<SourceEvent>> events = Map.of();
  private int asked;

  Assumed(Tracking tracking, Instant now) {
    this.tracking = tracking;
    this.now = now;
  }

  /** Whether a message may stand in the write, or can be judged beside it. */
  boolean takes(Message message) {
    if (message instanceof MessageId id) {
      boolean room = asked + OF_ID <= CAPACITY;
      return !Judge.isBeyondHorizon(id, tracking, now) && (room || isKnown(id));
    }
    SourceEvent event = (SourceEvent) message;
    List<SourceEvent> earlier = earlier(event);
    boolean asks = earlier.isEmpty() || isWindow(event);
    boolean room = !asks || asked + OF_EVENT <= CAPACITY;
    room &= !earlier.isEmpty() || events.size() < Room.inOneWrite(tracking);
    return room && (earlier.isEmpty() || goTogether(earlier.get(0), event)); // as all of them do
  }

  private boolean isKnown(MessageId id) {
    return Ids.allForms(id).stream().anyMatch(ids::contains);
  }

  /** Windows of two generations, and positions that do not compare, take a write each. */
  private boolean goTogether(SourceEvent one, SourceEvent other) {
    boolean generations =
        !isWindow(other) || one.source().generation() == other.source().generation();
    return generations && width(one.position()) == width(other.position());
  }

  private static int width(Position position) {
    return position instanceof Position.Textual fixed ? fixed.value().length() : 0;
  }

  private boolean isWindow(SourceEvent event) {
    return Judge.isWindow(tracking.events(event.source().type()));
  }

  private List<SourceEvent> earlier(SourceEvent event) {
    return events.isEmpty()
        ? List.of()
        : events.getOrDefault(event.source().generation(0), List.of());
  }

  /** Fresh too where only the guard can tell. */
  Judgement judge(Message message) {
    if (message instanceof MessageId id) {
      return isKnown(id) ? Judgement.DUPLICATE : Judgement.FRESH;
    }
    SourceEvent event = (SourceEvent) message;
    List<SourceEvent> earlier = earlier(event);
    if (earlier.isEmpty()) {
      return Judgement.FRESH;
    }
    if (isWindow(event)) {
      boolean seen = earlier.stream().anyMatch(o -> o.position().equals(event.position()));
      return seen ? Judgement.DUPLICATE : Judgement.FRESH;
    }
    return Judge.judge(mark(earlier), event, tracking.events(event.source().type()));
  }

  private static SourceMark mark(List<SourceEvent> earlier) {
    SourceEvent last = earlier.get(earlier.size() - 1);
    return new SourceMark(last.source().generation(), last.position(), new TreeSet<>(), null);
  }

  /** What is known of the mark of a message's source; null if nothing is. */
  @Nullable Mark mark(Message message) {
    List<SourceEvent> earlier =
        message instanceof SourceEvent event ? earlier(event) : List.<SourceEvent>of();
    if (earlier.isEmpty() || isWindow(earlier.get(0))) {
      return null;
    }
    return mark(earlier).highest(earlier.get(0).source());
  }

  /** Takes a message that was judged fresh into the write. */
  void add(Message message) {
    if (message instanceof MessageId id) {
      ids = ids.isEmpty() ? new HashSet<>() : ids;
      ids.add(Ids.stored(id, tracking.messageIds().isCompact()));
      asked += OF_ID;
      return;
    }
    SourceEvent event = (SourceEvent) message;
    asked += earlier(event).isEmpty() || isWindow(event) ? OF_EVENT : 0;
    events = events.isEmpty() ? new HashMap<>() : events;
    events.computeIfAbsent(event.source().generation(0), s -> new ArrayList<>()).add(event);
  }
}
