package dev.tidemark.lab.storm;

import dev.tidemark.Outcome;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.Result;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;

/** Counts deliveries by what they were told. For any number of threads. */
final class Tally {
  private final ConcurrentMap<String, LongAdder> counts = new ConcurrentHashMap<>();
  private final LongAdder deliveries = new LongAdder();

  void add(Result<?> result) {
    deliveries.increment();
    counts.computeIfAbsent(word(result), word -> new LongAdder()).increment();
  }

  /** The outcome, or the fault by its class. */
  private static String word(Result<?> result) {
    if (result instanceof Result.Judged<?> judged) {
      return judged.outcome().getClass().getSimpleName();
    }
    return result instanceof Result.Failed<?> failed
        ? failed.fault().getClass().getSimpleName()
        : result.getClass().getSimpleName();
  }

  long deliveries() {
    return deliveries.sum();
  }

  long applied() {
    return count(Outcome.Applied.class);
  }

  long unknown() {
    return count(OutcomeUnknownException.class);
  }

  long count(Class<?> what) {
    LongAdder count = counts.get(what.getSimpleName());
    return count == null ? 0 : count.sum();
  }

  /** All counts. */
  Map<String, Long> all() {
    Map<String, Long> all = new TreeMap<>();
    counts.forEach((word, count) -> all.put(word, count.sum()));
    return all;
  }
}
