package dev.tidemark.kernel;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.Mark;
import dev.tidemark.Position;
import dev.tidemark.Source;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What an entity remembers of one source.
 *
 * @param generation the generation that the rest is of
 * @param floor all up to here was applied or passed; null if no such position is known
 * @param seen positions above the floor that were applied
 * @param horizon seen or not cannot be told up to here; null if it can always
 */
public record SourceMark(
    long generation,
    @Nullable Position floor,
    NavigableSet<Position> seen,
    @Nullable Position horizon) {

  /** Nothing of the source was applied. */
  static final SourceMark NONE = none(0);

  /**
   * Copies the positions.
   *
   * @param generation the generation that the rest is of
   * @param floor all up to here was applied or passed; null if no such position is known
   * @param seen positions above the floor that were applied
   * @param horizon seen or not cannot be told up to here; null if it can always
   */
  public SourceMark {
    NavigableSet<Position> copy = new TreeSet<>();
    copy.addAll(seen);
    seen = Collections.unmodifiableNavigableSet(copy);
  }

  static SourceMark none(long generation) {
    return new SourceMark(generation, null, Collections.emptyNavigableSet(), null);
  }

  /**
   * Reads the mark of a source: a number or a string is the highest position alone, true stands for
   * what the other parts say. Beside anything else these mean nothing.
   */
  static SourceMark read(Map<String, Object> flat, Names names, Source source) {
    String name = names.mark(source, Names.Part.MARK);
    Object mark = flat.get(name);
    if (mark == null) {
      return NONE;
    }
    if (!mark.equals(true)) {
      return new SourceMark(0, Positions.read(name, mark), Collections.emptyNavigableSet(), null);
    }
    SourceMark wide =
        new SourceMark(
            generation(flat, names.mark(source, Names.Part.GENERATION)),
            position(flat, names.mark(source, Names.Part.FLOOR)),
            seen(flat, names.mark(source, Names.Part.SEEN)),
            position(flat, names.mark(source, Names.Part.HORIZON)));
    if (wide.isNone()) {
      throw new CorruptRecordException("mark '" + name + "' is true without a part", null, null);
    }
    return wide;
  }

  private static NavigableSet<Position> seen(Map<String, Object> flat, String name) {
    NavigableSet<Position> seen = new TreeSet<>();
    Object stored = flat.get(name);
    if (stored instanceof Collection<?> positions) {
      positions.forEach(position -> seen.add(Positions.read(name, position)));
    } else if (stored != null) {
      throw new CorruptRecordException("'" + name + "' is not a set", null, null);
    }
    return seen;
  }

  /**
   * What is stored of it, by part; null where nothing is.
   *
   * @param window whether writes add to the parts
   */
  @Nullable Object stored(Names.Part part, boolean window) {
    boolean wide = window || generation > 0 || !seen.isEmpty() || horizon != null;
    return switch (part) {
      case MARK -> wide ? (Object) true : stored(floor);
      case FLOOR -> wide ? stored(floor) : null;
      case SEEN ->
          seen.isEmpty()
              ? null
              : seen.stream()
                  .map(Positions::stored)
                  .collect(Collectors.toCollection(LinkedHashSet::new));
      case HORIZON -> stored(horizon);
      case GENERATION -> generation == 0 ? null : (Object) generation;
    };
  }

  private static @Nullable Object stored(@Nullable Position position) {
    return position == null ? null : Positions.stored(position);
  }

  private static long generation(Map<String, Object> flat, String name) {
    Object stored = flat.get(name);
    if (stored != null && !(stored instanceof Number)) {
      throw new CorruptRecordException("'" + name + "' is not a number", null, null);
    }
    return stored == null ? 0 : ((Number) stored).longValue();
  }

  private static @Nullable Position position(Map<String, Object> flat, String name) {
    Object stored = flat.get(name);
    return stored == null ? null : Positions.read(name, stored);
  }

  /** The same with a horizon. */
  SourceMark from(Position lowest) {
    return new SourceMark(generation, floor, seen, lowest);
  }

  boolean isNone() {
    return floor == null && seen.isEmpty() && horizon == null;
  }

  /**
   * Whether the floor itself was applied. It was not where a window gave it up, and need not have
   * been where a window begins, which may be below its first position.
   */
  boolean isFloorApplied() {
    return floor != null && seen.isEmpty() && (horizon == null || floor.compareTo(horizon) > 0);
  }

  /** The mark of the highest position applied or passed; null if none is known. */
  @Nullable Mark highest(Source source) {
    Position top = seen.isEmpty() ? floor : seen.last();
    top = higher(higher(top, floor), horizon);
    return top == null ? null : new Mark(source.generation(generation), top);
  }

  static @Nullable Position higher(@Nullable Position one, @Nullable Position other) {
    return one == null || (other != null && other.compareTo(one) > 0) ? other : one;
  }

  /** The same knowledge of a dense source, with the floor moved over what was seen. */
  SourceMark dense(long first) {
    if (Stream.concat(Stream.of(floor, horizon), seen.stream())
        .anyMatch(Position.Textual.class::isInstance)) {
      throw new CorruptRecordException("the mark of a dense source is a string", null, null);
    }
    Position low = floor != null ? floor : horizon != null ? horizon : Position.of(first - 1);
    if (horizon != null && horizon.compareTo(low) > 0) {
      low = horizon;
    }
    NavigableSet<Position> above = new TreeSet<>(seen.tailSet(low, false));
    while (!above.isEmpty() && above.first().equals(Positions.plus(low, 1))) {
      low = above.pollFirst();
    }
    return new SourceMark(generation, low, above, horizon);
  }
}
