package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.ContentionException;
import dev.tidemark.Marks;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/**
 * A write of the Enhanced Client that was refused. An update can be made again if nothing was
 * written since its entity was read; a whole entity, and one write of a transaction, cannot.
 *
 * @param writes requests and mapping
 * @param entity what was written
 * @param update the same as an update; null if it cannot be made again
 * @param whole whether it was to replace the item
 * @param conditional whether a condition of the caller's own may have refused it
 */
record DynamoDbRefusedWrite<T>(
    DynamoDbWrites<T> writes,
    T entity,
    DynamoDbWork.@Nullable Update<T> update,
    boolean whole,
    boolean conditional)
    implements DynamoDbWork<T> {
  @Override
  public Change rules() {
    return Change.change().createIfMissing();
  }

  @Override
  public boolean isConditional() {
    return conditional;
  }

  @Override
  public boolean accepts(DynamoDbStored<T> stored) {
    if (!isOfNow(stored.found())) {
      return !whole && mapping().isStaleVersion(entity, stored.item());
    }
    if (whole) {
      requireAllMarks(stored.found());
    }
    return update == null || update.accepts(stored);
  }

  @Override
  public boolean isCreated(Map<String, AttributeValue> item, Marking call) {
    return update != null && update.isCreated(item, call);
  }

  @Override
  public DynamoDbWrite informed(Marking call, DynamoDbStored<T> stored) {
    Found<T> found = stored.found();
    boolean unread = mapping().marks(entity).attributes().isEmpty();
    boolean nothing = unread && found.state(names(), call.now()) == Found.State.ABSENT;
    if (update == null || !(nothing || isOfNow(found))) {
      throw new ContentionException(
          "nothing was written, and another write came since the entity was read; read it again",
          call.key(),
          null);
    }
    return update.informed(call, stored);
  }

  /** Whether what was read is what is stored, as far as the entity tells. */
  private boolean isOfNow(Found<T> found) {
    Marks marks = mapping().marks(entity);
    Found<T> read = new Found<>(true, marks.attributes(), null);
    return !mapping().carriesMarks()
        || Objects.equals(read.revision(names()), found.revision(names()));
  }

  private void requireAllMarks(Found<T> found) {
    if (!mapping().marks(entity).attributes().keySet().equals(found.marks().keySet())) {
      throw new IllegalArgumentException(
          "the put would erase marks, since those of the entity are of a projection; read the whole"
              + " item first");
    }
  }

  private DynamoDbMapping<T> mapping() {
    return writes.mapping();
  }

  private Names names() {
    return writes.names();
  }
}
