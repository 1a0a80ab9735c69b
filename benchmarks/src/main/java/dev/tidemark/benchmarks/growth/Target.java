package dev.tidemark.benchmarks.growth;

import dev.tidemark.EntityStore;
import dev.tidemark.Tracking;
import dev.tidemark.benchmarks.measure.Store;
import java.time.Clock;

/** A store on which entities grow. */
public interface Target {
  /**
   * The store that is measured.
   *
   * @return with its meter
   */
  Store store();

  /**
   * Tidemark's store of the entities.
   *
   * @param tracking what they remember
   * @param clock the writer's clock
   * @return the store
   */
  EntityStore<?> open(Tracking tracking, Clock clock);

  /**
   * Starts to watch what replication carries.
   *
   * @return tells the bytes of all writes to the entities since then; 0 where none can be read
   */
  Watch watch();

  /**
   * How many ids of 36 characters fit into one entity.
   *
   * @return at most this many
   */
  int idsThatFit();

  /** What replication carried since it began. */
  @FunctionalInterface
  interface Watch {
    /**
     * Ends the watch.
     *
     * @return bytes
     */
    long bytes();
  }
}
