package dev.tidemark.example.orderhistory.demo;

import dev.tidemark.Delivery;
import dev.tidemark.Outcome;
import dev.tidemark.example.orderhistory.DeliveryLoop;
import dev.tidemark.example.orderhistory.Identity;
import dev.tidemark.example.orderhistory.OrderDeliveries;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;

/**
 * Hands all records of the topic to a handler, through a group of consumers to which every {@link
 * Trouble} of a schedule happens. One thread runs it; each consumer has its own.
 */
final class HardDelivery {
  private final Topic topic;
  private final String group;
  private final Function<Delivery, ? extends Outcome<?>> handler;
  private final Map<Long, Trouble> schedule;
  private final Progress progress;
  private final Tally tally = new Tally();
  private final AtomicInteger troublesLeft;
  private final BlockingQueue<Runnable> todo = new LinkedBlockingQueue<>();
  private final List<Member> members = new ArrayList<>();
  private int wanted = 3;

  HardDelivery(
      Topic topic,
      String group,
      Function<Delivery, ? extends Outcome<?>> handler,
      Map<Long, Trouble> schedule,
      Progress progress) {
    this.topic = topic;
    this.group = group;
    this.handler = handler;
    this.schedule = schedule;
    this.progress = progress;
    this.troublesLeft = new AtomicInteger(schedule.size());
  }

  private record Member(DeliveryLoop loop, CompletableFuture<Void> ended) {}

  /** Ends the consumer that handles a delivery, which stays uncommitted. */
  private static final class Killed extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** Runs until every trouble has happened and every record is committed. */
  Tally run() throws InterruptedException {
    try {
      fill();
      while (troublesLeft.get() > 0 || topic.lag(group) > 0) {
        Runnable next = todo.poll(200, TimeUnit.MILLISECONDS);
        if (next != null) {
          next.run();
        }
        progress.deliveries(tally.deliveries());
      }
    } finally {
      stopAll();
    }
    return tally;
  }

  private boolean handle(Delivery delivery) {
    Outcome<?> outcome = handler.apply(delivery);
    Trouble trouble = schedule.get(tally.count(outcome));
    if (trouble == Trouble.KILL) {
      throw new Killed();
    }
    if (trouble != null) {
      todo.add(trouble == Trouble.JOIN ? this::join : this::setBack);
    }
    return outcome.isDone();
  }

  private void join() {
    wanted++;
    fill();
    progress.event("a consumer joins: the partitions are shared out anew");
    troublesLeft.decrementAndGet();
  }

  private void setBack() {
    stopAll();
    topic.setBackByHalf(group);
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
      DeliveryLoop loop =
          new DeliveryLoop(
              subscribed(), new OrderDeliveries(Identity.VERSION), this::handle, Clock.systemUTC());
      CompletableFuture<Void> ended =
          CompletableFuture.runAsync(loop, run -> new Thread(run, group).start());
      members.add(new Member(loop, ended.whenComplete((nothing, fault) -> ended(fault))));
    }
  }

  private void ended(@org.jspecify.annotations.Nullable Throwable fault) {
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
    members.forEach(member -> member.loop().stop());
    for (Member member : members) {
      member.ended().exceptionally(fault -> null).join();
    }
    members.clear();
  }

  private Consumer<String, byte[]> subscribed() {
    Consumer<String, byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                topic.bootstrapServers(),
                "group.id",
                group,
                "group.protocol",
                "classic",
                "heartbeat.interval.ms",
                200,
                "auto.offset.reset",
                "earliest",
                "enable.auto.commit",
                false,
                "max.poll.records",
                50),
            new StringDeserializer(),
            new ByteArrayDeserializer());
    consumer.subscribe(List.of(Topic.NAME));
    return consumer;
  }
}
