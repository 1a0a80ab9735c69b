package dev.tidemark.metrics;

import java.util.OptionalLong;

/**
 * What the marks of one entity cost.
 *
 * @param bytes what is stored of them, with everything else that tracking owns, names included
 * @param writeUnits the write units that they add to each write of the entity, where the store
 *     bills by size as DynamoDB does; each index that projects them bills them again
 */
public record MarkCost(long bytes, OptionalLong writeUnits) {
  private static final long BYTES_PER_WRITE_UNIT = 1_024;

  /**
   * Marks in a store that does not bill writes by size.
   *
   * @param bytes what is stored of them
   * @return their cost
   */
  public static MarkCost stored(long bytes) {
    return new MarkCost(bytes, OptionalLong.empty());
  }

  /**
   * Marks in DynamoDB, which bills each write by the whole item: a unit for each KB or part of one.
   *
   * @param itemBytes the size of the item
   * @param bytes what is stored of the marks
   * @return their cost: the units with them minus the units without
   */
  public static MarkCost billed(long itemBytes, long bytes) {
    long without = writeUnits(itemBytes - bytes);
    return new MarkCost(bytes, OptionalLong.of(writeUnits(itemBytes) - without));
  }

  private static long writeUnits(long bytes) {
    return Math.max(1, (bytes + BYTES_PER_WRITE_UNIT - 1) / BYTES_PER_WRITE_UNIT);
  }
}
