package dev.tidemark.kernel;

import dev.tidemark.EntityKey;
import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Position;
import dev.tidemark.Result;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which writes of a batch wait for one that is not done: what follows it in its lane, and the later
 * events of its source for its entity, as far as applying them would lose it or serve nothing.
 *
 * <ul>
 *   <li>Where late events are dropped, a later event would make the undone one Stale: it waits.
 *   <li>Where every position counts in turn, a later event would be a Gap: it waits.
 *   <li>A window takes later events, and still takes the undone one when it comes again. A window
 *       that forgets or gives up what is older lets as many overtake as its size; the others wait.
 *   <li>A Gap holds back all later events, which would be gaps too; a higher generation always
 *       waits, since it ends the lower one.
 *   <li>Nothing waits for what no redelivery will change: an event beyond the horizon, or one that
 *       a dense source cannot have.
 * </ul>
 *
 * For one thread.
 */
public final class Holds {
  /** The order of one source's events for one entity. */
  private record OfSource(EntityKey key, Source source) {}

  /** The lowest undone events of one source for one entity. */
  private static final class Undone {
    private final EventPolicy policy;
    private @Nullable SourceEvent wall;
    private @Nullable SourceEvent hole;
    private int overtakers;

    Undone(EventPolicy policy) {
      this.policy = policy;
    }

    @Nullable Message awaitedBy(SourceEvent event) {
      SourceEvent stops = wall;
      SourceEvent open = hole;
      if (stops != null && event.isLaterThan(stops)) {
        return stops;
      }
      return open != null && event.isLaterThan(open) && isOutOfReach(event, open) ? open : null;
    }

    private boolean isOutOfReach(SourceEvent event, SourceEvent open) {
      if (event.source().generation() != open.source().generation()) {
        return true;
      }
      if (policy.kind() == EventPolicy.Kind.SPARSE_WINDOW) {
        return overtakers >= policy.size();
      }
      return policy.givesUpHoles()
          && event.position().compareTo(Positions.plus(open.position(), policy.size())) >= 0;
    }

    boolean counts(SourceEvent event) {
      SourceEvent open = hole;
      return open != null
          && policy.kind() == EventPolicy.Kind.SPARSE_WINDOW
          && event.isLaterThan(open);
    }

    void stop(SourceEvent event, boolean all) {
      if (all) {
        wall = lower(wall, event);
      } else {
        overtakers = hole != null && event.isLaterThan(hole) ? overtakers : 0;
        hole = lower(hole, event);
      }
    }

    private SourceEvent lower(@Nullable SourceEvent known, SourceEvent event) {
      return known == null || known.isLaterThan(event) ? event : known;
    }

    void applied(SourceEvent event) {
      overtakers += hole != null && event.isLaterThan(hole) ? 1 : 0;
    }
  }

  private final Tracking tracking;
  private final boolean ofAll;
  private final LaneGate<String, Message> lanes = new LaneGate<>();
  private Map<OfSource, Undone> sources = Map.of();

  /**
   * Nothing waits yet.
   *
   * @param tracking the policies
   */
  public Holds(Tracking tracking) {
    this(tracking, false);
  }

  private Holds(Tracking tracking, boolean ofAll) {
    this.tracking = tracking;
    this.ofAll = ofAll;
  }

  /**
   * The same where all later events wait, whatever window could take them.
   *
   * @param tracking the policies
   * @return of which nothing waits yet
   */
  public static Holds ofAll(Tracking tracking) {
    return new Holds(tracking, true);
  }

  /**
   * What a write waits for.
   *
   * @param write of the batch
   * @return null if it may be made
   */
  public @Nullable Message awaitedBy(Write<?> write) {
    Message ofLane = lanes.ahead(write.laneOrNull());
    if (ofLane != null || sources.isEmpty() || !(write.message() instanceof SourceEvent event)) {
      return ofLane;
    }
    Undone undone = sources.get(order(write, event));
    return undone == null ? null : undone.awaitedBy(event);
  }

  /**
   * What counts a write among those that may overtake an undone one, so that whether the next may
   * depends on how this one ends.
   *
   * @param write of the batch
   * @return null if nothing does
   */
  public @Nullable Object countedBy(Write<?> write) {
    if (!(write.message() instanceof SourceEvent event)) {
      return null;
    }
    OfSource order = order(write, event);
    Undone undone = sources.get(order);
    return undone != null && undone.counts(event) ? order : null;
  }

  /**
   * Notes what became of a write.
   *
   * @param write of the batch
   * @param result of it
   */
  public void ended(Write<?> write, Result<?> result) {
    if (!result.isDone()) {
      lanes.stop(write.laneOrNull(), write.message());
    }
    if (write.message() instanceof SourceEvent event) {
      ended(write, event, result);
    }
  }

  private void ended(Write<?> write, SourceEvent event, Result<?> result) {
    if (result.isDone()) {
      Undone undone = sources.isEmpty() ? null : sources.get(order(write, event));
      if (undone != null) {
        undone.applied(event);
      }
      return;
    }
    EventPolicy policy = tracking.events(event.source().type());
    Outcome<?> outcome = result instanceof Result.Judged<?> judged ? judged.outcome() : null;
    if (!(outcome instanceof Outcome.BeyondHorizon) && mayExist(event.position(), policy)) {
      boolean all = ofAll || outcome instanceof Outcome.Gap || !Judge.isWindow(policy);
      sources = sources.isEmpty() ? new HashMap<>() : sources;
      sources.computeIfAbsent(order(write, event), o -> new Undone(policy)).stop(event, all);
    }
  }

  /** Whether a source can have the position at all. */
  private static boolean mayExist(Position position, EventPolicy policy) {
    Position first = Position.of(policy.startingAt());
    return !policy.isDense() || (position.comparesTo(first) && position.compareTo(first) >= 0);
  }

  private static OfSource order(Write<?> write, SourceEvent event) {
    return new OfSource(write.key(), event.source().generation(0));
  }
}
