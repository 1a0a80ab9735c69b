package dev.tidemark.kernel;

import dev.tidemark.Freshness;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.metrics.Ongoing;
import dev.tidemark.metrics.StoreCall;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * What one call of a store sends and sees, gathered for a listener. For many threads, since the
 * entities of a batch may be worked on at the same time.
 */
public final class Observation {
  private final Ongoing<StoreCall> listener;
  private final StoreCall.Method method;
  private final String store;
  private final long start = System.nanoTime();
  private final Map<Object, StoreCall.Size> sizes = new HashMap<>();
  private final Map<String, Integer> outcomes = new HashMap<>();
  private final Map<String, Integer> faults = new HashMap<>();
  private int heldBack;
  private int reads;
  private int writes;
  private int repeats;
  private OptionalDouble readUnits = OptionalDouble.empty();
  private OptionalDouble writeUnits = OptionalDouble.empty();

  Observation(Ongoing<StoreCall> listener, StoreCall.Method method, String store) {
    this.listener = listener;
    this.method = method;
    this.store = store;
  }

  /**
   * Begins a stretch of the call's work on this thread.
   *
   * @return what ends it, on the same thread
   */
  public Ongoing.Scope enter() {
    return listener.enter();
  }

  /** Notes a request that reads. */
  public synchronized void read() {
    reads++;
  }

  /** Notes a request that writes. */
  public synchronized void write() {
    writes++;
  }

  /**
   * Notes that the store's client sent a request again by itself.
   *
   * @param times how often
   */
  public synchronized void repeated(int times) {
    repeats += times;
  }

  /**
   * Notes what a read consumed.
   *
   * @param units as the store said
   */
  public synchronized void readUnits(double units) {
    readUnits = OptionalDouble.of(readUnits.orElse(0) + units);
  }

  /**
   * Notes what a write consumed.
   *
   * @param units as the store said
   */
  public synchronized void writeUnits(double units) {
    writeUnits = OptionalDouble.of(writeUnits.orElse(0) + units);
  }

  /**
   * Notes how large an entity is, in place of what was seen of it before.
   *
   * @param entity tells entities apart
   * @param size its size; null if it is gone
   */
  public synchronized void size(Object entity, StoreCall.@Nullable Size size) {
    if (size == null) {
      sizes.remove(entity);
    } else {
      sizes.put(entity, size);
    }
  }

  /**
   * Ends the call with what the caller gets, and tells the listener.
   *
   * @param result an outcome, a freshness, the results of a batch, or anything else
   */
  public void ended(@Nullable Object result) {
    tell(() -> note(result));
  }

  /**
   * Ends the call with what the caller meets, and tells the listener.
   *
   * @param fault what is thrown
   */
  public void failed(Throwable fault) {
    tell(() -> count(faults, fault));
  }

  private void note(@Nullable Object result) {
    if (result instanceof Outcome<?> || result instanceof Freshness<?>) {
      count(outcomes, result);
    } else if (result instanceof List<?> batch) {
      batch.forEach(this::note);
    } else if (result instanceof Result.Judged<?> judged) {
      count(outcomes, judged.outcome());
    } else if (result instanceof Result.Failed<?> failed) {
      count(faults, failed.fault());
    } else if (result instanceof Result.HeldBack<?>) {
      heldBack++;
    } else if (result instanceof Optional<?> outcome) {
      outcome.filter(Outcome.class::isInstance).ifPresent(this::note);
    }
  }

  private static void count(Map<String, Integer> counts, Object counted) {
    counts.merge(Faults.name(counted), 1, Integer::sum);
  }

  private void tell(Runnable end) {
    Duration latency = Duration.ofNanos(System.nanoTime() - start);
    StoreCall call;
    synchronized (this) {
      end.run();
      StoreCall.Requests requests =
          new StoreCall.Requests(reads, writes, reads + writes + repeats, readUnits, writeUnits);
      List<StoreCall.Size> seen = List.copyOf(sizes.values());
      call = new StoreCall(method, store, outcomes, faults, heldBack, requests, latency, seen);
    }
    listener.note(call);
  }
}
