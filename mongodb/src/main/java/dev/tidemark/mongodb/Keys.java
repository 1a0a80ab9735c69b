package dev.tidemark.mongodb;

import dev.tidemark.EntityKey;
import java.util.List;
import java.util.function.UnaryOperator;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;

/** Keys as {@code _id}, scalar or a document of two fields, and as filters. */
final class Keys {
  private final List<String> fields;
  private final CodecRegistry registry;
  private final UnaryOperator<BsonValue> checkedId;

  /** How keys are spelled, where any type of {@code _id} can be read. */
  Keys(List<String> fields, CodecRegistry registry) {
    this(fields, registry, UnaryOperator.identity());
  }

  /**
   * How keys are spelled.
   *
   * @param fields the names of the two fields of a compound key; empty for a scalar one
   * @param checkedId refuses a scalar {@code _id} that the class cannot read
   */
  Keys(List<String> fields, CodecRegistry registry, UnaryOperator<BsonValue> checkedId) {
    this.checkedId = checkedId;
    fields.forEach(Properties::checkName);
    if (fields.size() == 2 && fields.get(0).equals(fields.get(1))) {
      throw new IllegalArgumentException("the fields of a compound key must differ");
    }
    this.fields = List.copyOf(fields);
    this.registry = registry;
  }

  /**
   * The value of {@code _id}.
   *
   * @throws IllegalArgumentException if the key has another number of values, or one that MongoDB
   *     does not take
   */
  BsonValue id(EntityKey key) {
    int expected = Math.max(1, fields.size());
    if (key.parts().size() != expected) {
      throw new IllegalArgumentException(
          "key must have "
              + expected
              + (expected == 1 ? " value" : " values")
              + " in this store, had "
              + key.parts().size());
    }
    if (fields.isEmpty()) {
      return checkedId.apply(checked("_id", key.parts().get(0)));
    }
    return new BsonDocument(fields.get(0), checked(fields.get(0), key.parts().get(0)))
        .append(fields.get(1), checked(fields.get(1), key.parts().get(1)));
  }

  private BsonValue encoded(String field, Object value) {
    try {
      return Values.encode(value, registry);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("key '" + field + "' " + e.getMessage(), e);
    }
  }

  /** A value that a filter compares with, and does not take for an operator or a pattern. */
  private BsonValue checked(String field, Object value) {
    BsonValue encoded = encoded(field, value);
    boolean operators =
        encoded.isDocument()
            && encoded.asDocument().keySet().stream().anyMatch(name -> name.startsWith("$"));
    switch (encoded.getBsonType()) {
      case ARRAY, REGULAR_EXPRESSION, UNDEFINED, NULL ->
          throw new IllegalArgumentException(
              field + " must not be of type " + encoded.getBsonType() + " on MongoDB");
      default -> {
        if (operators) {
          throw new IllegalArgumentException(field + " must not have names that start with $");
        }
        return encoded;
      }
    }
  }

  /** The document of a key alone: {@code _id}, and the fields that route it. */
  BsonDocument document(EntityKey key) {
    BsonDocument document = new BsonDocument("_id", id(key));
    key.routing()
        .forEach(
            (field, value) -> {
              String name = Properties.checkName(field);
              if (name.equals("_id")) {
                throw new IllegalArgumentException("_id is no routing field");
              }
              document.append(name, checked(name, value));
            });
    return document;
  }

  /** Whether no change may touch a field. */
  static boolean owns(EntityKey key, String field) {
    return field.equals("_id") || key.routing().containsKey(field);
  }

  /** A filter on the key and more. */
  BsonDocument filter(EntityKey key, List<BsonDocument> more) {
    BsonDocument filter = document(key);
    return more.isEmpty() ? filter : filter.append("$and", new org.bson.BsonArray(more));
  }
}
