package dev.tidemark.kernel;

import dev.tidemark.EntityUpdate.Rules;
import org.jspecify.annotations.Nullable;

/**
 * One conditional write of one record, as data: a backend gives it the store's form. The same
 * request is sent again after a lost reply.
 *
 * @param marking the messages that it records, their guard, the token
 * @param over what was read, which must not have been written since; null if nothing was read: then
 *     the guard asks the marks
 * @param effect what it does beside the marks
 * @param <T> the entity's type
 */
public record Request<T>(Marking marking, @Nullable Stored<T> over, Effect<T> effect) {
  /**
   * Whether a rule of the caller's can refuse it.
   *
   * @return false for what changes nothing by itself
   */
  public boolean hasRule() {
    if (effect instanceof Effect.Changes<T> changes) {
      return changes.change().condition().isPresent();
    }
    return effect instanceof Effect.Own<T> own && own.update().hasRule();
  }

  /**
   * Whether the entity is wanted in the reply.
   *
   * @return true of functions, and where an update asks for it
   */
  public boolean returns() {
    return effect instanceof Effect.Called || rules().returns();
  }

  /**
   * Whether the reply, if it is accepted, has to tell the marks after it: where an outcome's mark
   * is known from the record alone, and where it {@link #countsSources}. Else the marks may be left
   * out.
   *
   * @return false where the kernel knows all that outcomes carry
   */
  public boolean tells() {
    return over == null && (countsSources() || marking.hasWindows());
  }

  /**
   * Whether the sources that have marks after it have to be counted: in every write where few are
   * allowed, else in some. Who has read them all has counted them.
   *
   * @return false where the marks were read
   */
  public boolean countsSources() {
    return (over == null || over.isPartial()) && marking.sources().areCounted();
  }

  /**
   * What it does apart from what it changes, as far as the store has to act on it.
   *
   * @return the rules of the update or the delete; the defaults of functions, of what removes the
   *     record, and of what only records
   */
  public Rules rules() {
    if (effect instanceof Effect.Changes<T> changes) {
      return changes.change().rules();
    }
    if (effect instanceof Effect.Own<T> own) {
      return own.update().rules();
    }
    return effect instanceof Effect.Tombstone<T> tombstone ? tombstone.rules() : Rules.defaults();
  }
}
