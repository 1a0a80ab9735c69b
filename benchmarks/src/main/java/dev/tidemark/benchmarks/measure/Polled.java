package dev.tidemark.benchmarks.measure;

import dev.tidemark.EntityStore;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import dev.tidemark.projector.ProjectorBuilder;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * A projector that is given what a consumer of Kafka polls.
 *
 * @param name what rows and goals call it
 * @param projector says what each event changes
 * @param <T> the entity's type
 */
public record Polled<T>(String name, Projector<T> projector) implements Technique {
  /**
   * A technique.
   *
   * @param name what rows and goals call it
   * @param store where the entities are
   * @param handler adds the handler of events
   * @param <T> the entity's type
   * @return the technique
   */
  public static <T> Technique of(
      String name, EntityStore<T> store, UnaryOperator<ProjectorBuilder<T, Projector<T>>> handler) {
    return new Polled<>(name, handler.apply(Projector.into(store)).build());
  }

  @Override
  public Shape shape() {
    return new Polls(4, 5);
  }

  @Override
  public int handle(List<Event> events) {
    int applied = 0;
    for (Result<T> result :
        projector.handle(events.stream().map(Polled::delivery).toList()).results()) {
      if (result instanceof Result.Failed<T> failed) {
        throw failed.fault();
      }
      applied += result instanceof Result.Judged<T> judged && judged.outcome().isApplied() ? 1 : 0;
    }
    return applied;
  }

  private static Delivery delivery(Event event) {
    return Delivery.of(SourceEvent.of(Event.TYPE, event.entity(), event.position()), event)
        .lane(Polls.partition(event.entity()));
  }
}
