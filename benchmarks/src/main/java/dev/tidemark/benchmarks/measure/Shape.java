package dev.tidemark.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;

/** How many entities a round has, and how the messages of a lane are handed over. */
public interface Shape {
  /**
   * One message at a time.
   *
   * @return the shape of techniques that say nothing else
   */
  static Shape single() {
    return new Turns(160, 20, 1, 1);
  }

  /**
   * How many entities a round has.
   *
   * @return those of all lanes
   */
  int entities();

  /**
   * The messages of one lane.
   *
   * @param entities those that the lane owns
   * @return its hand-overs, each in the order in which its messages come
   */
  List<List<Event>> lane(List<String> entities);

  /**
   * How many work side by side.
   *
   * @param threads of the run
   * @return as many unless it says otherwise
   */
  default int callers(int threads) {
    return threads;
  }

  /**
   * The messages of all lanes.
   *
   * @param entities those of the round
   * @param lanes how many there are
   * @return for each lane its hand-overs; each has entities of its own unless it says otherwise
   */
  default List<List<List<Event>>> lanes(List<String> entities, int lanes) {
    List<List<String>> owned = new ArrayList<>();
    for (int lane = 0; lane < lanes; lane++) {
      owned.add(new ArrayList<>());
    }
    for (int i = 0; i < entities.size(); i++) {
      owned.get(i % lanes).add(entities.get(i));
    }
    return owned.stream().map(this::lane).toList();
  }

  /**
   * The same for one lane and a short pass.
   *
   * @param messages how many each entity gets; more where one hand-over has more
   * @return the shape
   */
  Shape small(int messages);

  /**
   * Batches of messages of one entity.
   *
   * @param size how many, at most 50
   * @return the shape
   */
  static Shape perEntity(int size) {
    return new Turns(64, 50, size, 1);
  }

  /**
   * Batches of some messages each of ten entities, as a poll brings them.
   *
   * @param size messages of each entity, at most 40
   * @return the shape
   */
  static Shape perEntityOfTen(int size) {
    return new Turns(80, 40, size, 10);
  }

  /**
   * Batches of one message each for many entities.
   *
   * @param size how many
   * @return the shape
   */
  static Shape acrossEntities(int size) {
    return new Turns(4 * size, 8, 1, size);
  }

  /**
   * Entities in turn.
   *
   * @param entities how many entities a round has
   * @param messages how many messages each of them gets
   * @param depth how many consecutive messages of one entity are handed over together
   * @param breadth how many entities a hand-over spans
   */
  record Turns(int entities, int messages, int depth, int breadth) implements Shape {
    @Override
    public List<List<Event>> lane(List<String> entities) {
      List<List<Event>> handOvers = new ArrayList<>();
      for (int first = 1; first <= messages; first += depth) {
        int last = Math.min(messages, first + depth - 1);
        for (int from = 0; from < entities.size(); from += breadth) {
          int to = Math.min(entities.size(), from + breadth);
          handOvers.add(events(entities.subList(from, to), first, last));
        }
      }
      return handOvers;
    }

    private static List<Event> events(List<String> entities, int first, int last) {
      List<Event> events = new ArrayList<>();
      for (String entity : entities) {
        for (int position = first; position <= last; position++) {
          events.add(Event.of(entity, position));
        }
      }
      return List.copyOf(events);
    }

    @Override
    public Shape small(int most) {
      return new Turns(Math.max(4, breadth), Math.max(most, depth), depth, breadth);
    }
  }
}
