package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.kernel.Marking;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** What one call of a store writes, once it is known that it may. */
interface DynamoDbWork<T> {
  /** What it does with absent and deleted entities, and with refused messages. */
  Change rules();

  /** Whether a condition of the caller's own can refuse it. */
  default boolean isConditional() {
    return false;
  }

  /** Whether it takes marks away that others may recall. */
  default boolean erases() {
    return !rules().retired().isEmpty();
  }

  /** Whether a blind write over this passes what it requires beside marks and the caller's rule. */
  default boolean accepts(DynamoDbStored<T> stored) {
    return true;
  }

  /** Whether the item after a blind write was made by it. */
  default boolean isCreated(Map<String, AttributeValue> item, Marking call) {
    return false;
  }

  /** The write of a writer that has not read the entity; null if it has to be read first. */
  default @Nullable DynamoDbWrite blind(Marking call) {
    return null;
  }

  /** The write of a writer that knows what is stored. */
  DynamoDbWrite informed(Marking call, DynamoDbStored<T> stored);

  /** One write that says what changes. */
  record Update<T>(DynamoDbWrites<T> writes, DynamoDbEdit edit) implements DynamoDbWork<T> {
    @Override
    public Change rules() {
      return edit.rules();
    }

    @Override
    public boolean isConditional() {
      return edit.conditional();
    }

    @Override
    public boolean accepts(DynamoDbStored<T> stored) {
      return edit.sums().accept(stored.item());
    }

    @Override
    public boolean isCreated(Map<String, AttributeValue> item, Marking call) {
      return writes.mapping().isCreated(item, call, edit.touched());
    }

    @Override
    public DynamoDbWrite blind(Marking call) {
      return writes.blind(call, edit);
    }

    @Override
    public DynamoDbWrite informed(Marking call, DynamoDbStored<T> stored) {
      return writes.informed(call, stored, edit);
    }
  }
}
