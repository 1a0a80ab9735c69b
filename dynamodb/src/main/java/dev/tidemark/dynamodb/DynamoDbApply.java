package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.Write;
import dev.tidemark.kernel.Marking;
import java.util.Map;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A function over the entity. */
record DynamoDbApply<T>(DynamoDbWrites<T> writes, Write.Action.Apply<T> action)
    implements DynamoDbWork<T> {
  @Override
  public Change rules() {
    return action.initialOrNull() == null ? Change.change() : Change.change().createIfMissing();
  }

  @Override
  public DynamoDbWrite informed(Marking call, DynamoDbStored<T> stored) {
    DynamoDbMapping<T> mapping = writes.mapping();
    Map<String, AttributeValue> key = mapping.keys().of(call.key());
    T entity = mapping.required(stored);
    T before = entity == null ? mapping.withKey(action.initial(), key) : entity;
    Map<String, AttributeValue> old = entity == null ? key : mapping.attributes(before);
    Decision<T> decision = action.decide(before);
    if (!(decision instanceof Decision.To<T> to)) {
      return new DynamoDbRefusal(((Decision.Refuse<T>) decision).recorded());
    }
    DynamoDbEdit edit =
        DynamoDbEdit.of(rules(), DynamoDbConverter.NEUTRAL)
            .with(mapping.difference(old, mapping.attributes(to.entity())));
    return writes.informed(call, stored, edit);
  }
}
