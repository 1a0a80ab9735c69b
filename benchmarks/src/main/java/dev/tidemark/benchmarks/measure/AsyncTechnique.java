package dev.tidemark.benchmarks.measure;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A technique that does not hold a thread while the store works. */
public interface AsyncTechnique extends Technique {
  /**
   * How many hand-overs are on their way at any time.
   *
   * @return the number of lanes
   */
  int inFlight();

  /**
   * Starts to apply messages.
   *
   * @param events in the order of their sources
   * @return how many of them took effect
   */
  CompletableFuture<Integer> start(List<Event> events);

  @Override
  default int handle(List<Event> events) {
    return start(events).join();
  }
}
