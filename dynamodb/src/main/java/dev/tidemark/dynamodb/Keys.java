package dev.tidemark.dynamodb;

import dev.tidemark.EntityKey;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.UnfitChangeException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.KeyAttributeMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The attributes of a table's primary key, and keys as items have them. */
final class Keys {
  private static final int MOST_PARTITION_BYTES = 2048;
  private static final int MOST_SORT_BYTES = 1024;

  private record Part(
      String attribute,
      AttributeValueType type,
      int mostBytes,
      @Nullable PropertyType property,
      @Nullable AttributeConverter<Object> converter) {

    AttributeValue value(Object value) {
      AttributeValue converted;
      try {
        converted = property == null ? Values.toNative(value) : form(property, value);
      } catch (IllegalArgumentException e) {
        throw new IllegalArgumentException(
            "key attribute '%s' %s".formatted(attribute, e.getMessage()), e);
      }
      if (!converted.type().name().equals(type.name())) {
        throw new IllegalArgumentException(
            "key attribute '%s' is of type %s, the value is of type %s"
                .formatted(attribute, type, converted.type()));
      }
      int bytes = bytes(converted);
      if (bytes < 1 || bytes > mostBytes) {
        throw new IllegalArgumentException(
            "key attribute '%s' must have 1 to %d bytes, has %d"
                .formatted(attribute, mostBytes, bytes));
      }
      return converted;
    }

    /**
     * As the property's converter stores the value. Where the property is of another class than
     * what is stored, such as a UUID, the stored string, number or bytes will do too.
     */
    private AttributeValue form(PropertyType property, Object value) {
      boolean bare =
          switch (type) {
            case S -> value instanceof String;
            case N -> value instanceof Number && !property.hasClassOf(type);
            case B -> value instanceof ByteBuffer;
            default -> false;
          };
      if (!bare || (property.isCustom() && property.hasClassOf(type))) {
        return property.value(value);
      }
      AttributeValue given = Values.toNative(value);
      if (property.hasClassOf(type)) {
        return given;
      }
      AttributeValue again = reread(given);
      if (again == null || !spelled(given).equals(spelled(again))) {
        throw new UnfitChangeException(
            "is %s, which is not stored in the form of the value".formatted(property.name()));
      }
      return again;
    }

    /** What the converter writes of what it reads; null if it does not read that. */
    private @Nullable AttributeValue reread(AttributeValue given) {
      try {
        return converter == null ? given : converter.transformFrom(converter.transformTo(given));
      } catch (RuntimeException | Error e) {
        Throwable unused = Faults.survived(e);
        return null;
      }
    }

    /** The same value, with its number in the one spelling that all equal ones share. */
    private static AttributeValue spelled(AttributeValue value) {
      return Values.toNative(Values.toNeutral(value));
    }

    /**
     * The value of an item, as a key is given: the value that comes to be stored as that one, and
     * which has equals; the stored value itself where the converter leads to none.
     */
    Object neutral(AttributeValue value) {
      AttributeValue stored = spelled(value);
      boolean own = property != null && property.isCustom() && property.hasClassOf(type);
      try {
        Object read =
            own && converter != null ? converter.transformTo(stored) : Values.toNeutral(stored);
        Object key = EntityKey.key(Objects.requireNonNull(read)).parts().get(0);
        return stored.equals(spelled(value(key))) ? key : stored;
      } catch (RuntimeException | Error e) {
        Throwable unused = Faults.survived(e);
        return stored;
      }
    }

    private static int bytes(AttributeValue value) {
      return switch (value.type()) {
        case S -> Values.utf8Length(value.s());
        case B -> value.b().asByteArrayUnsafe().length;
        default -> 1;
      };
    }
  }

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
            .filter(key -> key.name().equals(attribute))
            .map(KeyAttributeMetadata::attributeValueType)
            .findFirst()
            .orElseThrow();
    boolean mapped = !Mapping.isOpen(schema) && schema.attributeNames().contains(attribute);
    PropertyType property = mapped ? PropertyType.of(schema, attribute) : null;
    @SuppressWarnings("unchecked")
    AttributeConverter<Object> converter =
        mapped ? (AttributeConverter<Object>) schema.converterForAttribute(attribute) : null;
    parts.add(new Part(attribute, type, mostBytes, property, converter));
  }

  String partition() {
    return parts.get(0).attribute();
  }

  Set<String> attributes() {
    return attributes;
  }

  /** The key's attributes. */
  Map<String, AttributeValue> of(EntityKey key) {
    if (!key.routing().isEmpty()) {
      throw new IllegalArgumentException("a DynamoDB key has no routing");
    }
    int given = key.parts().size();
    if (given != parts.size()) {
      throw new IllegalArgumentException(
          "the table's key has %s, the given one %d %s"
              .formatted(
                  parts.stream().map(Part::attribute).toList(),
                  given,
                  given == 1 ? "value" : "values"));
    }
    Part partition = parts.get(0);
    AttributeValue value = partition.value(key.parts().get(0));
    if (given == 1) {
      return Map.of(partition.attribute(), value);
    }
    Part sort = parts.get(1);
    return Map.of(partition.attribute(), value, sort.attribute(), sort.value(key.parts().get(1)));
  }

  /** The key's attributes out of an item. */
  Map<String, AttributeValue> of(Map<String, AttributeValue> item) {
    Map<String, AttributeValue> key = new LinkedHashMap<>(item);
    key.keySet().retainAll(attributes);
    return key;
  }

  /** The key of an item, as a value. */
  EntityKey keyOf(Map<String, AttributeValue> item) {
    List<Object> values = new ArrayList<>();
    for (Part part : parts) {
      AttributeValue value = item.get(part.attribute());
      if (value == null || !Values.has(item, part.attribute())) {
        throw new IllegalArgumentException("key attribute '" + part.attribute() + "' has no value");
      }
      values.add(part.neutral(value));
    }
    return new EntityKey(values, Map.of());
  }

  /** A key as its item spells it; a bad one as it is, to be refused where it is used. */
  EntityKey canonical(EntityKey key) {
    try {
      return keyOf(of(key));
    } catch (RuntimeException | Error e) { // a converter's, too
      Throwable unused = Faults.survived(e);
      return key;
    }
  }

  /**
   * Requires that a text can be a partition key.
   *
   * @throws IllegalArgumentException if it has too many bytes
   */
  static void requireShort(String what, String text) {
    int bytes = text.getBytes(StandardCharsets.UTF_8).length;
    if (bytes > MOST_PARTITION_BYTES) {
      throw new IllegalArgumentException(
          "%s may take %d bytes of UTF-8 as a key on DynamoDB, was %d"
              .formatted(what, MOST_PARTITION_BYTES, bytes));
    }
  }
}
