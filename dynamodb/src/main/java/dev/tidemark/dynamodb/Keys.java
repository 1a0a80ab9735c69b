package dev.tidemark.dynamodb;

import dev.tidemark.Key;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The attributes of a table's primary key, and keys as items have them. */
final class Keys {
  private static final int MOST_PARTITION_BYTES = 2048;
  private static final int MOST_SORT_BYTES = 1024;

  private record Part(
      String attribute, AttributeValueType type, int mostBytes, @Nullable PropertyType property) {}

  private final List<Part> parts = new ArrayList<>();
  private final Set<String> attributes;

  Keys(TableSchema<?> schema) {
    TableMetadata metadata = schema.tableMetadata();
    add(schema, metadata.primaryPartitionKey(), MOST_PARTITION_BYTES);
    metadata.primarySortKey().ifPresent(sort -> add(schema, sort, MOST_SORT_BYTES));
    this.attributes = Set.copyOf(parts.stream().map(Part::attribute).toList());
  }

  private void add(TableSchema<?> schema, String attribute, int mostBytes) {
    AttributeValueType type =
        schema.tableMetadata().keyAttributes().stream()
            .filter(a -> a.name().equals(attribute))
            .findFirst()
            .orElseThrow()
            .attributeValueType();
    AttributeConverter<?> converter =
        !Mapping.isOpen(schema) && schema.attributeNames().contains(attribute)
            ? schema.converterForAttribute(attribute)
            : null;
    PropertyType property = converter == null ? null : PropertyType.of(converter);
    parts.add(new Part(attribute, type, mostBytes, property));
  }

  String partition() {
    return parts.get(0).attribute();
  }

  Set<String> attributes() {
    return attributes;
  }

  /** The key's attributes. */
  Map<String, AttributeValue> of(Key key) {
    if (!key.routing().isEmpty()) {
      throw new IllegalArgumentException("a DynamoDB key has no routing");
    }
    if (key.parts().size() != parts.size()) {
      throw new IllegalArgumentException(
          "the table's key has "
              + parts.stream().map(Part::attribute).toList()
              + ", the given one "
              + key.parts().size()
              + (key.parts().size() == 1 ? " value" : " values"));
    }
    Map<String, AttributeValue> item = new LinkedHashMap<>();
    for (int i = 0; i < parts.size(); i++) {
      item.put(parts.get(i).attribute(), value(parts.get(i), key.parts().get(i)));
    }
    return item;
  }

  /** The key's attributes out of an item. */
  Map<String, AttributeValue> of(Map<String, AttributeValue> item) {
    Map<String, AttributeValue> key = new LinkedHashMap<>();
    for (Part part : parts) {
      AttributeValue value = item.get(part.attribute());
      if (value != null) {
        key.put(part.attribute(), value);
      }
    }
    return key;
  }

  /** The key of an item, as a value. */
  Key keyOf(Map<String, AttributeValue> item) {
    List<Object> values = new ArrayList<>();
    for (Part part : parts) {
      AttributeValue value = item.get(part.attribute());
      Object neutral = value == null ? null : Values.toNeutral(value);
      if (neutral == null) {
        throw new IllegalArgumentException("key attribute '" + part.attribute() + "' has no value");
      }
      values.add(neutral);
    }
    return new Key(values, Map.of());
  }

  private static AttributeValue value(Part part, Object value) {
    AttributeValue attribute;
    try {
      attribute = isStored(part, value) ? Values.toNative(value) : convert(part, value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "key attribute '" + part.attribute() + "' " + e.getMessage(), e);
    }
    if (!attribute.type().name().equals(part.type().name())) {
      throw new IllegalArgumentException(
          "key attribute '"
              + part.attribute()
              + "' is of type "
              + part.type()
              + ", the value is of type "
              + attribute.type());
    }
    int bytes = bytes(attribute);
    if (bytes < 1 || bytes > part.mostBytes()) {
      throw new IllegalArgumentException(
          "key attribute '"
              + part.attribute()
              + "' must have 1 to "
              + part.mostBytes()
              + " bytes, has "
              + bytes);
    }
    return attribute;
  }

  private static AttributeValue convert(Part part, Object value) {
    return part.property() == null ? Values.toNative(value) : part.property().value(value);
  }

  /** Strings, numbers and bytes are stored as they are, whatever the property's own class. */
  private static boolean isStored(Part part, Object value) {
    return switch (part.type()) {
      case S -> value instanceof String;
      case B -> value instanceof java.nio.ByteBuffer;
      default -> false;
    };
  }

  private static int bytes(AttributeValue value) {
    return switch (value.type()) {
      case S -> value.s().getBytes(StandardCharsets.UTF_8).length;
      case B -> value.b().asByteArrayUnsafe().length;
      default -> 1;
    };
  }
}
