package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.kernel.Marking;

/** What takes an entity away, leaving its marks or nothing. */
final class DynamoDbDeletes {
  private DynamoDbDeletes() {}

  /** A tombstone in the entity's place. */
  record Delete<T>(DynamoDbWrites<T> writes, boolean mustExist) implements DynamoDbWork<T> {
    @Override
    public Change rules() {
      return mustExist ? Change.change() : Change.change().createIfMissing();
    }

    @Override
    public boolean erases() {
      return true;
    }

    @Override
    public DynamoDbWrite informed(Marking call, DynamoDbStored<T> stored) {
      return writes.tombstone(call, stored);
    }
  }

  /** Nothing in the entity's place. */
  record Forget<T>(DynamoDbWrites<T> writes) implements DynamoDbWork<T> {
    @Override
    public Change rules() {
      return Change.change().recreate();
    }

    @Override
    public boolean erases() {
      return true;
    }

    @Override
    public DynamoDbWrite informed(Marking call, DynamoDbStored<T> stored) {
      return writes.removal(call, stored);
    }
  }
}
