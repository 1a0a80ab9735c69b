package dev.tidemark.lab.orders;

import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Hands all records of the topics to both views, through a group of consumers to which every {@link
 * Trouble} of a schedule happens. One thread runs it; each consumer has its own.
 */
final class HardDelivery {
  private final KafkaFeed feed;
  private final String group;
  private final OpenViews views;
  private final Tally tally;
  private final NavigableMap<Long, Trouble> schedule;
  private final Progress progress;
  private final AtomicInteger troublesLeft;
  private final BlockingQueue<Runnable> todo = new LinkedBlockingQueue<>();
  private final List<Consumer> members = new ArrayList<>();
  private int wanted = 3;

  HardDelivery(
      KafkaFeed feed,
      String group,
      OpenViews views,
      Tally tally,
      NavigableMap<Long, Trouble> schedule,
      Progress progress) {
    this.feed = feed;
    this.group = group;
    this.views = views;
    this.tally = tally;
    this.schedule = schedule;
    this.progress = progress;
    this.troublesLeft = new AtomicInteger(schedule.size());
  }

  private record Consumer(Carrying carrying, CompletableFuture<Void> ended) {}

  /** Ends the consumer that handles a batch, which stays uncommitted. */
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1L;
  }

  /** Runs until every trouble has happened and every record is committed. */
  void run() throws InterruptedException {
    try {
      fill();
      while (troublesLeft.get() > 0 || feed.left(group) > 0) {
        Runnable next = todo.poll(200, TimeUnit.MILLISECONDS);
        if (next != null) {
          next.run();
        }
        progress.deliveries(tally.deliveries());
      }
    } finally {
      stopAll();
    }
  }

  private Function<List<Delivery>, BatchOutcome<?>> around(
      Function<List<Delivery>, BatchOutcome<?>> handler) {
    return batch -> {
      long start = System.nanoTime();
      BatchOutcome<?> outcome = handler.apply(batch);
      tally.worked(Duration.ofNanos(System.nanoTime() - start));
      Trouble trouble = due(tally.deliveries());
      if (trouble == Trouble.KILL) {
        throw new Killed();
      }
      if (trouble != null) {
        todo.add(trouble == Trouble.JOIN ? this::join : this::setBack);
      }
      return outcome;
    };
  }

  /** What was to happen by now, and has not yet. */
  private @Nullable Trouble due(long deliveries) {
    synchronized (schedule) {
      Map.Entry<Long, Trouble> next = schedule.firstEntry();
      return next == null || next.getKey() > deliveries
          ? null
          : schedule.pollFirstEntry().getValue();
    }
  }

  private void join() {
    wanted++;
    fill();
    progress.event("a consumer joins: the partitions are shared out anew");
    troublesLeft.decrementAndGet();
  }

  private void setBack() {
    stopAll();
    feed.setBack(group, offset -> offset / 2);
    fill();
    progress.event("all offsets are set back to half of what was committed");
    troublesLeft.decrementAndGet();
  }

  private void replaceKilled() {
    fill();
    progress.event("a consumer was killed between its write and its commit; another starts");
    troublesLeft.decrementAndGet();
  }

  private void fill() {
    members.removeIf(member -> member.ended().isDone());
    while (members.size() < wanted) {
      Carrying carrying = Carriers.open(brief(), views, this::around);
      CompletableFuture<Void> ended =
          CompletableFuture.runAsync(carrying.carrier(), run -> new Thread(run, group).start())
              .whenComplete((nothing, fault) -> ended(fault));
      members.add(new Consumer(carrying, ended));
    }
  }

  private Brief brief() {
    return new Brief(feed.settings())
        .and(Map.of("carrier", "kafka", "group", group, "batch", "50"));
  }

  private void ended(@Nullable Throwable fault) {
    if (fault instanceof CompletionException e && e.getCause() instanceof Killed) {
      todo.add(this::replaceKilled);
    } else if (fault != null) {
      todo.add(
          () -> {
            throw new IllegalStateException("a consumer of " + group + " failed", fault);
          });
    }
  }

  private void stopAll() {
    members.forEach(member -> member.carrying().carrier().stop());
    for (Consumer member : members) {
      member.ended().exceptionally(fault -> null).join();
    }
    members.clear();
  }
}
