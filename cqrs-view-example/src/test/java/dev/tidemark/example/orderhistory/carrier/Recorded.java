package dev.tidemark.example.orderhistory.carrier;

import dev.tidemark.Result;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** Views that keep what they were given, and what became of it. For any number of threads. */
public final class Recorded implements Function<List<Delivery>, BatchOutcome<?>> {
  /** The batches as they came. */
  public final List<List<Event>> batches = new CopyOnWriteArrayList<>();

  /** What became of deliveries: outcomes by name, or the kind of the result. */
  public final List<String> results = new CopyOnWriteArrayList<>();

  private final Function<List<Delivery>, BatchOutcome<?>> views;

  public Recorded(Function<List<Delivery>, BatchOutcome<?>> views) {
    this.views = views;
  }

  @Override
  public BatchOutcome<?> apply(List<Delivery> deliveries) {
    batches.add(deliveries.stream().map(delivery -> (Event) delivery.event()).toList());
    BatchOutcome<?> outcome = views.apply(deliveries);
    outcome.results().forEach(result -> results.add(name(result)));
    return outcome;
  }

  private static String name(Result<?> result) {
    Object named = result instanceof Result.Judged<?> judged ? judged.outcome() : result;
    return named.getClass().getSimpleName();
  }
}
