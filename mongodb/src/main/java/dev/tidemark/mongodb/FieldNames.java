package dev.tidemark.mongodb;

import dev.tidemark.Path;
import java.util.List;

/** Names of fields, in the two languages that lead them astray. */
final class FieldNames {
  private static final int DEEPEST = 40;

  private FieldNames() {}

  /**
   * A name that can be neither read as a path nor as an operator.
   *
   * @throws IllegalArgumentException if it can
   */
  static String check(String name) {
    if (name.isEmpty() || name.startsWith("$") || name.indexOf('.') >= 0) {
      throw refused(name, "must not be empty, have a dot or start with a dollar");
    }
    if (name.indexOf('\0') >= 0) {
      throw refused(name, "must not have a NUL");
    }
    return name;
  }

  /** A name inside a value: never read as a path or an operator, so only a NUL does not do. */
  static String inValue(String name) {
    if (name.indexOf('\0') >= 0) {
      throw refused(name, "must not have a NUL");
    }
    return name;
  }

  private static IllegalArgumentException refused(String name, String why) {
    String shown = name.length() <= 64 ? name : name.substring(0, 64) + "…";
    return new IllegalArgumentException("field name '" + shown + "' " + why + " on MongoDB");
  }

  static Path check(Path path) {
    path.segments().forEach(FieldNames::check);
    if (path.segments().size() > DEEPEST) {
      throw refused(path.toString(), "must not lead deeper than " + DEEPEST + " levels");
    }
    return path;
  }

  /** As a filter and an operator spell it. */
  static String dotted(Path path) {
    List<String> segments = path.segments();
    return segments.size() == 1 ? segments.get(0) : String.join(".", segments);
  }

  /** The value at a path, in an expression. */
  static String expression(Path path) {
    return "$" + dotted(path);
  }

  /** The paths of the documents around a value, outermost first. */
  static List<Path> parents(Path path) {
    if (path.segments().size() == 1) {
      return List.of();
    }
    return java.util.stream.IntStream.range(1, path.segments().size())
        .mapToObj(length -> new Path(path.segments().subList(0, length)))
        .toList();
  }
}
