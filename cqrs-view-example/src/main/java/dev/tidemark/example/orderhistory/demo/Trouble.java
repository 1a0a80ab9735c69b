package dev.tidemark.example.orderhistory.demo;

import java.util.Map;

/** What is done to a group of consumers on purpose. */
enum Trouble {
  /** A member ends after a view was written and before the offset is committed. */
  KILL,
  /** A member joins, so partitions move. */
  JOIN,
  /** All members stop, and begin again at half of what was committed. */
  SET_BACK;

  /** When which trouble comes, by the number of the delivery. */
  static Map<Long, Trouble> schedule(long records) {
    return Map.of(
        at(records, 15), KILL,
        at(records, 30), JOIN,
        at(records, 45), KILL,
        at(records, 65), SET_BACK,
        at(records, 90), KILL);
  }

  private static long at(long records, int percent) {
    return records * percent / 100;
  }
}
