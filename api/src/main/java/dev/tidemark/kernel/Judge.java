package dev.tidemark.kernel;

import dev.tidemark.EventPolicy;
import dev.tidemark.IdPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Position;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The one pure judge: what a delivery deserves, and what the marks become when it is applied. Every
 * guard that a store runs is held to it.
 */
public final class Judge {
  /** How many entries beyond what a policy promises may be kept, so that pruning is rare. */
  public static final int SLACK = 20;

  private Judge() {}

  /**
   * Judges a message ID.
   *
   * @param remembered whether the entity has the id
   * @param id the delivery
   * @param tracking the policy
   * @param now the writer's clock
   * @return fresh, duplicate, or beyond the horizon
   */
  public static Judgement judge(boolean remembered, MessageId id, Tracking tracking, Instant now) {
    if (remembered) {
      return Judgement.DUPLICATE;
    }
    return isBeyondHorizon(id, tracking, now) ? Judgement.BEYOND_HORIZON : Judgement.FRESH;
  }

  static boolean isBeyondHorizon(MessageId id, Tracking tracking, Instant now) {
    IdPolicy policy = tracking.messageIds();
    return policy.keptFor().isPresent()
        && !tracking.rebuilds()
        && id.sentAt().isPresent()
        && id.sentAt().get().isBefore(now.minus(policy.keptFor().get()));
  }

  /**
   * Judges a source event, by the table of {@link EventPolicy}.
   *
   * @param mark what the entity remembers of the source
   * @param event the delivery
   * @param policy the policy of the source's type
   * @return what it deserves
   * @throws dev.tidemark.CorruptRecordException if the mark is of another kind or width
   * @throws IllegalArgumentException if a dense source has a position that is a string, or one
   *     below its first
   */
  public static Judgement judge(SourceMark mark, SourceEvent event, EventPolicy policy) {
    long generation = event.source().generation();
    requirePosition(event, policy);
    if (generation < mark.generation()) {
      return Judgement.STALE;
    }
    SourceMark current = generation > mark.generation() ? SourceMark.none(generation) : mark;
    return switch (policy.kind()) {
      case DROP_LATE -> dropLate(current, event.position());
      case SPARSE_WINDOW -> above(current, event.position(), Judgement.BEYOND_HORIZON);
      case CONTIGUOUS, DENSE_WINDOW -> dense(current, event.position(), policy);
    };
  }

  /** Refuses an event whose position its source cannot have, whatever is stored. */
  static void requirePosition(SourceEvent event, EventPolicy policy) {
    BigInteger first = BigInteger.valueOf(policy.startingAt());
    if (policy.isDense() && Positions.number(event.position()).compareTo(first) < 0) {
      throw new IllegalArgumentException(
          Ids.withoutSource(event)
              + " is below "
              + first
              + ", the first position of its policy "
              + policy.kind()
              + "; the policy of sources that start at 0 needs startingAt(0)");
    }
  }

  private static Judgement dropLate(SourceMark mark, Position position) {
    Judgement judgement = above(mark, position, Judgement.STALE);
    boolean overtaken = !mark.seen().isEmpty() && position.compareTo(mark.seen().last()) < 0;
    return overtaken && judgement.kind() == Judgement.Kind.FRESH ? Judgement.STALE : judgement;
  }

  /** Fresh above floor and horizon unless it was seen; below them it is what the policy says. */
  private static Judgement above(SourceMark mark, Position position, Judgement below) {
    if (isSeen(mark, position)) {
      return Judgement.DUPLICATE;
    }
    boolean passed = isAtOrBelow(position, mark.floor()) || isAtOrBelow(position, mark.horizon());
    return passed ? below : Judgement.FRESH;
  }

  private static Judgement dense(SourceMark mark, Position position, EventPolicy policy) {
    SourceMark normal = mark.dense(policy.startingAt());
    Position floor = Objects.requireNonNull(normal.floor());
    if (isAtOrBelow(position, normal.horizon())) {
      return Judgement.BEYOND_HORIZON;
    }
    if (isAtOrBelow(position, floor) || normal.seen().contains(position)) {
      return Judgement.DUPLICATE;
    }
    if (position.compareTo(Positions.plus(floor, reach(policy))) <= 0 || policy.givesUpHoles()) {
      return Judgement.FRESH;
    }
    return Judgement.gap(Positions.plus(floor, 1), holes(normal, position));
  }

