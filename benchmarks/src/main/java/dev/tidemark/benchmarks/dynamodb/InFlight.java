package dev.tidemark.benchmarks.dynamodb;

import dev.tidemark.benchmarks.measure.AsyncTechnique;
import dev.tidemark.benchmarks.measure.Event;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/**
 * A technique on the asynchronous client, with many messages on their way at once.
 *
 * @param name what rows and goals call it
 * @param inFlight how many
 * @param step starts to apply one message, and tells whether it took effect
 */
record InFlight(String name, int inFlight, Function<Event, CompletableFuture<Boolean>> step)
    implements AsyncTechnique {
  @Override
  public CompletableFuture<Integer> start(List<Event> events) {
    return step.apply(events.get(0)).thenApply(applied -> applied ? 1 : 0);
  }
}
