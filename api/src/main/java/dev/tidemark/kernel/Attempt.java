package dev.tidemark.kernel;

import dev.tidemark.Result;
import java.util.List;
import java.util.Map;

/**
 * A request of a {@link Run}, and what it means for every write.
 *
 * @param request the write of all of them
 * @param results of all writes up to the last that it applies, as they are if it is accepted
 * @param places which of them it applies or records, in order
 * @param erases whether it takes the mark of its own message away
 */
record Attempt<T>(
    Request<T> request, Map<Integer, Result<T>> results, List<Integer> places, boolean erases) {
  Attempt {
    results = Map.copyOf(results);
    places = List.copyOf(places);
  }

  Marking marking() {
    return request.marking();
  }

  boolean isInformed() {
    return request.over() != null;
  }

  boolean isEmpty() {
    return places.isEmpty();
  }
}
