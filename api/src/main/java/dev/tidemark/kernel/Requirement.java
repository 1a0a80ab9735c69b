package dev.tidemark.kernel;

import dev.tidemark.Condition;
import dev.tidemark.EntityUpdate.Rules;
import java.util.Map;

/**
 * What a write of who has not read requires of the record, beside the caller's rule and the shape
 * that its change needs: a live entity that is open to such writes, or no record where it creates.
 * It never passes a tombstone, expired or not. Backends give it their form, and decide nothing.
 * {@link Transition} says the same of who has read.
 */
public final class Requirement {
  private final Request<?> request;
  private final Marking marking;
  private final boolean bringsNone;

  private Requirement(Request<?> request, boolean bringsNone) {
    this.request = request;
    this.marking = request.marking();
    this.bringsNone = bringsNone;
  }

  /**
   * What a request requires.
   *
   * @param request is not over what was read
   * @return the requirement
   */
  public static Requirement of(Request<?> request) {
    return of(request, request.marking().sources().isUntold());
  }

  /**
   * The same where the reply may tell nothing.
   *
   * @param request is not over what was read
   * @param untold whether no reply tells how many sources the write leaves: if they have to be
   *     counted, it brings none to an entity that is there
   * @return the requirement
   */
  public static Requirement of(Request<?> request, boolean untold) {
    return new Requirement(request, untold && request.countsSources());
  }

  /**
   * Whether it brings no source to an entity that is there.
   *
   * @return true where the sources have to be counted, and no reply tells how many the write leaves
   */
  public boolean bringsNone() {
    return bringsNone;
  }

  private Rules rules() {
    return request.rules();
  }

  /**
   * What is required and made of the marks.
   *
   * @return guard over the marks; operations on attributes that tracking owns
   */
  public Plan marks() {
    return request.effect() instanceof Effect.Tombstone
        ? marking.burying()
        : marking.blind(rules().retired());
  }

  /**
   * What is required of a record that is there.
   *
   * @return a condition that no tombstone of this library's meets
   */
  public Condition open() {
    return bringsNone ? marking.open().and(marking.sources().known()) : marking.open();
  }

  /**
   * Whether the write passes where there is no record.
   *
   * @return false also where the entity that it creates would have to be told at once that its
   *     sources are many, and no reply tells that
   */
  public boolean passesAbsent() {
    return rules().creates() && !(bringsNone && marking.sources().fillsAtOnce());
  }

  /**
   * Whether the write would be made where there is no record, the marks, the caller's rule and the
   * change included. An update in the store's own words has neither rule nor change here.
   *
   * @return false if it could be refused by more than another writer
   */
  public boolean makesEntity() {
    return passesAbsent()
        && marking.acceptsBlindly(Map.of())
        && RuleRefusal.allowsNothing(request)
        && fitsNothing();
  }

  /** Whether the change finds the parents that it needs where there is nothing. */
  private boolean fitsNothing() {
    return !(request.effect() instanceof Effect.Changes<?> changes)
        || changes.change().operations().stream()
            .allMatch(one -> one.path().segments().size() == 1 || one.createsParents());
  }

  /**
   * Whether it is true of a record, so that only the caller's rule and the shape can refuse the
   * write.
   *
   * @param found what is stored
   * @return whether the write passes
   * @throws dev.tidemark.CorruptRecordException if the marks cannot be read by this tracking
   */
  public boolean passes(Found<?> found) {
    return passesState(found) && marking.acceptsBlindly(marking.marks(found));
  }

  /** Whether the write was made outside of the run: {@link Stored#fits} knows what it required. */
  private boolean isOfAnother() {
    return request.effect() instanceof Effect.Own<?> own && !own.update().goesBlindly();
  }

  private boolean passesState(Found<?> found) {
    if (!found.exists()) {
      return passesAbsent();
    }
    if (isOfAnother()) {
      return marking.state(found) == Found.State.LIVE;
    }
    return marking.isOpen(found) && !(bringsNone && marking.sources().bringsOne(found.marks()));
  }
}
