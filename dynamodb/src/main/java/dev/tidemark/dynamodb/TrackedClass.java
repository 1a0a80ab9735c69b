package dev.tidemark.dynamodb;

import dev.tidemark.Tracked;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Names;
import dev.tidemark.marks.Marks;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/**
 * What the extension knows of a class that is annotated with {@link Tracked}.
 *
 * @param schema the one that it is known by
 * @param tracking the policies that the annotation says
 * @param mapping maps its items
 */
record TrackedClass(TableSchema<?> schema, Tracking tracking, Mapping<?> mapping) {
  static TrackedClass of(TableSchema<?> schema) {
    Tracking tracking = Tracking.of(schema.itemType().rawClass());
    return new TrackedClass(schema, tracking, new Mapping<>(schema, tracking, true));
  }

  /** Refuses a class that is written as if it were tracked, and is not. */
  static void requireNotMeant(TableSchema<?> schema) {
    for (Class<?> property : List.of(Processing.class, Marks.class)) {
      if (Mapping.attributeOf(schema, property).isPresent()) {
        throw new IllegalArgumentException(
            "%s has a property of type %s and is not tracked: annotate the class with @Tracked"
                .formatted(schema.itemType().rawClass().getSimpleName(), property.getSimpleName()));
      }
    }
  }

  /** Whether this is what is known of the class by a schema. */
  boolean isOf(TableSchema<?> other) {
    return schema == other;
  }

  String name() {
    return mapping.type().getSimpleName();
  }

  Names names() {
    return mapping.names();
  }

  /** The attributes that tracking may own in any entity, whatever its sources are. */
  List<String> fixedNames() {
    Names names = names();
    return Stream.concat(
            IntStream.rangeClosed(0, Names.CLOSED_SLOTS).mapToObj(names::ids),
            Stream.of(names.since(), names.closed(), names.birth(), names.tombstone()))
        .toList();
  }
}
