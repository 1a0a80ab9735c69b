package dev.tidemark.dynamodb;

import dev.tidemark.Path;
import java.util.Collection;
import java.util.List;
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
final class DynamoDbAttributes implements DynamoDbConverter {
  private final TableSchema<?> schema;
  private final boolean open;
  private final Predicate<String> unchangeable;

  /** An open schema maps whatever is there, as the one of documents does. */
  DynamoDbAttributes(TableSchema<?> schema, boolean open, Predicate<String> unchangeable) {
    this.schema = schema;
    this.open = open;
    this.unchangeable = unchangeable;
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
    return with(path, slot -> slot == null ? DynamoDbValues.toNative(value) : slot.value(value));
  }

  @Override
  public AttributeValue number(Path path, Number amount) {
    return with(
        path,
        slot -> {
          if (slot != null && !slot.isNumber()) {
            throw new IllegalArgumentException("is " + slot.name() + ", not a number to add to");
          }
          return slot == null ? DynamoDbValues.toNative(amount) : slot.value(amount);
        });
  }

  @Override
  public AttributeValue elements(Path path, Collection<?> elements) {
    return with(
        path,
        slot -> {
          boolean list = elements instanceof List<?>;
          if (slot == null) {
            return DynamoDbValues.toNative(elements);
          }
          if (list ? !slot.isList() : !slot.isSet()) {
            String kind = list ? "list to append to" : "set";
            throw new IllegalArgumentException("is " + slot.name() + ", not a " + kind);
          }
          DynamoDbSlot element = list ? slot.element() : null;
          return element == null
              ? slot.value(elements)
              : AttributeValue.fromL(elements.stream().map(element::value).toList());
        });
  }

  @Override
  public AttributeValue element(Path path, Object value) {
    return with(
        path,
        slot -> {
          if (slot != null && !slot.isList() && !slot.isSet()) {
            throw new IllegalArgumentException("is " + slot.name() + ", neither a list nor a set");
          }
          DynamoDbSlot element = slot == null ? null : slot.element();
          return element == null ? DynamoDbValues.toNative(value) : element.value(value);
        });
  }

  /** The highest whole number that can stand there; null if others can too. */
  @Nullable Long highest(Path path) {
    DynamoDbSlot slot = slot(path.segments());
    return slot == null ? (Long) Long.MAX_VALUE : slot.highest();
  }

  /** Whether a nested bean is there. */
  boolean isNested(List<String> path) {
    DynamoDbSlot slot = slot(path);
    return slot != null && slot.isBean();
  }

  /** Finds what the schema knows of a path; null beyond what it knows. */
  private <R> R with(Path path, Function<@Nullable DynamoDbSlot, R> use) {
    try {
      return use.apply(slot(path.segments()));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("attribute '" + path + "' " + e.getMessage(), e);
    }
  }

  private @Nullable DynamoDbSlot slot(List<String> segments) {
    AttributeConverter<?> converter = open ? null : schema.converterForAttribute(segments.get(0));
    if (converter == null) {
      return null;
    }
    DynamoDbSlot slot = DynamoDbSlot.of(converter);
    for (String segment : segments.subList(1, segments.size())) {
      slot = slot == null ? null : slot.member(segment);
    }
    return slot;
  }
}
