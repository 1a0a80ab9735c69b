package dev.tidemark;

import dev.tidemark.kernel.Text;
import java.util.List;

/**
 * Where a value stands in an entity: an attribute, or a member of a nested map. List elements have
 * no path.
 *
 * @param segments the attribute's name, then the names of members inside it
 */
public record Path(List<String> segments) {
  /**
   * Checks the names.
   *
   * @param segments the attribute's name, then the names of members inside it
   * @throws IllegalArgumentException if there is none, or one is empty or has a lone surrogate
   */
  public Path {
    segments = List.copyOf(segments);
    if (segments.isEmpty()) {
      throw new IllegalArgumentException("path must have at least one segment");
    }
    segments.forEach(segment -> Text.notEmpty("segment of a path", segment));
  }

  /**
   * A path of names that are taken as they are, dots included.
   *
   * @param segments at least one name
   * @return the path
   */
  public static Path of(String... segments) {
    return new Path(List.of(segments));
  }

  /**
   * A path in which dots part the names: {@code "address.city"}.
   *
   * @param path names with dots between them
   * @return the path
   * @throws IllegalArgumentException if a name is empty
   */
  public static Path parse(String path) {
    return new Path(List.of(Text.given("path", path).split("\\.", -1)));
  }

  /**
   * Whether two paths cannot be changed in one write: they are equal, or one leads to the other.
   *
   * @param other another path
   * @return true if one is a prefix of the other
   */
  public boolean overlaps(Path other) {
    int shared = Math.min(segments.size(), other.segments.size());
    return segments.subList(0, shared).equals(other.segments.subList(0, shared));
  }

  /** The names with dots between them, cut at 64 characters. */
  @Override
  public String toString() {
    return Text.shown(String.join(".", segments));
  }
}
