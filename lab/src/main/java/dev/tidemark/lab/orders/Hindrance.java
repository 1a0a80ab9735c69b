package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.local.TcpProxy;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** What batches of consumers in this process meet on their way to the views. For any threads. */
final class Hindrance implements UnaryOperator<Function<List<Delivery>, BatchOutcome<?>>> {
  /** How long slow work takes. */
  static final Duration SLOW = Duration.ofMillis(3_500);

  private static final int SLOW_BATCHES = 3;

  private final Fault fault;
  private final TcpProxy proxy;
  private final Random random;
  private final AtomicBoolean oneIsSlow = new AtomicBoolean();

  Hindrance(Cell cell, Options options, TcpProxy proxy) {
    this.fault = cell.fault();
    this.proxy = proxy;
    this.random = Mail.random(options);
  }

  @Override
  public Function<List<Delivery>, BatchOutcome<?>> apply(
      Function<List<Delivery>, BatchOutcome<?>> views) {
    return switch (fault) {
      case LOST_REPLIES -> batch -> withLostReply(batch, views);
      case SLOW_WORK -> slowly(views);
      default -> views;
    };
  }

  private BatchOutcome<?> withLostReply(
      List<Delivery> batch, Function<List<Delivery>, BatchOutcome<?>> views) {
    if (random.nextInt(3) == 0) {
      proxy.dropNextReply();
    }
    return views.apply(batch);
  }

  /**
   * Some batches of each consumer take long, before they are written or after; never two at once,
   * so that another consumer has time for what seems to be left behind.
   */
  private Function<List<Delivery>, BatchOutcome<?>> slowly(
      Function<List<Delivery>, BatchOutcome<?>> views) {
    AtomicInteger left = new AtomicInteger(SLOW_BATCHES);
    return batch ->
        left.get() > 0 && oneIsSlow.compareAndSet(false, true)
            ? slowly(batch, views, left.getAndDecrement() % 2 == 0)
            : views.apply(batch);
  }

  private BatchOutcome<?> slowly(
      List<Delivery> batch,
      Function<List<Delivery>, BatchOutcome<?>> views,
      boolean beforeItIsWritten) {
    try {
      if (beforeItIsWritten) {
        work();
      }
      BatchOutcome<?> outcome = views.apply(batch);
      if (!beforeItIsWritten) {
        work();
      }
      return outcome;
    } finally {
      oneIsSlow.set(false);
    }
  }

  private static void work() {
    try {
      Thread.sleep(SLOW.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
