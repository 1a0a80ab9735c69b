package dev.tidemark.dynamodb;

import dev.tidemark.Key;
import dev.tidemark.Marks;
import dev.tidemark.Tracked;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Names;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What the extension knows of a class that is annotated with {@link Tracked}. */
final class TrackedClass {
  private final TableSchema<?> schema;
  private final DynamoDbKeys keys;
  private final Tracking tracking;
  private final Names names;
  private final @Nullable String processing;
  private final @Nullable String marks;

  private TrackedClass(TableSchema<?> schema) {
    this.schema = schema;
    this.keys = new DynamoDbKeys(schema);
    this.tracking = Tracking.of(schema.itemType().rawClass());
    this.names = Names.flat(tracking);
    this.processing = DynamoDbMapping.attributeOf(schema, Processing.class).orElse(null);
    this.marks = DynamoDbMapping.attributeOf(schema, Marks.class).orElse(null);
    DynamoDbMapping.checkNames(schema, names);
  }

  /** Null for a class without the annotation. */
  static @Nullable TrackedClass of(TableSchema<?> schema) {
    return schema.itemType().rawClass().isAnnotationPresent(Tracked.class)
        ? new TrackedClass(schema)
        : null;
  }

  /** Whether this is what is known of the class by a schema. */
  boolean isOf(TableSchema<?> other) {
    return schema == other;
  }

  String name() {
    return schema.itemType().rawClass().getSimpleName();
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
    Set<String> properties = new LinkedHashSet<>();
    if (processing != null) {
      properties.add(processing);
    }
    if (marks != null) {
      properties.add(marks);
    }
    return properties;
  }

  @Nullable Processing processing(Map<String, AttributeValue> item) {
    AttributeValue value = processing == null ? null : item.get(processing);
    return value == null || !value.hasL() ? null : new ProcessingConverter().transformTo(value);
  }

  /** Null for a class that cannot carry marks; none for an entity that has none yet. */
  @Nullable Marks marks(Map<String, AttributeValue> item) {
    if (marks == null) {
      return null;
    }
    AttributeValue value = item.get(marks);
    return value == null || !value.hasL() ? Marks.none() : new MarksConverter().transformTo(value);
  }

  Key key(Map<String, AttributeValue> item) {
    return keys.keyOf(item);
  }

  /** Gathers tracking's attributes in the property of type Marks. */
  Map<String, AttributeValue> collapse(Map<String, AttributeValue> item) {
    Map<String, AttributeValue> collapsed = new LinkedHashMap<>();
    Map<String, AttributeValue> owned = new LinkedHashMap<>();
    item.forEach((name, value) -> (names.owns(name) ? owned : collapsed).put(name, value));
    if (marks != null) {
      collapsed.put(marks, MarksConverter.toAttribute(Marks.of(DynamoDbValues.toNeutral(owned))));
    }
    return collapsed;
  }
}
