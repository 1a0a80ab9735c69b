package dev.tidemark.dynamodb;

import dev.tidemark.ContentionException;
import dev.tidemark.Marks;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A write of the Enhanced Client that was refused. An update can be made again if nothing was
 * written since its entity was read; a whole entity, and one write of a transaction, cannot.
 *
 * @param writes requests and mapping
 * @param entity what was written
 * @param update the same as an update; null if it cannot be made again
 * @param whole whether it was to replace the item
 */
record RefusedWrite<T>(Writes<T> writes, T entity, @Nullable Edit update, boolean whole) {

  /** Whether it passes what it requires beside marks and the caller's rule. */
  boolean accepts(Item<T> stored) {
    if (!isOfNow(stored.found())) {
      return !whole && mapping().isStaleVersion(entity, stored.item());
    }
    if (whole) {
      requireAllMarks(stored.found());
    }
    return update == null || update.sums().accept(stored.item());
  }

  /**
   * The same write once more, over what is stored.
   *
   * @throws ContentionException if that is not what was read
   */
  Edit again(Found<?> found, Marking marking) {
    boolean unread = mapping().marks(entity).attributes().isEmpty();
    boolean nothing = unread && found.state(names(), marking.now()) == Found.State.ABSENT;
    if (update == null || !(nothing || isOfNow(found))) {
      throw new ContentionException(
          "nothing was written, and another write came since the entity was read; read it again",
          marking.key(),
          null);
    }
    return update;
  }

  /** Whether what was read is what is stored, as far as the entity tells. */
  private boolean isOfNow(Found<?> found) {
    Marks marks = mapping().marks(entity);
    Found<T> read = new Found<>(true, marks.attributes(), null);
    return !mapping().carriesMarks()
        || Objects.equals(read.revision(names()), found.revision(names()));
  }

  private void requireAllMarks(Found<?> found) {
    if (!mapping().marks(entity).attributes().keySet().equals(found.marks().keySet())) {
      throw new IllegalArgumentException(
          "the put would erase marks, since those of the entity are of a projection; read the whole"
              + " item first");
    }
  }

  private Mapping<T> mapping() {
    return writes.mapping();
  }

  private Names names() {
    return writes.names();
  }
}
