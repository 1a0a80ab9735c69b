package dev.tidemark.lab.orders;

import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * Where a consumer dies: it stops between its writes and its acknowledgement, and waits for the
 * end. For one thread.
 */
final class CrashPoint implements UnaryOperator<Function<List<Delivery>, BatchOutcome<?>>> {
  /** How much of a batch is written when its consumer dies. */
  enum Written {
    /** The first half of the batch. */
    HALF,
    /** The whole batch in the first view, nothing of it in the second. */
    FIRST_VIEW,
    /** All. */
    ALL
  }

  private final long after;
  private final Written written;
  private final Runnable stopped;
  private long seen;

  /** As {@link #settings} say; tells when it has stopped. */
  CrashPoint(Brief brief, Runnable stopped) {
    this.after = brief.number("dies");
    this.written = Written.valueOf(brief.get("written"));
    this.stopped = stopped;
  }

  /** What a consumer is told that dies in the batch of one of its first deliveries. */
  static Map<String, String> settings(int first, Random random) {
    Written[] all = Written.values();
    return Map.of(
        "dies", Integer.toString(1 + random.nextInt(first)),
        "written", all[random.nextInt(all.length)].name());
  }

  @Override
  public Function<List<Delivery>, BatchOutcome<?>> apply(
      Function<List<Delivery>, BatchOutcome<?>> views) {
    return batch -> {
      seen += batch.size();
      boolean half = seen >= after && written == Written.HALF;
      BatchOutcome<?> outcome =
          views.apply(half ? batch.subList(0, (batch.size() + 1) / 2) : batch);
      if (seen >= after) {
        stop();
      }
      return outcome;
    };
  }

  /** The first view has its part of the batch. */
  void firstViewWritten() {
    if (seen >= after && written == Written.FIRST_VIEW) {
      stop();
    }
  }

  private void stop() {
    stopped.run();
    try {
      new CountDownLatch(1).await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new IllegalStateException("nobody ended this process");
  }
}
