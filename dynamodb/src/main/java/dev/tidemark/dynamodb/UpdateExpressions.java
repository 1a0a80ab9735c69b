package dev.tidemark.dynamodb;

import dev.tidemark.Operation;
import dev.tidemark.Operation.AddAll;
import dev.tidemark.Operation.Assign;
import dev.tidemark.Operation.AssignIfAbsent;
import java.util.Collection;
import software.amazon.awssdk.enhanced.dynamodb.update.AddAction;
import software.amazon.awssdk.enhanced.dynamodb.update.RemoveAction;
import software.amazon.awssdk.enhanced.dynamodb.update.SetAction;
import software.amazon.awssdk.enhanced.dynamodb.update.UpdateExpression;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Renders the operations that record a message as the Enhanced Client's actions. */
final class UpdateExpressions {
  private final Aliases aliases;
  private final UpdateExpression.Builder expression = UpdateExpression.builder();

  UpdateExpressions(Aliases aliases) {
    this.aliases = aliases;
  }

  UpdateExpression render(Collection<Operation> operations) {
    operations.forEach(this::add);
    return expression.build();
  }

  private void add(Operation operation) {
    String path = aliases.path(operation.path());
    if (operation instanceof Assign assign) {
      set(path, "", assign.value());
    } else if (operation instanceof AssignIfAbsent assign) {
      set(path, path, assign.value());
    } else if (operation instanceof AddAll add) {
      AttributeValue elements = Values.toNative((Object) add.elements());
      String alias = aliases.value(elements);
      expression.addAction(
          AddAction.builder()
              .path(path)
              .value(alias)
              .expressionNames(aliases.names(path))
              .putExpressionValue(alias, elements)
              .build());
    } else if (operation instanceof Operation.Remove) {
      expression.addAction(
          RemoveAction.builder().path(path).expressionNames(aliases.names(path)).build());
    } else {
      throw new IllegalArgumentException("tracking does not write by " + operation);
    }
  }

  /** Sets a value; where an attribute is named, only if that is missing. */
  private void set(String path, String unless, Object value) {
    AttributeValue attribute = Values.toNative(value);
    String alias = aliases.value(attribute);
    expression.addAction(
        SetAction.builder()
            .path(path)
            .value(unless.isEmpty() ? alias : "if_not_exists(" + unless + ", " + alias + ")")
            .expressionNames(aliases.names(path, unless))
            .putExpressionValue(alias, attribute)
            .build());
  }

  /** Another attribute's value, or one given where that attribute is missing. */
  void copy(String attribute, String from, Object otherwise) {
    set(aliases.name(attribute), aliases.name(from), otherwise);
  }
}
