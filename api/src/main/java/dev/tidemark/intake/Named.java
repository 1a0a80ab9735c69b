package dev.tidemark.intake;

import dev.tidemark.Message;
import dev.tidemark.Result;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The results that a handler names, by the deliveries that it was given. A handler may leave some
 * out, put them into another order, or hand on deliveries of its own that carry the same messages:
 * a result counts for its own delivery only, and a delivery without one is not done.
 */
final class Named {
  private final IdentityHashMap<Delivery, Result<?>> own = new IdentityHashMap<>();
  private final Map<Message, Deque<Result<?>>> others = new HashMap<>();

  Named(List<Delivery> given, BatchOutcome<?> outcome) {
    IdentityHashMap<Delivery, Boolean> ours = new IdentityHashMap<>();
    given.forEach(delivery -> ours.put(delivery, true));
    List<? extends Result<?>> results = outcome.results();
    for (int i = 0; i < results.size(); i++) {
      Delivery delivery = outcome.deliveries().get(i);
      if (ours.containsKey(delivery)) {
        own.put(delivery, results.get(i));
      } else {
        others.computeIfAbsent(delivery.message(), m -> new ArrayDeque<>()).add(results.get(i));
      }
    }
  }

  /** The result of a delivery, to be asked for once; null if the handler named none. */
  @Nullable Result<?> of(Delivery delivery) {
    Result<?> named = own.get(delivery);
    return named == null
        ? others.getOrDefault(delivery.message(), new ArrayDeque<>()).poll()
        : named;
  }
}
