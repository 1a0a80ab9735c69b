package dev.tidemark.example.orderhistory;

import dev.tidemark.EntityStore;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.store.RecordStore;
import java.util.List;

/**
 * The generations of the views: whole copies of them, of which one serves. A wrong projector is
 * mended by a new generation, which is filled from the topic's start by the right one while the old
 * generation serves, and then takes its place. For any number of threads.
 */
public interface Generations extends AutoCloseable {
  /**
   * Which generation serves. Readers and writers ask before each query or batch.
   *
   * @return 1 until another was switched to; may be as old as {@link #SWITCH_SECONDS}
   */
  int serving();

  /** For how long a process may go on with the generation that served before a switch. */
  int SWITCH_SECONDS = 1;

  /**
   * One generation's views, which must be there.
   *
   * @param number 1 or higher
   * @return the same store each time
   */
  ViewStore generation(int number);

  /**
   * The same, whose message IDs apply however old they are: for a rebuild.
   *
   * @param number 1 or higher
   * @return a store
   */
  ViewStore rebuilding(int number);

  /**
   * Makes what is not there of a generation's tables or collections and their indexes. In
   * production {@code infra} has made the tables.
   *
   * @param number 1 or higher
   */
  void prepare(int number);

  /**
   * Lets another generation serve.
   *
   * @param number what {@link #serving} will say
   */
  void serve(int number);

  /**
   * Begins a rebuild, or goes on with one that was not ended.
   *
   * @return the generation to fill: that of the rebuild which was begun and not ended, else the one
   *     after all that were ever begun. A generation that was filled before is never filled again,
   *     also where an older one serves: its rows would take every event for a duplicate
   */
  int beginRebuild();

  /** Ends the rebuild: the next one will fill another generation. */
  void endRebuild();

  /**
   * The views of the generations before one, as far as their tables or collections are there.
   *
   * @param number 1 or higher
   * @return the newest first
   */
  List<ViewStore> before(int number);

  /**
   * The views that serve.
   *
   * @return those of {@link #serving}
   */
  default ViewStore current() {
    return generation(serving());
  }

  /**
   * Whether rows publish the changes of their statuses.
   *
   * @return as the deployment's settings say
   */
  boolean announces();

  /**
   * The board of restaurants, whatever generation serves.
   *
   * @return the same store each time
   */
  EntityStore<BoardView> board();

  /**
   * All rows of the board, in any order: for a page, as long as there are not many restaurants.
   *
   * @return one for each restaurant
   */
  List<BoardView> restaurants();

  /** Makes the board's table, or what its collection needs, unless it is there. */
  void prepareBoard();

  /**
   * What rows have published and nobody has sent yet: of the generation that serves, and of those
   * before it that are there, since any of them may have served until a moment ago.
   *
   * @return one for each of these generations, the oldest first
   */
  List<OutboxRecords> outboxes();

  /**
   * Where executions of this deployment are recorded, whatever generation serves.
   *
   * @return their records
   */
  RecordStore executions();

  /** Makes the table or the indexes of those records, which must not be there yet. */
  void prepareExecutions();

  @Override
  void close();
}
