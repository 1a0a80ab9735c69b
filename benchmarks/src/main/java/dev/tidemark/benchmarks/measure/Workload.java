package dev.tidemark.benchmarks.measure;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The messages of one round. Each lane has entities of its own, whose messages it hands over in
 * order, entity by entity in turn.
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
    return new Workload(entities, owned.stream().map(mine -> lane(mine, shape)).toList());
  }

  private static List<List<Event>> lane(List<String> entities, Shape shape) {
    List<List<Event>> handOvers = new ArrayList<>();
    for (int first = 1; first <= shape.messages(); first += shape.depth()) {
      int last = Math.min(shape.messages(), first + shape.depth() - 1);
      for (int from = 0; from < entities.size(); from += shape.breadth()) {
        int to = Math.min(entities.size(), from + shape.breadth());
        handOvers.add(events(entities.subList(from, to), first, last));
      }
    }
    return handOvers;
  }

  private static List<Event> events(List<String> entities, int first, int last) {
    List<Event> events = new ArrayList<>();
    for (String entity : entities) {
      for (int position = first; position <= last; position++) {
        events.add(event(entity, position));
      }
    }
    return List.copyOf(events);
  }

  /**
   * One message.
   *
   * @param entity its entity
   * @param position its place
   * @return the message, with an id that follows from both
   */
  public static Event event(String entity, long position) {
    byte[] name = (entity + "/" + position).getBytes(StandardCharsets.UTF_8);
    return new Event(entity, position, UUID.nameUUIDFromBytes(name).toString());
  }
}
