package dev.tidemark.kernel;

import dev.tidemark.EntityKey;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The order in which the writes of a batch are judged: events of one source for one entity stand by
 * generation and position, at the indexes that they hold together; all other writes keep theirs. A
 * lane is not left: only events of the same lane are exchanged.
 */
public final class Turns {
  /** The events of one source for one entity, as far as they may be exchanged. */
  private record Order(EntityKey key, Source source, @Nullable String lane) {}

  private static final Comparator<SourceEvent> IN_SOURCE =
      Comparator.comparingLong((SourceEvent event) -> event.source().generation())
          .thenComparing(SourceEvent::position);

  private Turns() {}

  /**
   * The indexes in the batch, in the order in which they are judged.
   *
   * @param writes of the batch, in order
   * @param <T> the entity's type
   * @return each index once
   */
  public static <T> List<Integer> of(List<Write<T>> writes) {
    List<Integer> turns = new ArrayList<>(IntStream.range(0, writes.size()).boxed().toList());
    Map<Order, List<Integer>> orders = new LinkedHashMap<>();
    for (int index : turns) {
      Write<T> write = writes.get(index);
      if (write.message() instanceof SourceEvent event) {
        Order order = new Order(write.key(), event.source().generation(0), write.laneOrNull());
        orders.computeIfAbsent(order, o -> new ArrayList<>()).add(index);
      }
    }
    for (List<Integer> indexes : orders.values()) {
      List<Integer> sorted = sorted(writes, indexes);
      for (int i = 0; i < indexes.size(); i++) {
        turns.set(indexes.get(i), sorted.get(i));
      }
    }
    return turns;
  }

  /** Positions that do not compare stay where they are: the judge says what is wrong with them. */
  private static <T> List<Integer> sorted(List<Write<T>> writes, List<Integer> indexes) {
    Function<Integer, SourceEvent> event = index -> (SourceEvent) writes.get(index).message();
    Position first = event.apply(indexes.get(0)).position();
    return indexes.stream().allMatch(p -> event.apply(p).position().comparesTo(first))
        ? indexes.stream().sorted(Comparator.comparing(event, IN_SOURCE)).toList()
        : indexes;
  }
}
