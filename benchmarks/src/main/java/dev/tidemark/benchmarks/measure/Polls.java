package dev.tidemark.benchmarks.measure;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;

/**
 * What a Kafka consumer of several partitions polls: {@value #SIZE} messages of {@value #ENTITIES}
 * entities. Each entity has one or more; how many more falls off as one over its rank, so that the
 * busiest has some thirty. A partition has the messages of its entities mixed, those of one entity
 * in order, and a poll has the partitions mixed.
 *
 * @param lanes how many consumers, each with entities and partitions of its own
 * @param polls how many hand-overs each of them gets
 */
public record Polls(int lanes, int polls) implements Shape {
  /** Messages of a poll, as many as a consumer takes by default. */
  public static final int SIZE = 500;

  /** Entities of a poll. */
  public static final int ENTITIES = 300;

  private static final int PARTITIONS = 6;

  @Override
  public int entities() {
    return lanes * ENTITIES;
  }

  @Override
  public Shape small(int messages) {
    return new Polls(1, 2);
  }

  /**
   * The partition of an entity.
   *
   * @param entity its key
   * @return the partition's name
   */
  public static String partition(String entity) {
    return "orders-" + Math.floorMod(entity.hashCode(), PARTITIONS);
  }

  @Override
  public List<List<Event>> lane(List<String> entities) {
    Random random = new Random(entities.hashCode());
    Map<String, Integer> positions = new HashMap<>();
    List<List<Event>> handOvers = new ArrayList<>();
    for (int poll = 0; poll < polls; poll++) {
      List<Event> events = new ArrayList<>();
      for (String entity : mixed(drawn(entities, random), random)) {
        events.add(Event.of(entity, positions.merge(entity, 1, Integer::sum)));
      }
      handOvers.add(List.copyOf(events));
    }
    return handOvers;
  }

  /** Each entity once, and the others by rank. */
  private static List<String> drawn(List<String> entities, Random random) {
    List<String> drawn = new ArrayList<>(entities);
    double all = 0;
    for (int rank = 1; rank <= entities.size(); rank++) {
      all += 1.0 / rank;
    }
    while (drawn.size() < SIZE * entities.size() / ENTITIES) {
      double left = random.nextDouble() * all;
      int rank = 1;
      while (rank < entities.size() && left > 1.0 / rank) {
        left -= 1.0 / rank;
        rank++;
      }
      drawn.add(entities.get(rank - 1));
    }
    Collections.shuffle(drawn, random);
    return drawn;
  }

  /** The partitions, each in its order, a run of one after a run of another. */
  private static List<String> mixed(List<String> drawn, Random random) {
    Map<String, Queue<String>> logs = new HashMap<>();
    for (String entity : drawn) {
      logs.computeIfAbsent(partition(entity), name -> new ArrayDeque<>()).add(entity);
    }
    List<Queue<String>> open = new ArrayList<>(logs.values());
    List<String> mixed = new ArrayList<>();
    while (!open.isEmpty()) {
      mixed.add(open.get(random.nextInt(open.size())).remove());
      open.removeIf(Queue::isEmpty);
    }
    return mixed;
  }
}
