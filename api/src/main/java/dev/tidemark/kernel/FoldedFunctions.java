package dev.tidemark.kernel;

import dev.tidemark.Decision;
import dev.tidemark.Operation;
import dev.tidemark.Write;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Calls the functions of a {@link Run}, one after the other, on an entity that was read.
 *
 * @param <T> the entity's type
 */
public interface FoldedFunctions<T> {
  /**
   * Calls one function on what those before it left. What it throws is the fault of that write
   * alone. A fault or a refusal leaves the entity as those before it left it.
   *
   * @param write the function, with its initial value
   * @return what it decided
   */
  Decision<T> apply(Write.Action.Apply<T> write);

  /**
   * Gives the next function another object of the same entity, since an outcome shows this one, and
   * a function may change it in place.
   *
   * @param recorded how many messages the request has by now, each of which would be a write by
   *     itself
   */
  void renew(int recorded);

  /**
   * Whether the function that was called last, and did not refuse, changed the entity.
   *
   * @return false if what it gave is stored as what it got
   */
  boolean changed();

  /**
   * The entity as the functions left it.
   *
   * @return null if there is none
   */
  @Nullable T entity();

  /**
   * Changes what was read as the functions did. What they left as they got it stays as it is
   * stored, also where the class has filled in more.
   *
   * @param read by name; takes the changes
   * @param difference what they set and removed, each by its name
   * @param type of the values
   * @param <V> the store's values
   */
  static <V> void change(Map<String, V> read, List<Operation> difference, Class<V> type) {
    for (Operation operation : difference) {
      String name = operation.path().segments().get(0);
      if (operation.kind() == Operation.Kind.REMOVE) {
        read.remove(name);
      } else {
        read.put(name, type.cast(operation.value()));
      }
    }
  }
}
