package dev.tidemark.kernel;

import dev.tidemark.Attribute;
import dev.tidemark.Condition;
import dev.tidemark.EventPolicy;
import dev.tidemark.Operation;
import dev.tidemark.Position;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The {@link Plan} of events of one source: what its mark must be, and what it becomes. A plain
 * mark is a number or a string; where more has to be known of a source, {@code true} stands in its
 * place, which no comparison with a position takes for one.
 */
final class EventPlan {
  private final SourceEvent first;
  private final SourceEvent last;
  private final EventPolicy policy;
  private final Attribute mark;
  private final Attribute floor;
  private final Attribute seen;
  private final Attribute horizon;
  private final Attribute generation;
  private final List<Position> positions;
  private final boolean starts;

  private EventPlan(List<SourceEvent> events, EventPolicy policy, Names names) {
    this.first = events.get(0);
    this.last = events.get(events.size() - 1);
    this.policy = policy;
    this.mark = Condition.attribute(names.path(first.source(), Names.Part.MARK));
    this.floor = Condition.attribute(names.path(first.source(), Names.Part.FLOOR));
    this.seen = Condition.attribute(names.path(first.source(), Names.Part.SEEN));
    this.horizon = Condition.attribute(names.path(first.source(), Names.Part.HORIZON));
    this.generation = Condition.attribute(names.path(first.source(), Names.Part.GENERATION));
    this.positions = events.stream().map(SourceEvent::position).toList();
    this.starts = starts(isWindow() ? Collections.max(positions) : first.position());
  }

  /**
   * The write of events of one source, each of which is fresh after those before it.
   *
   * @param events of one generation and one width where the policy is a window
   */
  static Plan of(List<SourceEvent> events, Tracking tracking, Names names) {
    EventPolicy policy = tracking.events(events.get(0).source().type());
    events.forEach(event -> Judge.requirePosition(event, policy));
    EventPlan plan = new EventPlan(events, policy, names);
    return new Plan(plan.guard(), plan.operations());
  }

  private boolean isWindow() {
    return Judge.isWindow(policy);
  }

  private boolean isPlain(SourceEvent event) {
    return !isWindow() && event.source().generation() == 0;
  }

  /** Whether an event may be the first that the entity sees of its source. */
  private boolean starts(Position position) {
    Position before = Position.of(policy.startingAt() - 1);
    return !policy.isDense()
        || position.compareTo(Positions.plus(before, Judge.reach(policy))) <= 0;
  }

  private Condition guard() {
    if (!isPlain(first)) {
      Condition wide = mark.is(true).and(sameGeneration()).and(ofParts());
      return starts ? wide.or(none()) : wide;
    }
    Condition plain = starts ? ahead(mark).or(mark.isMissing()) : ahead(mark);
    return isPlain(last) ? plain : plain.and(onlyFloor());
  }

  /** Nothing of the source, nor what would mean something once its mark is wide. */
  private Condition none() {
    return mark.isMissing().and(floor.isMissing()).and(generation.isMissing()).and(onlyFloor());
  }

  private Condition onlyFloor() {
    return seen.isMissing().and(horizon.isMissing());
  }

  private Condition sameGeneration() {
    long current = first.source().generation();
    return current == 0 ? generation.isMissing() : generation.is(current);
  }

  private Condition ofParts() {
    return switch (policy.kind()) {
      case DROP_LATE, CONTIGUOUS -> onlyFloor().and(ahead(floor));
      case DENSE_WINDOW -> withinReach();
      case SPARSE_WINDOW -> sparse();
    };
  }

  /** What a floor has to be for an event that only moves it. */
  private Condition ahead(Attribute bound) {
    return policy.kind() == EventPolicy.Kind.DROP_LATE
        ? above(bound, first.position())
        : bound.is(below(first.position(), 1));
  }

  private Condition withinReach() {
    Position lowest = Collections.min(positions);
    return above(floor, lowest)
        .and(floor.atLeast(below(Collections.max(positions), Judge.reach(policy))))
        .and(horizon.isMissing().or(above(horizon, lowest)))
        .and(unseen());
  }

  private Condition sparse() {
    Condition beyond = above(horizon, Collections.min(positions));
    boolean text = first.position() instanceof Position.Textual;
    Condition.Kind kind = text ? Condition.Kind.STRING_SET : Condition.Kind.NUMBER_SET;
    int room = policy.size() + Judge.SLACK + 1 - positions.size();
    Condition ofKind = new Condition.Test(seen.path(), Condition.Operator.OF_KIND, kind);
    return floor
        .isMissing()
        .and(text ? beyond : horizon.isMissing().or(beyond))
        .and(seen.exists())
        .and(seen.sizeBelow(room))
        .and(ofKind)
        .and(unseen());
  }

  private Condition unseen() {
    Stream<Condition> each =
        positions.stream().map(position -> seen.contains(Positions.stored(position)).not());
    return new Condition.Joined(Condition.Join.AND, each.toList());
  }

  private static Object below(Position position, long distance) {
    return Positions.stored(Positions.plus(position, -distance));
  }

  /** Strings compare only at one width; numbers and strings never. */
  private static Condition above(Attribute bound, Position position) {
    Condition less = bound.lessThan(Positions.stored(position));
    return position instanceof Position.Textual text
        ? less.and(bound.sizeBelow(text.value().length() + 1))
            .and(
                text.value().length() == 1
                    ? Condition.always()
                    : bound.sizeBelow(text.value().length()).not())
        : less;
  }

  private List<Operation> operations() {
    if (isPlain(last)) {
      return List.of(Operation.assign(mark.path(), Positions.stored(last.position())));
    }
    List<Operation> operations = new ArrayList<>();
    operations.add(Operation.assign(mark.path(), true));
    if (isWindow()) {
      Set<Object> added = new LinkedHashSet<>();
      positions.forEach(position -> added.add(Positions.stored(position)));
      operations.add(new Operation(Operation.Kind.ADD_ALL, seen.path(), added));
    } else {
      operations.add(Operation.assign(floor.path(), Positions.stored(last.position())));
    }
    if (policy.kind() == EventPolicy.Kind.DENSE_WINDOW) {
      operations.add(Operation.assignIfAbsent(floor.path(), policy.startingAt() - 1));
    } else if (isWindow() && last.position() instanceof Position.Textual text) {
      operations.add(Operation.assignIfAbsent(horizon.path(), Positions.lowest(text).value()));
    }
    if (last.source().generation() > 0) {
      operations.add(Operation.assign(generation.path(), last.source().generation()));
    }
    return operations;
  }
}
