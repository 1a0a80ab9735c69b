package dev.tidemark.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/** One lane of a round: its hand-overs in order, each timed. */
final class Lane implements Callable<Void> {
  private final Technique technique;
  private final List<List<Event>> handOvers;
  private final List<Double> millis;

  Lane(Technique technique, List<List<Event>> handOvers) {
    this.technique = technique;
    this.handOvers = handOvers;
    this.millis = new ArrayList<>(handOvers.size());
  }

  @Override
  public Void call() throws Exception {
    for (List<Event> events : handOvers) {
      long start = System.nanoTime();
      int applied = technique.handle(events);
      done(events, applied, start);
    }
    return null;
  }

  /** The same without a thread: each hand-over starts when the one before is done. */
  CompletableFuture<Void> start() {
    return next(0);
  }

  private CompletableFuture<Void> next(int index) {
    if (index == handOvers.size()) {
      return CompletableFuture.completedFuture(null);
    }
    List<Event> events = handOvers.get(index);
    long start = System.nanoTime();
    return ((AsyncTechnique) technique)
        .start(events)
        .thenCompose(
            applied -> {
              done(events, applied, start);
              return next(index + 1);
            });
  }

  private void done(List<Event> events, int applied, long start) {
    millis.add((System.nanoTime() - start) / 1e6);
    if (applied != events.size()) {
      throw new IllegalStateException(
          technique.name() + " applied " + applied + " of " + events.size() + " messages");
    }
  }

  /** The times of the hand-overs, once the lane has ended. */
  List<Double> millis() {
    return millis;
  }
}
