package dev.tidemark.kernel;

import dev.tidemark.Key;
import dev.tidemark.Message;
import dev.tidemark.Result;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Which orders have stopped: what follows a write that is not done is not tried. */
final class Holds {
  /** The order of one source's events for one entity; a lane is its own name. */
  private record OfSource(Key key, Source source) {}

  private final Map<Object, Message> stopped = new HashMap<>();

  /** What a write waits for; null if it may be made. */
  @Nullable Message behind(Write<?> write) {
    for (Object order : orders(write)) {
      Message behind = stopped.get(order);
      if (behind != null) {
        return behind;
      }
    }
    return null;
  }

  /** Notes what became of a write. */
  void ended(Write<?> write, Result<?> result) {
    if (!result.isDone()) {
      orders(write).forEach(order -> stopped.putIfAbsent(order, write.message()));
    }
  }

  private static List<Object> orders(Write<?> write) {
    List<Object> orders = new ArrayList<>(2);
    if (write.message() instanceof SourceEvent event) {
      orders.add(new OfSource(write.key(), event.source().generation(0)));
    }
    write.lane().ifPresent(orders::add);
    return orders;
  }
}
