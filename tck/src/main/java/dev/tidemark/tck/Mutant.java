package dev.tidemark.tck;

import dev.tidemark.EntityStore;
import dev.tidemark.Tracking;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/**
 * A store that is wrong in one way.
 *
 * @param name the defect
 * @param contracts those that have to fail, as class and method
 * @param because part of what one of them has to say
 * @param trackings how it alters what stores are asked to remember
 * @param clocks how it alters the clock
 * @param nulls what it takes for stored where another tool set null, by name of a mark
 * @param stores how it alters stores
 * @param losesReplies whether it handles lost replies itself
 */
record Mutant(
    String name,
    List<String> contracts,
    String because,
    UnaryOperator<Tracking> trackings,
    UnaryOperator<Clock> clocks,
    Map<String, Object> nulls,
    BiFunction<EntityStore<View>, MutantFaults, EntityStore<View>> stores,
    boolean losesReplies) {

  /** A sound store of that name, to be made wrong. */
  static Mutant named(String name, String contract, String because) {
    return new Mutant(
        name,
        List.of(contract),
        because,
        UnaryOperator.identity(),
        UnaryOperator.identity(),
        Map.of(),
        (store, faults) -> store,
        false);
  }

  Mutant tracks(UnaryOperator<Tracking> wrong) {
    return new Mutant(name, contracts, because, wrong, clocks, nulls, stores, losesReplies);
  }

  Mutant tells(UnaryOperator<Clock> wrong) {
    return new Mutant(name, contracts, because, trackings, wrong, nulls, stores, losesReplies);
  }

  Mutant takesNullFor(Map<String, Object> wrong) {
    return new Mutant(name, contracts, because, trackings, clocks, wrong, stores, losesReplies);
  }

  Mutant does(UnaryOperator<EntityStore<View>> wrong) {
    return new Mutant(
        name,
        contracts,
        because,
        trackings,
        clocks,
        nulls,
        (store, faults) -> wrong.apply(store),
        losesReplies);
  }

  Mutant loses(BiFunction<EntityStore<View>, MutantFaults, EntityStore<View>> wrong) {
    return new Mutant(name, contracts, because, trackings, clocks, nulls, wrong, true);
  }

  Tracking tracking(Tracking asked) {
    return trackings.apply(asked);
  }

  Clock clock(Clock asked) {
    return clocks.apply(asked);
  }

  EntityStore<View> wrong(EntityStore<View> store, MutantFaults faults) {
    return stores.apply(store, faults);
  }
}
