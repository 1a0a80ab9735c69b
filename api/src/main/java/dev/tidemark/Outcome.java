package dev.tidemark;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The result of one delivery to one entity. A fault is an exception; every other result is one of
 * these cases. Only {@link Applied} changed the entity. {@link Recorded}, and a {@link Refused}
 * that was recorded, stored the message alone.
 *
 * @param <T> the entity's type
 */
public sealed interface Outcome<T> {

  /**
   * May the delivery be acknowledged? True for Applied, Recorded, Ignored, Duplicate, Stale and
   * Deleted; for Refused if the change recorded it; for BeyondHorizon if the tracking says so.
   * False for Gap and Missing.
   *
   * @return true if the message need not be delivered again
   */
  default boolean isDone() {
    return !(this instanceof Gap || this instanceof Missing);
  }

  /**
   * The entity, if the call asked for it. An update asks by {@link Change#returning()}; {@code
   * apply} and {@code decide} always ask. The entity is as the change left it or, without a change,
   * as it was found. The result is empty for a delete, for an update in a transaction of DynamoDB,
   * if a {@link dev.tidemark.marks.MarkCache} answered, and if the stored entity cannot be mapped
   * to its class. In the last case only {@code find} and {@code apply} throw {@link
   * CorruptRecordException}.
   *
   * @return empty for a missing or deleted entity too
   */
  default Optional<T> entity() {
    return Optional.ofNullable(entityOrNull());
  }

  /**
   * The entity of {@link #entity()}, without the {@code Optional}.
   *
   * @return null where {@link #entity()} is empty
   */
  default @Nullable T entityOrNull() {
    return null;
  }

  /**
   * The mark that the entity has of the event's source, as far as this outcome has it.
   *
   * @return null for a message ID, and in outcomes without a mark
   */
  default @Nullable Mark markOrNull() {
    return null;
  }

  /**
   * Whether this delivery changed the entity.
   *
   * @return true for Applied alone
   */
  default boolean isApplied() {
    return this instanceof Applied;
  }

  /**
   * The change was made and the message recorded, now or by an attempt of this call whose reply was
   * lost.
   *
   * @param <T> the entity's type
   * @param entityOrNull see {@link #entity()}
   * @param created whether the change created the entity, or created a deleted entity again; always
   *     false for a delete
   * @param markOrNull see {@link #mark()}
   */
  record Applied<T>(@Nullable T entityOrNull, boolean created, @Nullable Mark markOrNull)
      implements Outcome<T> {
    /**
     * The highest position that the entity remembers of the event's source, right after it.
     *
     * @return empty for a message ID; where the change took the mark away ({@link
     *     EntityStore#forget}, or it retired the source); and for an event of a window in a batch,
     *     since a folded write does not tell, or in a transaction of DynamoDB
     */
    public Optional<Mark> mark() {
      return Optional.ofNullable(markOrNull);
    }

    @Override
    public String toString() {
      return "Applied[created=" + created + "]";
    }
  }

  /**
   * The message was recorded, and there was nothing else to do: {@link EntityStore#skip}, an event
   * that a projector {@linkplain dev.tidemark.projector.ProjectorBuilder#ignoring(Class,
   * java.util.function.Function) ignores}, a change without any operation, or a function whose
   * result would be stored exactly as the entity that it was given. The entity is unchanged.
   *
   * @param <T> the entity's type
   * @param entityOrNull see {@link #entity()}
   * @param markOrNull see {@link #mark()}
   */
  record Recorded<T>(@Nullable T entityOrNull, @Nullable Mark markOrNull) implements Outcome<T> {
    /**
     * The highest position that the entity remembers of the event's source, right after it.
     *
     * @return empty where {@link Applied#mark()} is
     */
    public Optional<Mark> mark() {
      return Optional.ofNullable(markOrNull);
    }

    @Override
    public String toString() {
      return "Recorded[]";
    }
  }

  /**
   * A projector {@linkplain dev.tidemark.projector.ProjectorBuilder#ignoring(Class) ignores} events
   * of this type, and none has to be recorded. Nothing was sent; stores never answer this.
   *
   * @param <T> the entity's type
   */
  record Ignored<T>() implements Outcome<T> {}

