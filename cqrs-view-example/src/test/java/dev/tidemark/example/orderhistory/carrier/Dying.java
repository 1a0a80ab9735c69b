package dev.tidemark.example.orderhistory.carrier;

import dev.tidemark.example.orderhistory.ResumableViews;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Views that end their process after the first batch, as a crash would: without a result. */
record Dying(ResumableViews views) implements ResumableViews {
  @Override
  public Optional<String> resumeToken() {
    return views.resumeToken();
  }

  @Override
  public BatchOutcome<?> apply(List<Delivery> deliveries, @Nullable String token) {
    BatchOutcome<?> outcome = views.apply(deliveries, token);
    if (deliveries.isEmpty()) {
      return outcome;
    }
    throw new AssertionError("crash");
  }
}
