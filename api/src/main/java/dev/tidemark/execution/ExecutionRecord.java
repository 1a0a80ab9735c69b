package dev.tidemark.execution;

import dev.tidemark.execution.StoredExecution.State;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What is stored of one key; {@link ExecutionCodec} says how. Each write replaces the whole record,
 * under the condition that the revision before it is still there.
 *
 * @param revision new with every write, and never used again
 * @param state how far the execution is
 * @param owner who claimed it last
 * @param fence rises with every claim of the key
 * @param leaseMillis how long a claim holds since its last write, in milliseconds; 0 if there is
 *     none
 * @param leaseEnd when the owner's lease ends by its own clock, in milliseconds since 1970; 0 if
 *     that is unknown
 * @param expires when the record may be forgotten, in seconds since 1970; thousands of years later
 *     while it waits for a person
 * @param fingerprint of the request that came first
 * @param flow the name of the registered work that can go on with it; empty if none can
 * @param request the request, where a flow needs it again
 * @param points what is known of the steps, by name
 * @param result what finished executions left
 */
record ExecutionRecord(
    String revision,
    State state,
    String owner,
    long fence,
    long leaseMillis,
    long leaseEnd,
    long expires,
    String fingerprint,
    String flow,
    @Nullable String request,
    Map<String, Point> points,
    @Nullable Stored result) {

  ExecutionRecord {
    Objects.requireNonNull(revision, "revision");
    Objects.requireNonNull(state, "state");
    points = Collections.unmodifiableMap(new LinkedHashMap<>(points));
  }

  /**
   * How much later than its time a record expires that waits for a person, in seconds: so long that
   * no store collects it.
   */
  static final long ASKED = 100_000_000_000L;

  /**
   * What is known of a step.
   *
   * @param done whether its result is known; if not, it began and may have acted
   * @param value its result; of a write that ends the work, and is no step, its message ID
   */
  record Point(boolean done, @Nullable Stored value) {}

  /**
   * A value as it is stored.
   *
   * @param type the name of the type that it was given as; of a failure, its code
   * @param json the value as JSON; null if there is none
   */
  record Stored(String type, @Nullable String json) {
    /** Tells the type, and not the value. */
    @Override
    public String toString() {
      return "Stored[" + type + "]";
    }
  }

  /** The first step of which an earlier run left nothing but its beginning. */
  Optional<String> doubtful() {
    return inDoubt().findFirst();
  }

  /** The steps of which an earlier run left nothing but their beginning. */
  Stream<String> inDoubt() {
    return points.entrySet().stream()
        .filter(point -> !point.getValue().done() && !point.getKey().equals(Ending.BY_WRITE))
        .map(Map.Entry::getKey);
  }

  /** The same with other values. */
  ExecutionRecord with(Map<String, Point> others, @Nullable Stored value) {
    return copy(revision, leaseEnd, expires, others, value);
  }

  /** The same under a revision of its own, whose lease ended at another time. */
  ExecutionRecord leasedUntil(long end) {
    return copy(UUID.randomUUID().toString(), end, expires, points, result);
  }

  /** The same under a revision of its own, which expires at another time. */
  ExecutionRecord expiring(long at) {
    return copy(UUID.randomUUID().toString(), leaseEnd, at, points, result);
  }

  private ExecutionRecord copy(
      String as, long end, long at, Map<String, Point> others, @Nullable Stored value) {
    return new ExecutionRecord(
        as, state, owner, fence, leaseMillis, end, at, fingerprint, flow, request, others, value);
  }

  /** When it may be forgotten once nobody is asked any more, in seconds since 1970. */
  long lasts() {
    return state == State.PARKED && expires > ASKED ? expires - ASKED : expires;
  }

  /** Whether the same write left both. */
  boolean isOf(ExecutionRecord other) {
    return revision.equals(other.revision);
  }

  /** Whether it is unfinished, and waits for no person: what the index of stale executions has. */
  boolean isOpen() {
    return state == State.RUNNING || state == State.RELEASED;
  }

  /** Tells how far it is, and no values. */
  @Override
  public String toString() {
    return "ExecutionRecord[" + state + ", fence " + fence + ", steps " + points.keySet() + "]";
  }
}
