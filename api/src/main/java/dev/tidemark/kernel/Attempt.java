package dev.tidemark.kernel;

import dev.tidemark.Result;
import java.util.List;
import java.util.Map;
import java.util.Objects;

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
  Marking marking() {
    return request.marking();
  }

  boolean isInformed() {
    return request.over() != null;
  }

  boolean isEmpty() {
    return places.isEmpty();
  }

  /** Whether this attempt left the record that is stored. */
  boolean isIn(Found<T> found, Names names) {
    return found.exists() && marking().token().equals(found.revision(names));
  }

  /** Whether this attempt created the entity. */
  boolean hasCreated(Found<T> found, Names names) {
    return marking().token().equals(found.marks().get(names.birth()));
  }

  /** Whether the record that is stored is the one that this attempt was made over. */
  boolean isMadeOver(Found<T> found, Names names) {
    Found<T> before = Objects.requireNonNull(request.over()).found();
    return before.exists() == found.exists() && before.isSame(found, names);
  }
}
