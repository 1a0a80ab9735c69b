package dev.tidemark.mongodb;

import dev.tidemark.Change;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Key;
import dev.tidemark.Operation;
import dev.tidemark.kernel.Evaluator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.bson.BsonDocument;

/** The documents of entities that changes make out of nothing. */
final class NewDocument {
  private NewDocument() {}

  /** The whole document: key, fields and marks. */
  static BsonDocument of(Context<?> context, Key key, Change change, Map<String, Object> marks) {
    BsonDocument document = context.keys().document(key);
    fields(context, key, change)
        .forEach((name, value) -> document.append(name, Values.encode(value, context.registry())));
    document.putAll(context.records().nested(marks));
    return document;
  }

  /**
   * The entity's own fields.
   *
   * @throws InvalidChangeException if the change needs something to be there
   */
  static Map<String, Object> fields(Context<?> context, Key key, Change change) {
    try {
      List<Operation> operations = change.operations();
      Map<String, Object> after =
          new LinkedHashMap<>(
              Evaluator.apply(new Neutral(context.registry()).operations(operations), Map.of()));
      for (Operation operation : operations) { // a double stays one, as it does for the server
        if (operation instanceof Operation.Increase increase
            && (increase.amount() instanceof Double || increase.amount() instanceof Float)) {
          after.replace(increase.path().segments().get(0), increase.amount().doubleValue());
        }
      }
      return after;
    } catch (InvalidChangeException e) {
      throw new InvalidChangeException(String.valueOf(e.getMessage()), key, e);
    }
  }
}
