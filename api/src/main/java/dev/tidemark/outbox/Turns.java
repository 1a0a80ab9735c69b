package dev.tidemark.outbox;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.UnaryOperator;

/**
 * When to look at records again that have messages whose turn is later: by their key, since they
 * may stand behind many others in the index. Times are nanoseconds that have passed. For one
 * thread.
 */
final class Turns {
  /** So many records are kept in mind; looks at the index find the others. */
  private static final int MOST = 250_000;

  private final PriorityQueue<Turn> queue =
      new PriorityQueue<>(Comparator.comparingLong(Turn::time));

  private final Map<Object, Long> times = new HashMap<>();
  private final UnaryOperator<Object> bare;

  /**
   * Keeps nothing in mind yet.
   *
   * @param bare as {@link OutboxRecords#bare} has it
   */
  Turns(UnaryOperator<Object> bare) {
    this.bare = bare;
  }

  private record Turn(long time, Object key) {}

  /** Asks for a look at a record; the earliest time that was asked for counts. */
  void add(Object key, long time) {
    Long known = times.get(key);
    if (known == null ? times.size() < MOST : time < known) {
      Object kept = bare.apply(key);
      times.put(kept, time);
      queue.add(new Turn(time, kept));
    }
  }

  /** Keys of records whose time has come, which are forgotten by that. */
  List<Object> take(long now, int most) {
    List<Object> keys = new ArrayList<>();
    while (!queue.isEmpty() && queue.peek().time() <= now && keys.size() < most) {
      Turn turn = queue.remove();
      if (times.remove(turn.key(), turn.time())) {
        keys.add(turn.key());
      }
    }
    return keys;
  }

  void clear() {
    queue.clear();
    times.clear();
  }
}
