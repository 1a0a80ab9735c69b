package dev.tidemark.kernel;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a store found under a key.
 *
 * @param exists whether there is a record, be it a tombstone
 * @param marks the attributes that tracking owns, by flat name
 * @param entity the mapped entity, where it is at hand
 * @param <T> the entity's type
 */
public record Found<T>(boolean exists, Map<String, Object> marks, @Nullable T entity) {

  /** What a record is. */
  public enum State {
    /** There is none, or a tombstone past its expiry. */
    ABSENT,
    /** A tombstone. */
    DELETED,
    /** An entity. */
    LIVE
  }

  /**
   * No record.
   *
   * @param <T> the entity's type
   * @return nothing found
   */
  public static <T> Found<T> nothing() {
    return new Found<>(false, Map.of(), null);
  }

  /**
   * What the record is.
   *
   * @param names where tracking keeps what
   * @param now the clock
   * @return its state
   * @throws dev.tidemark.CorruptRecordException if the expiry is no number
   */
  public State state(Names names, Instant now) {
    if (!exists) {
      return State.ABSENT;
    }
    Object until = marks.get(names.tombstone());
    if (until == null) {
      return State.LIVE;
    }
    if (!(until instanceof Number seconds)) {
      throw Faults.ofType(names.tombstone(), until, "the time until which a deleted record stays");
    }
    return seconds.longValue() <= now.getEpochSecond() ? State.ABSENT : State.DELETED;
  }

  /** The marks that judge: none for an absent entity, also where an expired tombstone is left. */
  Map<String, Object> judgingMarks(Names names, Instant now) {
    return state(names, now) == State.ABSENT ? Map.of() : marks;
  }

  /**
   * The token of the last tracked write, which is the revision in either form.
   *
   * @param names where tracking keeps what
   * @return null if there was none
   * @throws dev.tidemark.CorruptRecordException if something else is kept in its place
   */
  public @Nullable ByteBuffer revision(Names names) {
    Object revision = marks.get(names.revision());
    ByteBuffer token = revision == null ? null : Revision.token(revision);
    if (revision != null && token == null) {
      throw Faults.ofType(names.revision(), revision, "its revision");
    }
    return token;
  }

  /**
   * Whether a write that has not read it may write it.
   *
   * @param names where tracking keeps what
   * @return false for what is absent, deleted, nearly full of sources, or not tracked yet
   */
  public boolean isOpen(Names names) {
    return exists
        && marks.get(names.revision()) instanceof ByteBuffer
        && !marks.containsKey(names.tombstone());
  }

  /**
   * Whether nothing tracked was written between this and what was found at another time.
   *
   * @param other what was found then
   * @param names where tracking keeps what
   * @return false also where the sources were found to be many
   */
  public boolean isSame(Found<?> other, Names names) {
    return Objects.equals(marks.get(names.revision()), other.marks.get(names.revision()));
  }
}
