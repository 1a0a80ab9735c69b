package dev.tidemark.kernel;

import dev.tidemark.Operation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What a write of who has read makes of the record, by the state that the entity was found in. It
 * is made on the condition that the record is as it was read ({@link Marking#unchangedSince}).
 * Backends give it their form, and decide nothing. {@link Requirement} is of who has not read.
 */
public final class Transition {
  /** From which state to which. */
  public enum Kind {
    /**
     * An entity where there was none, or in the place of an expired tombstone, of which no field
     * and no mark stays.
     */
    BEGINS,
    /** A live entity stays one. */
    GOES_ON,
    /** A tombstone becomes an entity, which begins without fields, and keeps the marks. */
    REVIVES,
    /** A tombstone stays one, and takes note of the messages. */
    RECORDS,
    /** A tombstone in the place of what is there. */
    BURIES,
    /** Nothing in the place of what is there. */
    REMOVES
  }

  private final Request<?> request;
  private final Marking marking;
  private final Found<?> found;
  private final Found.State state;
  private final Kind kind;

  private Transition(Request<?> request, Found<?> found) {
    this.request = request;
    this.marking = request.marking();
    this.found = found;
    this.state = marking.state(found);
    this.kind = kind(request.effect());
  }

  /**
   * What a request does.
   *
   * @param request is over what was read
   * @return the transition
   * @throws IllegalArgumentException if nothing was read
   * @throws dev.tidemark.CorruptRecordException if the expiry is no number
   */
  public static Transition of(Request<?> request) {
    Stored<?> over = request.over();
    if (over == null) {
      throw new IllegalArgumentException("who has not read makes no transition");
    }
    return new Transition(request, over.found());
  }

  private Kind kind(Effect<?> effect) {
    if (effect instanceof Effect.Removal) {
      return Kind.REMOVES;
    }
    if (effect instanceof Effect.Tombstone) {
      return Kind.BURIES;
    }
    return switch (state) {
      case ABSENT -> Kind.BEGINS;
      case LIVE -> Kind.GOES_ON;
      case DELETED -> effect instanceof Effect.Nothing ? Kind.RECORDS : Kind.REVIVES;
    };
  }

  /**
   * From which state to which.
   *
   * @return the kind
   */
  public Kind kind() {
    return kind;
  }

  /**
   * Whether the caller's rule and change are about the fields that are stored. Elsewhere there are
   * none for them, also where a tombstone stands.
   *
   * @return true of a live entity
   */
  public boolean isOfLive() {
    return state == Found.State.LIVE;
  }

  /**
   * Whether nothing of what is stored stays, marks of other subscribers included.
   *
   * @return true where there is nothing, or an expired tombstone
   */
  public boolean replaces() {
    return state == Found.State.ABSENT;
  }

  /**
   * What becomes of the marks that are there. Not for what {@link #replaces} them.
   *
   * @return operations on attributes that tracking owns; the expiry of what is buried is not among
   *     them
   * @throws dev.tidemark.CorruptRecordException if the marks cannot be read by this tracking
   * @throws dev.tidemark.TooLargeException if there are marks of too many sources
   */
  public List<Operation> changes() {
    if (kind == Kind.RECORDS || kind == Kind.BURIES) {
      return marking.recorded(marking.marks(found));
    }
    List<Operation> changes = marking.informed(marking.marks(found), request.rules().retired());
    if (kind == Kind.REVIVES) {
      changes = new ArrayList<>(changes);
      changes.addAll(marking.revived());
    }
    return changes;
  }

  /**
   * All marks after the write, where nothing else stays: of an entity that begins, and of a
   * tombstone.
   *
   * @return marks by flat name, in place of all that a record has of its own
   * @throws dev.tidemark.CorruptRecordException if the marks cannot be read by this tracking
   * @throws dev.tidemark.TooLargeException if there are marks of too many sources
   */
  public Map<String, Object> all() {
    return kind == Kind.BURIES
        ? marking.tombstone(marking.marks(found))
        : marking.beginning(request.rules().retired());
  }
}
