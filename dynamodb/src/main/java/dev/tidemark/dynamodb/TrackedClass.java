package dev.tidemark.dynamodb;

import dev.tidemark.EntityKey;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Names;
import dev.tidemark.marks.Marks;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What the extension knows of a class that is annotated with {@link Tracked}. */
final class TrackedClass {
  private final TableSchema<?> schema;
  private final Keys keys;
  private final Tracking tracking;
  private final Names names;
  private final @Nullable String processing;
  private final @Nullable String marks;

  TrackedClass(TableSchema<?> schema) {
    this.schema = schema;
    this.keys = new Keys(schema);
    this.tracking = Tracking.of(schema.itemType().rawClass());
    this.names = Names.flat(tracking);
    this.processing = Mapping.attributeOf(schema, Processing.class).orElse(null);
    this.marks = Mapping.attributeOf(schema, Marks.class).orElse(null);
    Mapping.checkNames(schema, names);
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

  Class<?> type() {
    return schema.itemType().rawClass();
  }

  String name() {
    return type().getSimpleName();
  }

  Tracking tracking() {
    return tracking;
  }

  Names names() {
    return names;
  }

  String partition() {
    return schema.tableMetadata().primaryPartitionKey();
  }

  /** The attributes that are never stored. */
  Set<String> properties() {
    return Stream.of(Optional.ofNullable(processing), Optional.ofNullable(marks))
        .flatMap(Optional::stream)
        .collect(Collectors.toSet());
  }

  @Nullable Processing processing(Map<String, AttributeValue> item) {
    AttributeValue value = processing == null ? null : item.get(processing);
    return value == null || !value.hasL() ? null : new ProcessingConverter().transformTo(value);
  }

  /** Whether entities have a property of type Marks. */
  boolean carriesMarks() {
    return marks != null;
  }

  /** The marks that an entity carries; null where the property is missing or null. */
  @Nullable Marks marks(Map<String, AttributeValue> item) {
    AttributeValue value = marks == null ? null : item.get(marks);
    return value == null || !value.hasL() ? null : new MarksConverter().transformTo(value);
  }

  /** The attributes that tracking may own in any entity, whatever its sources are. */
  List<String> fixedNames() {
    return Stream.concat(
            IntStream.rangeClosed(0, Names.CLOSED_SLOTS).mapToObj(names::ids),
            Stream.of(
                names.since(), names.closed(), names.full(), names.birth(), names.tombstone()))
        .toList();
  }

  EntityKey key(Map<String, AttributeValue> item) {
    return keys.keyOf(item);
  }

  /**
   * Gathers tracking's attributes in the property of type Marks: partial ones where the key is
   * missing, as it is in what an update changed, or an index was read, which may hold less.
   */
  Map<String, AttributeValue> collapse(Map<String, AttributeValue> item, String index) {
    Map<String, AttributeValue> collapsed = new LinkedHashMap<>();
    Map<String, AttributeValue> owned = new LinkedHashMap<>();
    item.forEach((name, value) -> (names.owns(name) ? owned : collapsed).put(name, value));
    if (marks != null) {
      Map<String, Object> neutral = Values.toNeutral(owned);
      boolean whole =
          index.equals(TableMetadata.primaryIndexName())
              && item.keySet().containsAll(keys.attributes());
      collapsed.put(
          marks, MarksConverter.toAttribute(whole ? Marks.of(neutral) : Marks.partial(neutral)));
    }
    return collapsed;
  }
}
