package dev.tidemark.benchmarks.growth;

import static dev.tidemark.EntityKey.key;

import dev.tidemark.Change;
import dev.tidemark.EntityStore;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.benchmarks.measure.Event;
import dev.tidemark.benchmarks.stats.Sample;
import java.util.ArrayList;
import java.util.List;

/** One entity that gets message after message. For one thread. */
final class GrowingEntity {
  private static final int FOLD = 10;

  private final Target target;
  private final Case policy;
  private final String entity;
  private final MovingClock clock = new MovingClock();
  private final EntityStore<?> store;
  private final Change change = Change.change().set("status", "GROWN").add("total", Event.AMOUNT);
  private long messages;

  GrowingEntity(Target target, Case policy, String entity) {
    this.target = target;
    this.policy = policy;
    this.entity = entity;
    this.store = target.open(policy.tracking(), clock);
    target.store().create(List.of(entity));
  }

  Case policy() {
    return policy;
  }

  /** Gives it messages, in folds, until it has had so many. */
  void fill(long count) {
    while (messages < count) {
      fold(store, (int) Math.min(FOLD, count - messages));
    }
  }

  private <T> void fold(EntityStore<T> typed, int size) {
    List<Write<T>> writes = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      messages++;
      clock.pass(policy.step());
      writes.add(Write.update(policy.message(entity, messages), key(entity), change));
    }
    for (Result<T> result : typed.writeAll(writes)) {
      if (!(result instanceof Result.Judged<T> judged) || !judged.outcome().isApplied()) {
        throw new IllegalStateException(policy.name() + " did not apply: " + result);
      }
    }
  }

  private void next() {
    messages++;
    clock.pass(policy.step());
    if (!store.update(policy.message(entity, messages), key(entity), change).isApplied()) {
      throw new IllegalStateException(policy.name() + " did not apply message " + messages);
    }
  }

  /** Gives it some more and tells what they cost. */
  Cost measure(int count) {
    Target.Watch watch = target.watch();
    long requests = target.store().meter().requests();
    double units = target.store().meter().units();
    List<Double> millis = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long start = System.nanoTime();
      next();
      millis.add((System.nanoTime() - start) / 1e6);
    }
    Sample times = Sample.of(millis);
    return new Cost(
        (target.store().meter().requests() - requests) / (double) count,
        (target.store().meter().units() - units) / count,
        times.quantile(0.5),
        times.quantile(0.99),
        watch.bytes() / (double) count);
  }
}
