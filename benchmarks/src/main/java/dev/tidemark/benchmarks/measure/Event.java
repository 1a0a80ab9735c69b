package dev.tidemark.benchmarks.measure;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/**
 * One message of the workload: a step of one order, which adds to its total.
 *
 * @param entity the order's key
 * @param position the place in the order's own source, from 1
 * @param id a UUID, for techniques that go by message ids
 */
public record Event(String entity, long position, String id) {
  /** What each event adds to the total. */
  public static final long AMOUNT = 25;

  /** The source's type. */
  public static final String TYPE = "Order";

  /**
   * One message.
   *
   * @param entity its entity
   * @param position its place
   * @return the message, with an id that follows from both
   */
  public static Event of(String entity, long position) {
    byte[] name = (entity + "/" + position).getBytes(StandardCharsets.UTF_8);
    return new Event(entity, position, UUID.nameUUIDFromBytes(name).toString());
  }

  /**
   * The status after this event.
   *
   * @return a short text
   */
  public String status() {
    return "STEP-" + position;
  }
}
