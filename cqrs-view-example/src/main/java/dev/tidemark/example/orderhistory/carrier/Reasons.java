package dev.tidemark.example.orderhistory.carrier;

import dev.tidemark.Result;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The views as a carrier's handler, which remembers why deliveries were not done, for the log and
 * for health. For one thread.
 */
final class Reasons implements Function<List<Delivery>, BatchOutcome<?>> {
  private final Function<List<Delivery>, BatchOutcome<?>> views;
  private final Map<String, String> byLane = new HashMap<>();
  private String forAll = "";

  Reasons(Function<List<Delivery>, BatchOutcome<?>> views) {
    this.views = views;
  }

  @Override
  public BatchOutcome<?> apply(List<Delivery> deliveries) {
    byLane.clear();
    BatchOutcome<?> outcome = views.apply(deliveries);
    List<? extends Result<?>> results = outcome.results();
    for (int i = 0; i < results.size(); i++) {
      if (!results.get(i).isDone()) {
        byLane.putIfAbsent(deliveries.get(i).lane().orElse(""), reason(results.get(i)));
      }
    }
    return outcome;
  }

  /** Takes note that a whole batch failed. */
  void failed(RuntimeException fault) {
    byLane.clear();
    forAll = Poison.reason(fault);
  }

  /** Why the first delivery of a lane that was not done in the last batch was not. */
  String of(String lane) {
    return byLane.getOrDefault(lane, forAll);
  }

  private static String reason(Result<?> result) {
    if (result instanceof Result.Judged<?> judged) {
      return judged.outcome().toString();
    }
    return result instanceof Result.Failed<?> failed
        ? Poison.reason(failed.fault())
        : "held back behind another one";
  }
}
