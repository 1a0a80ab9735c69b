package dev.tidemark.metrics;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * One call of an entity store that has ended: what it did and what it cost. It knows neither keys
 * nor values, payloads or messages. Stores make it; later versions may add components.
 *
 * @param method what was called
 * @param store the name of the table or collection
 * @param outcomes how many messages had which outcome, by the simple name of {@link
 *     dev.tidemark.Outcome}'s arm ({@code Applied}); for a read that waits for a message the arm of
 *     {@link dev.tidemark.Freshness}; empty for other reads
 * @param faults how many messages met which fault, by the simple name of the exception's class
 * @param heldBack how many messages of a batch were not tried
 * @param requests what was sent; nothing where the answer was known without
 * @param latency from the call to its end, with all pauses
 * @param sizes of each entity whose whole size was at hand, the size last seen, in no order
 */
public record StoreCall(
    Method method,
    String store,
    Map<String, Integer> outcomes,
    Map<String, Integer> faults,
    int heldBack,
    Requests requests,
    Duration latency,
    List<Size> sizes) {

  /** A method of a store. */
  public enum Method {
    /** A change. */
    UPDATE("update"),
    /** A function. */
    APPLY("apply"),
    /** The record of a message alone. */
    SKIP("skip"),
    /** A delete. */
    DELETE("delete"),
    /** A delete of what must exist. */
    DELETE_EXISTING("deleteExisting"),
    /** A delete without a tombstone. */
    FORGET("forget"),
    /** A batch. */
    WRITE_ALL("writeAll"),
    /** A read, be it one that waits. */
    FIND("find"),
    /** What a refused write of the Enhanced Client means, on DynamoDB. */
    OUTCOME_OF("outcomeOf");

    private final String methodName;

    Method(String methodName) {
      this.methodName = methodName;
    }

    /**
     * The method's name in Java.
     *
     * @return such as {@code deleteExisting}
     */
    public String methodName() {
      return methodName;
    }
  }

  /**
   * What a call sent.
   *
   * @param reads requests that read
   * @param writes requests that write; a refused write is one
   * @param attempts all requests, and how often the store's client sent them again by itself as far
   *     as it tells: DynamoDB's does, MongoDB's does not
   * @param readUnits what DynamoDB said that the reads consumed; empty where no reply said so
   * @param writeUnits what DynamoDB said that the writes consumed. It says nothing of a refused
   *     write, which is billed nevertheless
   */
  public record Requests(
      int reads, int writes, int attempts, OptionalDouble readUnits, OptionalDouble writeUnits) {}

  /**
   * How large one entity is, as the store counts it.
   *
   * @param bytes the whole item or document, names included; on DynamoDB as its rules say, where
   *     numbers are an estimate
   * @param limit what the store allows
   * @param marks what tracking has of that
   */
  public record Size(long bytes, long limit, MarkCost marks) {
    /**
     * How much of the limit is used.
     *
     * @return 1 at the limit
     */
    public double share() {
      return (double) bytes / limit;
    }
  }

  /**
   * Copies the collections.
   *
   * @param method what was called
   * @param store the name of the table or collection
   * @param outcomes how many messages had which outcome
   * @param faults how many messages met which fault
   * @param heldBack how many messages of a batch were not tried
   * @param requests what was sent
   * @param latency from the call to its end
   * @param sizes of each entity whose whole size was at hand
   */
  public StoreCall {
    outcomes = Map.copyOf(outcomes);
    faults = Map.copyOf(faults);
    sizes = List.copyOf(sizes);
  }
}