  /**
   * The entity remembers the message, or everything up to its position: it was applied before.
   *
   * @param <T> the entity's type
   * @param entityOrNull see {@link #entity()}
   * @param markOrNull see {@link #mark()}
   */
  record Duplicate<T>(@Nullable T entityOrNull, @Nullable Mark markOrNull) implements Outcome<T> {
    /**
     * The highest position that the entity remembers of the event's source.
     *
     * @return empty for a message ID; and for an event of a window in a batch, or where a {@link
     *     dev.tidemark.marks.MarkCache} answers
     */
    public Optional<Mark> mark() {
      return Optional.ofNullable(markOrNull);
    }

    @Override
    public String toString() {
      return "Duplicate[]";
    }
  }

  /**
   * A later event of the source was applied before; this one is dropped, as the tracking says.
   *
   * @param <T> the entity's type
   * @param entityOrNull see {@link #entity()}
   * @param mark what the entity remembers of the source
   */
  record Stale<T>(@Nullable T entityOrNull, Mark mark) implements Outcome<T> {
    @Override
    public Mark markOrNull() {
      return mark;
    }

    @Override
    public String toString() {
      return "Stale[mark=" + mark + "]";
    }
  }

  /**
   * Events between the last applied one and this one have not arrived. Nothing was written; deliver
   * again when they have.
   *
   * @param <T> the entity's type
   * @param entityOrNull see {@link #entity()}
   * @param expected the lowest position that is missing
   * @param holes what is missing below this event, lowest first
   */
  record Gap<T>(@Nullable T entityOrNull, Position expected, List<Hole> holes)
      implements Outcome<T> {
    /**
     * Copies the holes.
     *
     * @param entityOrNull see {@link #entity()}
     * @param expected the lowest position that is missing
     * @param holes what is missing below this event, lowest first
     */
    public Gap {
      holes = List.copyOf(holes);
    }

    @Override
    public String toString() {
      return "Gap[expected=" + expected + "]";
    }
  }

  /**
   * The caller's own condition was false.
   *
   * @param <T> the entity's type
   * @param entityOrNull see {@link #entity()}
   * @param recorded whether the message was recorded nevertheless, by {@link
   *     Change#otherwiseSkip()}
   */
  record Refused<T>(@Nullable T entityOrNull, boolean recorded) implements Outcome<T> {
    @Override
    public boolean isDone() {
      return recorded;
    }

    @Override
    public String toString() {
      return "Refused[recorded=" + recorded + "]";
    }
  }

  /**
   * There is no entity, and the change does not create one. Nothing was written. Deliver the
   * message again once the entity exists, or decide otherwise what becomes of the message.
   *
   * @param <T> the entity's type
   */
  record Missing<T>() implements Outcome<T> {}

  /**
   * The entity was deleted, and the change does not say {@link Change#recreate()}. {@link
   * EntityStore#forget} answers the same of an entity that is not there.
   *
   * <p>Nothing is written, with one exception: a fresh event of a dense source (contiguous or a
   * dense window) is recorded on the tombstone, whose expiry stays. So the source does not wait for
   * an event that was answered done: the next position is Deleted too, and a redelivery of this one
   * a Duplicate.
   *
   * @param <T> the entity's type
   */
  record Deleted<T>() implements Outcome<T> {}

  /**
   * The message is so old that the entity no longer remembers whether the message was applied.
   * Nothing was written.
   *
   * @param <T> the entity's type
   * @param entityOrNull see {@link #entity()}
   * @param isDone whether the tracking lets such deliveries be acknowledged
   */
  record BeyondHorizon<T>(@Nullable T entityOrNull, boolean isDone) implements Outcome<T> {
    @Override
    public String toString() {
      return "BeyondHorizon[isDone=" + isDone + "]";
    }
  }

  /**
   * Positions of a dense source that have not arrived.
   *
   * @param first the lowest
   * @param last the highest, may equal the lowest
   */
  record Hole(Position first, Position last) {}
}
