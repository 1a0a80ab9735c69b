package dev.tidemark.example.orderhistory;

import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Function;

/**
 * Both views as the handler of a carrier's batches: a delivery is done if both views say so. For
 * any number of threads.
 */
public final class Views implements Function<List<Delivery>, BatchOutcome<?>> {
  private final Projector<OrderView> history;
  private final Projector<SpendingView> spending;

  /**
   * The views of one generation.
   *
   * @param store where they are
   */
  public Views(ViewStore store) {
    history = OrderHistory.into(store.orders());
    spending = ConsumerSpending.into(store.spending());
  }

  /**
   * The views that serve at the moment, asked for with each batch.
   *
   * @param generations where they are
   * @return a handler for any number of threads
   */
  public static Function<List<Delivery>, BatchOutcome<?>> serving(Generations generations) {
    ConcurrentMap<Integer, Views> views = new ConcurrentHashMap<>();
    return deliveries ->
        views
            .computeIfAbsent(generations.serving(), n -> new Views(generations.generation(n)))
            .apply(deliveries);
  }

  /**
   * Handles a batch.
   *
   * @param deliveries of {@link Event}s, in the order in which they came
   * @return what became of each; faults are in there and are not thrown
   */
  @Override
  public BatchOutcome<?> apply(List<Delivery> deliveries) {
    return history.handle(deliveries).and(spending.handle(deliveries));
  }
}
