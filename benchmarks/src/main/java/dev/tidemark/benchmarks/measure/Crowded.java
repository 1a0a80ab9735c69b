package dev.tidemark.benchmarks.measure;

import java.util.ArrayList;
import java.util.List;

/**
 * A technique whose callers all meet in one entity, each with messages of its own.
 *
 * @param technique applies the messages, in any order
 * @param shape how many callers there are
 */
public record Crowded(Technique technique, Shape shape) implements Technique {
  /** How many callers are at one entity. */
  public static final int CALLERS = 200;

  /**
   * All callers at one entity, with one message each.
   *
   * @param technique applies the messages, in any order
   * @return the technique, under a name that says so
   */
  public static Technique of(Technique technique) {
    return new Crowded(technique, new Crowd(CALLERS, 1));
  }

  @Override
  public String name() {
    return shape.callers(1) + " at once, " + technique.name();
  }

  @Override
  public int handle(List<Event> events) throws Exception {
    return technique.handle(events);
  }

  @Override
  public boolean isGuarded() {
    return technique.isGuarded();
  }

  private record Crowd(int callers, int messages) implements Shape {
    @Override
    public int entities() {
      return 1;
    }

    @Override
    public int callers(int threads) {
      return callers;
    }

    @Override
    public List<List<List<Event>>> lanes(List<String> entities, int lanes) {
      List<List<List<Event>>> all = new ArrayList<>();
      for (int lane = 0; lane < lanes; lane++) {
        all.add(lane(entities, 1 + lane * messages));
      }
      return all;
    }

    @Override
    public List<List<Event>> lane(List<String> entities) {
      return lane(entities, 1);
    }

    private List<List<Event>> lane(List<String> entities, int first) {
      List<List<Event>> handOvers = new ArrayList<>();
      for (int position = first; position < first + messages; position++) {
        handOvers.add(List.of(Event.of(entities.get(0), position)));
      }
      return handOvers;
    }

    @Override
    public Shape small(int most) {
      return new Crowd(callers, most);
    }
  }
}
