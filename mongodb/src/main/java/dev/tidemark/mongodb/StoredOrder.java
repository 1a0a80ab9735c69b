package dev.tidemark.mongodb;

import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Whether values sort as what is stored of them does: a server compares that, and no classes. */
final class StoredOrder {
  private StoredOrder() {}

  /**
   * Why what is stored does not sort as the values do; null if it does, or nothing is to.
   *
   * @param ofTexts whether what is compared may be a text; else texts are forms of something else
   */
  static @Nullable String wrong(Object value, BsonValue stored, boolean ofTexts) {
    if (stored.isBinary()) {
      return "is binary, which MongoDB orders by length first; compare it by is() or in()";
    }
    boolean isText = value instanceof CharSequence || value instanceof Character;
    boolean isSame = isText && stored.isString() && stored.asString().getValue().equals("" + value);
    boolean sorts =
        stored.isString() ? ofTexts && (isSame || value instanceof BsonValue) : has(stored);
    return sorts
        ? null
        : "is given a %s, which is stored as %s that does not sort as its values do; store a number by a codec of your own, or compare in the filter of a native update"
            .formatted(value.getClass().getSimpleName(), stored.getBsonType());
  }

  /** Whether values of a kind have an order. */
  private static boolean has(BsonValue operand) {
    BsonType type = operand.getBsonType();
    return operand.isNumber() || type == BsonType.DATE_TIME || type == BsonType.OBJECT_ID;
  }
}
