package dev.tidemark.kernel;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The order of lanes, such as partitions and message groups: what stands behind a message that is
 * not done waits for it, and is not acknowledged before it. Whoever goes through a batch in order
 * asks it of each message. For one thread.
 *
 * @param <L> what names a lane
 * @param <M> what stands for a message
 */
public final class LaneGate<L, M> {
  private Map<L, M> undone = Map.of();

  /** Lanes in which all is done so far. */
  public LaneGate() {}

  /**
   * What the next message of a lane stands behind.
   *
   * @param lane null for a message that is in none
   * @return the first message of the lane that is not done; null if there is none
   */
  public @Nullable M ahead(@Nullable L lane) {
    return lane == null ? null : undone.get(lane);
  }

  /**
   * Takes note of a message that is not done.
   *
   * @param lane null for a message that is in none, behind which nothing waits
   * @param message the message
   */
  public void stop(@Nullable L lane, M message) {
    if (lane != null) {
      undone = undone.isEmpty() ? new HashMap<>() : undone;
      undone.putIfAbsent(lane, message);
    }
  }
}
