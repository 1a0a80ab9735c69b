package dev.tidemark.example.orderhistory.demo;

import dev.tidemark.BatchOutcome;
import dev.tidemark.Delivery;
import dev.tidemark.example.orderhistory.OrderHistory;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.example.orderhistory.Views;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/**
 * Both views of a consumer that is to die: it stops between its writes and its acknowledgement, and
 * waits for the end. For one thread.
 */
final class CrashPoint implements Function<List<Delivery>, BatchOutcome<?>> {
  /** How much of a batch is written when its consumer dies. */
  enum Written {
    /** The first half of the batch. */
    HALF,
    /** The whole batch in the first view, nothing of it in the second. */
    FIRST_VIEW,
    /** All. */
    ALL
  }

  private final ViewStore store;
  private final Views views;
  private final long after;
  private final Written written;
  private final Runnable stopped;
  private long seen;

  /** Stops where {@link #settings} say; tells so. */
  CrashPoint(Brief brief, ViewStore store, Runnable stopped) {
    this.store = store;
    this.views = new Views(store);
    this.after = brief.number("dies");
    this.written = Written.valueOf(brief.get("written"));
    this.stopped = stopped;
  }

  /** What a consumer is told that dies among its first deliveries. */
  static Map<String, String> settings(int first, Random random) {
    Written[] all = Written.values();
    return Map.of(
        "dies", Integer.toString(1 + random.nextInt(first)),
        "written", all[random.nextInt(all.length)].name());
  }

  @Override
  public BatchOutcome<?> apply(List<Delivery> batch) {
    seen += batch.size();
    if (seen < after) {
      return views.apply(batch);
    }
    var unused =
        switch (written) {
          case HALF -> views.apply(batch.subList(0, (batch.size() + 1) / 2));
          case FIRST_VIEW -> OrderHistory.into(store.orders()).handle(batch);
          case ALL -> views.apply(batch);
        };
    stopped.run();
    waitForTheEnd();
    throw new IllegalStateException("nobody ended this process");
  }

  private static void waitForTheEnd() {
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
