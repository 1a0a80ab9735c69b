package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A function over the entity; {@code initial} is null where it has to exist. */
record DynamoDbApply<T>(
    DynamoDbWrites<T> writes, @Nullable Supplier<T> initial, UnaryOperator<T> function)
    implements DynamoDbWork<T> {
  @Override
  public Change rules() {
    return initial == null ? Change.change() : Change.change().createIfMissing();
  }

  @Override
  public DynamoDbWrite informed(Marking call, DynamoDbStored<T> stored) {
    DynamoDbMapping<T> mapping = writes.mapping();
    Map<String, AttributeValue> key = mapping.keys().of(call.key());
    Found<T> found = stored.found();
    T before = found.entity();
    if (before == null) {
      Supplier<T> first = Objects.requireNonNull(initial);
      before = mapping.withKey(Objects.requireNonNull(first.get(), "initial value"), key);
    }
    Map<String, AttributeValue> old = found.entity() == null ? key : mapping.attributes(before);
    T after = Objects.requireNonNull(function.apply(before), "the function's result");
    DynamoDbEdit edit =
        DynamoDbEdit.of(rules(), DynamoDbConverter.NEUTRAL)
            .with(mapping.difference(old, mapping.attributes(after)));
    return writes.informed(call, stored, edit);
  }
}
