package dev.tidemark.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;

/**
 * The messages of one round. Each lane has entities of its own, whose messages it hands over in
 * order.
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
    List<List<String>> owned = new ArrayList<>();
    for (int lane = 0; lane < lanes; lane++) {
      owned.add(new ArrayList<>());
    }
    for (int i = 0; i < shape.entities(); i++) {
      String entity = round + "-" + i;
      entities.add(entity);
      owned.get(i % lanes).add(entity);
    }
    return new Workload(entities, owned.stream().map(shape::lane).toList());
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
