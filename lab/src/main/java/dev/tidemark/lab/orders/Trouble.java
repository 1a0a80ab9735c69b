package dev.tidemark.lab.orders;

import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What is done to a group of consumers on purpose. */
enum Trouble {
  /** A member ends after views were written and before the offsets are committed. */
  KILL,
  /** A member joins, so partitions move. */
  JOIN,
  /** All members stop, and begin again at half of what was committed. */
  SET_BACK;

  /** When which trouble comes, by the number of deliveries so far. */
  static NavigableMap<Long, Trouble> schedule(long records) {
    return new TreeMap<>(
        Map.of(
            at(records, 15), KILL,
            at(records, 30), JOIN,
            at(records, 45), KILL,
            at(records, 65), SET_BACK,
            at(records, 90), KILL));
  }

  private static long at(long records, int percent) {
    return records * percent / 100;
  }
}
