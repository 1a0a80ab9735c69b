package dev.tidemark.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;

/**
 * The messages of one round. Each lane hands its messages over in order.
 *
 * @param entities the keys
 * @param lanes for each lane its hand-overs, in order
 */
public record Workload(List<String> entities, List<List<List<Event>>> lanes) {
  /**
   * Lays out a round.
   *
   * @param round a name that no other round has
   * @param lanes how many work side by side
   * @param shape how many messages, and how they are handed over
   * @return the messages
   */
  public static Workload of(String round, int lanes, Shape shape) {
    List<String> entities = new ArrayList<>();
    for (int i = 0; i < shape.entities(); i++) {
      entities.add(round + "-" + i);
    }
    return new Workload(entities, shape.lanes(entities, lanes));
  }

  /**
   * All messages of the round.
   *
   * @return their number
   */
  public int total() {
    return lanes.stream().flatMap(List::stream).mapToInt(List::size).sum();
  }

  /**
   * What all messages of an entity add up to.
   *
   * @param entity its key
   * @return the total that it has to have in the end
   */
  public long wanted(String entity) {
    return Event.AMOUNT
        * lanes.stream()
            .flatMap(List::stream)
            .flatMap(List::stream)
            .filter(event -> event.entity().equals(entity))
            .count();
  }
}
