package dev.tidemark.kernel;

import dev.tidemark.EntityKey;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The order in which the writes of a batch are judged: events of one source for one entity stand by
 * generation and position, in the places that they hold together; all other writes keep theirs. A
 * lane is not left: only events of the same lane change places.
 */
final class Turns {
  /** The events of one source for one entity, as far as they may change places. */
  private record Order(EntityKey key, Source source, @Nullable String lane) {}

  private Turns() {}

  /** The places in the batch, in the order in which they are judged. */
  static <T> List<Integer> of(List<Write<T>> writes) {
    List<Integer> turns = new ArrayList<>(IntStream.range(0, writes.size()).boxed().toList());
    Map<Order, List<Integer>> orders = new LinkedHashMap<>();
    for (int place : turns) {
      Write<T> write = writes.get(place);
      if (write.message() instanceof SourceEvent event) {
        Order order = new Order(write.key(), event.source().generation(0), write.laneOrNull());
        orders.computeIfAbsent(order, o -> new ArrayList<>()).add(place);
      }
    }
    for (List<Integer> places : orders.values()) {
      List<Integer> sorted = sorted(writes, places);
      for (int i = 0; i < places.size(); i++) {
        turns.set(places.get(i), sorted.get(i));
      }
    }
    return turns;
  }

  /** Positions that do not compare stay where they are: the judge says what is wrong with them. */
  private static <T> List<Integer> sorted(List<Write<T>> writes, List<Integer> places) {
    SourceEvent first = event(writes, places.get(0));
    boolean compare =
        places.stream().allMatch(p -> event(writes, p).position().comparesTo(first.position()));
    return compare
        ? places.stream()
            .sorted((one, other) -> compare(event(writes, one), event(writes, other)))
            .toList()
        : places;
  }

  private static <T> SourceEvent event(List<Write<T>> writes, int place) {
    return (SourceEvent) writes.get(place).message();
  }

  private static int compare(SourceEvent one, SourceEvent other) {
    int generations = Long.compare(one.source().generation(), other.source().generation());
    return generations != 0 ? generations : one.position().compareTo(other.position());
  }
}
