package dev.tidemark.benchmarks.measure;

import dev.tidemark.EntityStore;
import dev.tidemark.Result;
import dev.tidemark.Write;
import java.util.List;
import java.util.function.Function;

/**
 * Tidemark's batches: all messages of a hand-over in one call.
 *
 * @param name what rows and goals call it
 * @param shape how many messages, of how many entities
 * @param store makes the writes
 * @param write says what one message does
 * @param <T> the entity's type
 */
public record Batched<T>(
    String name, Shape shape, EntityStore<T> store, Function<Event, Write<T>> write)
    implements Technique {
  @Override
  public int handle(List<Event> events) {
    List<Result<T>> results = store.writeAll(events.stream().map(write).toList());
    int applied = 0;
    for (Result<T> result : results) {
      if (result instanceof Result.Failed<T> failed) {
        throw failed.fault();
      }
      applied += result instanceof Result.Judged<T> judged && judged.outcome().isApplied() ? 1 : 0;
    }
    return applied;
  }
}
