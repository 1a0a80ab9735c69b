package dev.tidemark.mongodb;

import dev.tidemark.EntityUpdate;
import dev.tidemark.Key;
import dev.tidemark.Rules;
import dev.tidemark.kernel.OwnUpdate;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * A native update, checked and rendered.
 *
 * @param operators the caller's own
 * @param filter the caller's own; null if there is none
 * @param arrayFilters which elements the operators mean
 * @param rules what it does apart from the operators
 */
record NativeWrite(
    BsonDocument operators,
    @Nullable BsonDocument filter,
    List<BsonDocument> arrayFilters,
    Rules rules)
    implements OwnUpdate {
  private static final Set<String> TAKING_AWAY =
      Set.of("$unset", "$rename", "$pull", "$pullAll", "$pop");

  /**
   * Checks and renders an update.
   *
   * @throws IllegalArgumentException if it is not for MongoDB, or touches what it must not
   */
  static NativeWrite of(Context<?> context, Key key, EntityUpdate given) {
    MongoNativeUpdate update = given.in(MongoNativeUpdate.class);
    return new NativeWrite(
        operators(update, key, context.mapping().properties(), context.registry()),
        update.filter() == null ? null : document(update.filter(), context.registry()),
        update.arrayFilters().stream().map(filter -> document(filter, context.registry())).toList(),
        update.rules());
  }

  @Override
  public boolean hasRule() {
    return filter != null;
  }

  @Override
  public boolean recordsOnly() {
    return false;
  }

  /**
   * The operators, rendered.
   *
   * @throws IllegalArgumentException if there are none, or one touches the key or what tracking
   *     owns
   */
  private static BsonDocument operators(
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

  private static BsonDocument document(Bson bson, CodecRegistry registry) {
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
