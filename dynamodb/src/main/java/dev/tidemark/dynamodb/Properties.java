package dev.tidemark.dynamodb;

import dev.tidemark.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverter;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * The attributes of an entity class, as its schema maps them: what they are called, and how a value
 * of one is stored.
 */
final class Properties implements Converter {
  private final TableSchema<?> schema;
  private final boolean open;
  private final Predicate<String> unchangeable;
  private final boolean unmappedToo;
  private final Set<String> mapped;

  /**
   * What a schema knows.
   *
   * @param open whether it maps whatever is there, as the one of documents does
   * @param unmappedToo whether changes may name what it does not map
   */
  Properties(
      TableSchema<?> schema, boolean open, boolean unmappedToo, Predicate<String> unchangeable) {
    this.schema = schema;
    this.open = open;
    this.unmappedToo = unmappedToo;
    this.unchangeable = unchangeable;
    this.mapped = open ? Set.of() : new TreeSet<>(schema.attributeNames());
  }

  /** Refuses a change or a condition that names an attribute which the class does not map. */
  void checkMapped(Path path) {
    String name = path.segments().get(0);
    if (unmappedToo || mapped.isEmpty() || unchangeable.test(name)) {
      return;
    }
    if (!mapped.contains(name)) {
      throw UnmappedNames.unmapped(path, schema.itemType().rawClass(), mapped);
    }
    PropertyType type = type(List.of(name));
    for (String segment : path.segments().subList(1, path.segments().size())) {
      TableSchema<?> inner = type == null ? null : type.schema();
      if (inner != null && !inner.attributeNames().contains(segment)) {
        throw UnmappedNames.unmapped(
            path, inner.itemType().rawClass(), new TreeSet<>(inner.attributeNames()));
      }
      type = type == null ? null : type.member(segment);
    }
  }

  @Override
  public void checkChange(Path path) {
    if (unchangeable.test(path.segments().get(0))) {
      throw new IllegalArgumentException(
          "attribute '"
              + path
              + "' is the key, tracking's, or written by the store; a change cannot touch it");
    }
  }

  @Override
  public AttributeValue value(Path path, Object value) {
    return with(path, type -> type == null ? Values.toNative(value) : type.value(value));
  }

  @Override
  public AttributeValue number(Path path, Number amount) {
    return with(
        path,
        type -> {
          if (type != null && !type.isNumber()) {
            throw new IllegalArgumentException("is " + type.name() + ", not a number to add to");
          }
          return type == null ? Values.toNative(amount) : type.value(amount);
        });
  }

  @Override
  public AttributeValue elements(Path path, Collection<?> elements) {
    return with(
        path,
        type -> {
          boolean list = elements instanceof List<?>;
          if (type == null) {
            return Values.toNative(elements);
          }
          if (list ? !type.isList() : !type.isSet()) {
            String kind = list ? "list to append to" : "set";
            throw new IllegalArgumentException("is " + type.name() + ", not a " + kind);
          }
          PropertyType element = list ? type.element() : null;
          return element == null
              ? type.value(elements)
              : AttributeValue.fromL(elements.stream().map(element::value).toList());
        });
  }

  @Override
  public AttributeValue element(Path path, Object value) {
    return with(
        path,
        type -> {
          if (type != null && !type.isList() && !type.isSet()) {
            throw new IllegalArgumentException("is " + type.name() + ", neither a list nor a set");
          }
          PropertyType element = type == null ? null : type.element();
          return element == null ? Values.toNative(value) : element.value(value);
        });
  }

  /** The highest whole number that can stand there; null if others can too. */
  @Nullable Long highest(Path path) {
    PropertyType type = type(path.segments());
    return type == null ? (Long) Long.MAX_VALUE : type.highest();
  }

  /** The first attribute of an item that the class cannot hold: its name and its stored type. */
  Optional<String> unreadable(Map<String, AttributeValue> item) {
    return item.entrySet().stream()
        .filter(attribute -> !isReadable(attribute.getKey(), attribute.getValue()))
        .findFirst()
        .map(
            attribute ->
                ": attribute '"
                    + attribute.getKey()
                    + "' does not fit, which is stored as "
                    + attribute.getValue().type());
  }

  private boolean isReadable(String name, AttributeValue value) {
    AttributeConverter<?> converter = open ? null : schema.converterForAttribute(name);
    try {
      return converter == null
          || value.type() == AttributeValue.Type.NUL
          || converter.transformTo(value) != null;
    } catch (RuntimeException e) {
      return false;
    }
  }

  /** Finds what the schema knows of a path; null beyond what it knows. */
  private <R> R with(Path path, Function<@Nullable PropertyType, R> use) {
    try {
      return use.apply(type(path.segments()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("attribute '" + path + "' " + e.getMessage(), e);
    }
  }

  private @Nullable PropertyType type(List<String> segments) {
    AttributeConverter<?> converter = open ? null : schema.converterForAttribute(segments.get(0));
    if (converter == null) {
      return null;
    }
    PropertyType type = PropertyType.of(converter);
    for (String segment : segments.subList(1, segments.size())) {
      type = type == null ? null : type.member(segment);
    }
    return type;
  }
}
