package dev.tidemark.lab.orders;

import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.concurrent.BlockingQueue;
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
  private final List<Carrying> members = new ArrayList<>();
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

  /** Ends the consumer that handles a batch, which stays uncommitted; it starts anew by itself. */
  private static final class Killed extends VirtualMachineError {
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
        todo.add(this::killed);
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

  private void killed() {
    progress.event("a consumer was killed between its write and its commit, and starts again");
    troublesLeft.decrementAndGet();
  }

  private void fill() {
    while (members.size() < wanted) {
      Carrying member = Carriers.open(brief(), views, this::around);
      members.add(member);
      member.start();
    }
  }

  private Brief brief() {
    return new Brief(feed.settings())
        .and(Map.of("carrier", "kafka", "group", group, "batch", "50"));
  }

  private void stopAll() {
    members.forEach(Carrying::close);
    members.clear();
  }
}