  /** How far ahead of the floor a dense policy lets an event go. */
  static int reach(EventPolicy policy) {
    return policy.kind() == EventPolicy.Kind.CONTIGUOUS ? 1 : policy.size() + SLACK;
  }

  /** Whether a mark keeps positions one by one, so that it is more than the highest one. */
  static boolean isWindow(EventPolicy policy) {
    return policy.kind() == EventPolicy.Kind.DENSE_WINDOW
        || policy.kind() == EventPolicy.Kind.SPARSE_WINDOW;
  }

  /** Whether one of the messages is an event of a source with such a mark. */
  static boolean hasWindows(List<Message> messages, Tracking tracking) {
    for (Message message : messages) {
      if (message instanceof SourceEvent event
          && isWindow(tracking.events(event.source().type()))) {
        return true;
      }
    }
    return false;
  }

  private static List<Outcome.Hole> holes(SourceMark normal, Position position) {
    List<Outcome.Hole> holes = new ArrayList<>();
    Position next = Positions.plus(Objects.requireNonNull(normal.floor()), 1);
    for (Position seen : normal.seen().headSet(position, false)) {
      if (next.compareTo(seen) < 0) {
        holes.add(new Outcome.Hole(next, Positions.plus(seen, -1)));
      }
      next = Positions.plus(seen, 1);
    }
    if (next.compareTo(position) < 0) {
      holes.add(new Outcome.Hole(next, Positions.plus(position, -1)));
    }
    return holes;
  }

  private static boolean isSeen(SourceMark mark, Position position) {
    return mark.seen().contains(position)
        || (mark.isFloorApplied() && position.equals(mark.floor()));
  }

  private static boolean isAtOrBelow(Position position, @Nullable Position bound) {
    return bound != null && position.compareTo(bound) <= 0;
  }

  /**
   * What the mark becomes when a fresh event is applied.
   *
   * @param mark what the entity remembers of the source
   * @param event a delivery that was judged fresh
   * @param policy the policy of the source's type
   * @return the new mark, compacted
   */
  public static SourceMark advance(SourceMark mark, SourceEvent event, EventPolicy policy) {
    long generation = event.source().generation();
    SourceMark current = generation > mark.generation() ? SourceMark.none(generation) : mark;
    Position position = event.position();
    return switch (policy.kind()) {
      case DROP_LATE -> new SourceMark(generation, position, new TreeSet<>(), null);
      case SPARSE_WINDOW -> advanceSparse(current, position, policy.size());
      case CONTIGUOUS, DENSE_WINDOW -> advanceDense(current, position, policy);
    };
  }

  private static SourceMark advanceSparse(SourceMark mark, Position position, int size) {
    NavigableSet<Position> seen = new TreeSet<>(mark.seen());
    seen.add(position);
    Position horizon = mark.horizon();
    if (mark.floor() != null && !isAtOrBelow(mark.floor(), horizon)) {
      horizon = mark.floor();
    }
    if (seen.size() > size + SLACK) {
      while (seen.size() > size) {
        horizon = seen.pollFirst();
      }
    }
    return new SourceMark(mark.generation(), null, seen, horizon);
  }

  private static SourceMark advanceDense(SourceMark mark, Position position, EventPolicy policy) {
    SourceMark normal = mark.dense(policy.startingAt());
    NavigableSet<Position> seen = new TreeSet<>(normal.seen());
    seen.add(position);
    Position floor = Objects.requireNonNull(normal.floor());
    Position horizon = normal.horizon();
    if (position.compareTo(Positions.plus(floor, reach(policy))) > 0) {
      Position raised = Positions.plus(position, -policy.size());
      horizon = highestHole(floor, raised, seen);
      floor = raised;
    }
    return new SourceMark(mark.generation(), floor, seen, horizon).dense(policy.startingAt());
  }

  private static Position highestHole(
      Position floor, Position raised, NavigableSet<Position> seen) {
    BigInteger hole = Positions.number(raised);
    while (seen.contains(Position.of(hole)) && hole.compareTo(Positions.number(floor)) > 0) {
      hole = hole.subtract(BigInteger.ONE);
    }
    return Position.of(hole);
  }
}
