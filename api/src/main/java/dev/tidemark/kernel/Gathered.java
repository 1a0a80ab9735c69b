package dev.tidemark.kernel;

import dev.tidemark.Mark;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What a {@link Pass} has gathered: the next request, and what it means for the writes. */
final class Gathered<T> {
  final List<Integer> places = new ArrayList<>();
  final Composition composition = new Composition();
  @Nullable FoldedFunctions<T> functions;
  @Nullable Effect<T> alone;
  boolean ofTombstone;
  private final List<Write<T>> writes;
  private final List<@Nullable Result<T>> results;
  private final Sure<T> sure;
  private final Holds holds;
  final Map<Integer, Result<T>> outcomes = new LinkedHashMap<>();
  private final List<Message> messages = new ArrayList<>();
  private boolean erases;

  Gathered(
      List<Write<T>> writes, List<@Nullable Result<T>> results, Sure<T> sure, Tracking tracking) {
    this.writes = writes;
    this.results = results;
    this.sure = sure;
    this.holds = new Holds(tracking);
  }

  /** Whether a write needs no request: it has a result, is held back, or is surely a duplicate. */
  boolean passes(int place) {
    Write<T> write = writes.get(place);
    Result<T> known = results.get(place);
    Result<T> duplicate = sure.of(place);
    Message behind = holds.behind(write);
    if (known != null) {
      holds.ended(write, known);
    } else if (behind != null) {
      judged(place, new Result.HeldBack<>(behind));
    } else if (duplicate != null) {
      judged(place, duplicate);
    }
    return known != null || behind != null || duplicate != null;
  }

  /**
   * Whether the outcome of a write shows an entity that the writes before it change, so that it is
   * at hand once they are made. Functions have it before.
   */
  boolean changesWhatIsShown(int place) {
    boolean shows = writes.get(place).action().rules().returns();
    return shows && functions == null && !places.isEmpty();
  }

  void judged(int place, Result<T> result) {
    outcomes.put(place, result);
    holds.ended(writes.get(place), result);
  }

  void applied(int place, boolean created, @Nullable Mark mark) {
    recorded(place, new Outcome.Applied<>(null, created, mark));
  }

  void recorded(int place, Outcome<T> outcome) {
    places.add(place);
    messages.add(writes.get(place).message());
    judged(place, new Result.Judged<>(outcome));
  }

  void recordedOnTombstone(int place) {
    ofTombstone = true;
    recorded(place, new Outcome.Deleted<>());
  }

  /** A write that stands in a request by itself. */
  void alone(int place, Effect<T> effect, boolean created, boolean erasing) {
    alone = effect;
    erases = erasing;
    applied(place, created, null);
  }

  private Effect<T> effect() {
    if (ofTombstone) {
      return new Effect.Nothing<>(null);
    }
    if (alone != null) {
      return alone;
    }
    return functions != null ? new Effect.Called<>(functions) : composition.effect();
  }

  /** What the request applies or records; where that is nothing, a message for its marking. */
  List<Message> messages() {
    return messages.isEmpty() ? List.of(writes.get(0).message()) : messages;
  }

  Attempt<T> attempt(Marking marking, @Nullable Stored<T> over) {
    return new Attempt<>(new Request<>(marking, over, effect()), outcomes, places, erases);
  }
}
