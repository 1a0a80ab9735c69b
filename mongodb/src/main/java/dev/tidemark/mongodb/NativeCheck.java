package dev.tidemark.mongodb;

import dev.tidemark.Key;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;

/** What a user's own operators may touch, checked before anything is sent. */
final class NativeCheck {
  private static final Set<String> TAKING_AWAY =
      Set.of("$unset", "$rename", "$pull", "$pullAll", "$pop");

  private NativeCheck() {}

  /**
   * The operators, rendered.
   *
   * @throws IllegalArgumentException if there are none, or one touches the key or what tracking
   *     owns
   */
  static BsonDocument operators(
      MongoNativeUpdate update, Key key, Properties properties, CodecRegistry registry) {
    if (update.filter() != null && update.rules().creates()) {
      throw new IllegalArgumentException(
          "onlyIf() and createIfMissing() exclude each other in a native update: MongoDB would"
              + " store what the filter equals");
    }
    BsonDocument operators = document(update.operators(), registry);
    if (operators.isEmpty()) {
      throw new IllegalArgumentException("a native update needs an operator; skip() has none");
    }
    operators.forEach((operator, fields) -> check(operator, fields, key, properties));
    if (update.rules().creates()) {
      properties.requireWhole(made(operators));
    }
    return operators;
  }

  static BsonDocument document(Bson bson, CodecRegistry registry) {
    return bson.toBsonDocument(BsonDocument.class, registry);
  }

  private static void check(String operator, BsonValue fields, Key key, Properties properties) {
    if (!operator.startsWith("$") || !fields.isDocument()) {
      throw new IllegalArgumentException(
          "a native update is made of update operators; a whole document or a pipeline is none");
    }
    for (Map.Entry<String, BsonValue> field : fields.asDocument().entrySet()) {
      properties.requireChangeable(first(field.getKey()), key);
      if (operator.equals("$rename") && field.getValue().isString()) {
        properties.requireChangeable(first(field.getValue().asString().getValue()), key);
      }
    }
  }

  /** The fields that operators make where they are missing. */
  private static Set<String> made(BsonDocument operators) {
    Set<String> made = new HashSet<>();
    operators.forEach(
        (operator, fields) -> {
          if (!TAKING_AWAY.contains(operator)) {
            fields.asDocument().keySet().forEach(path -> made.add(first(path)));
          }
        });
    return made;
  }

  private static String first(String path) {
    int dot = path.indexOf('.');
    return dot < 0 ? path : path.substring(0, dot);
  }
}
