package dev.tidemark.kernel;

import dev.tidemark.Attribute;
import dev.tidemark.Condition;
import dev.tidemark.EventPolicy;
import dev.tidemark.Operation;
import dev.tidemark.Operation.AddAll;
import dev.tidemark.Operation.Assign;
import dev.tidemark.Operation.AssignIfAbsent;
import dev.tidemark.Position;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The {@link Plan} of one event: what the mark of its source must be, and what it becomes. */
final class EventPlan {
  private final SourceEvent event;
  private final EventPolicy policy;
  private final Attribute floor;
  private final Attribute seen;
  private final Attribute horizon;
  private final Attribute generation;
  private final Attribute full;
  private final Object position;
  private final boolean starts;

  private EventPlan(SourceEvent event, EventPolicy policy, Names names) {
    this.event = event;
    this.policy = policy;
    this.floor = Condition.attribute(names.path(event.source(), Names.Part.FLOOR));
    this.seen = Condition.attribute(names.path(event.source(), Names.Part.SEEN));
    this.horizon = Condition.attribute(names.path(event.source(), Names.Part.HORIZON));
    this.generation = Condition.attribute(names.path(event.source(), Names.Part.GENERATION));
    this.full = Condition.attribute(names.path(names.full()));
    this.position = Positions.stored(event.position());
    this.starts = starts(event, policy);
  }

  /**
   * The write of an event.
   *
   * @param others how many more events of the source are in the same write
   */
  static Plan of(SourceEvent event, Tracking tracking, Names names, int others) {
    EventPlan plan = new EventPlan(event, tracking.events(event.source().type()), names);
    return new Plan(plan.guard(others), plan.operations());
  }

  /** Whether an event may be the first that the entity sees of its source. */
  private static boolean starts(SourceEvent event, EventPolicy policy) {
    Judge.requirePlace(event, policy);
    Position before = Position.of(policy.startingAt() - 1);
    return !policy.isDense()
        || event.position().compareTo(Positions.plus(before, Judge.reach(policy))) <= 0;
  }

  private Condition guard(int others) {
    if (!Judge.isWindow(policy) && event.source().generation() == 0) {
      return plain();
    }
    Condition room = full.isMissing().or(floor.exists()).or(seen.exists());
    return inGeneration(sameGeneration(others)).and(room);
  }

  /** The usual case in few words, which stores have to parse: a floor alone, or nothing yet. */
  private Condition plain() {
    Condition first = floor.isMissing().and(full.isMissing());
    return onlyFloor().and(generation.isMissing()).and(starts ? ahead().or(first) : ahead());
  }

  /** A mark of a lower generation may be overwritten blindly only where it is a floor alone. */
  private Condition inGeneration(Condition same) {
    long current = event.source().generation();
    if (current == 0) {
      return generation.isMissing().and(same);
    }
    Condition equal = generation.is(current).and(same);
    Condition lower =
        Judge.isWindow(policy)
            ? generation.isMissing().and(none())
            : generation.isMissing().or(generation.lessThan(current)).and(onlyFloor());
    return starts ? equal.or(lower) : equal;
  }

  private Condition sameGeneration(int others) {
    return switch (policy.kind()) {
      case DROP_LATE, CONTIGUOUS -> orFirst(onlyFloor().and(ahead()));
      case DENSE_WINDOW -> orFirst(withinReach());
      case SPARSE_WINDOW -> sparse(others);
    };
  }

  private Condition orFirst(Condition next) {
    return starts ? none().or(next) : next;
  }

  private Condition none() {
    return floor.isMissing().and(onlyFloor());
  }

  private Condition onlyFloor() {
    return seen.isMissing().and(horizon.isMissing());
  }

  /** What a floor has to be for an event that only moves it. */
  private Condition ahead() {
    return policy.kind() == EventPolicy.Kind.DROP_LATE ? below(floor) : floor.is(behind(1));
  }

  private Condition withinReach() {
    return floor
        .lessThan(position)
        .and(floor.atLeast(behind(Judge.reach(policy))))
        .and(seen.contains(position).not());
  }

  private Condition sparse(int others) {
    Condition unbounded = position instanceof String ? none() : horizon.isMissing();
    Condition room = seen.isMissing().or(seen.sizeBelow(policy.size() + Judge.SLACK - others));
    Condition.Kind kind =
        position instanceof String ? Condition.Kind.STRING_SET : Condition.Kind.NUMBER_SET;
    return floor
        .isMissing()
        .and(unbounded.or(below(horizon)))
        .and(room)
        .and(seen.contains(position).not())
        .and(seen.isMissing().or(new Condition.OfKind(seen.path(), kind)));
  }

  private Object behind(long distance) {
    return Positions.stored(Positions.plus(event.position(), -distance));
  }

  /** Strings compare only at one width; numbers and strings never. */
  private Condition below(Attribute bound) {
    Condition less = bound.lessThan(position);
    return position instanceof String text
        ? less.and(bound.sizeBelow(text.length() + 1))
            .and(text.length() == 1 ? Condition.always() : bound.sizeBelow(text.length()).not())
        : less;
  }

  private List<Operation> operations() {
    List<Operation> operations = new ArrayList<>();
    operations.add(
        Judge.isWindow(policy)
            ? new AddAll(seen.path(), Set.of(position))
            : new Assign(floor.path(), position));
    if (policy.kind() == EventPolicy.Kind.DENSE_WINDOW) {
      operations.add(new AssignIfAbsent(floor.path(), policy.startingAt() - 1));
    } else if (Judge.isWindow(policy) && event.position() instanceof Position.Textual text) {
      operations.add(new AssignIfAbsent(horizon.path(), Positions.lowest(text).value()));
    }
    if (event.source().generation() > 0) {
      operations.add(new Assign(generation.path(), event.source().generation()));
    }
    return operations;
  }
}
