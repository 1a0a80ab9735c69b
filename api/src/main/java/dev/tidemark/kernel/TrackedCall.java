package dev.tidemark.kernel;

import dev.tidemark.Change;
import dev.tidemark.Key;
import dev.tidemark.Mark;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One call of a store for one message, from the first request to its outcome: what to send, what an
 * answer means, and whether an earlier attempt may have been applied. For one thread at a time.
 */
public final class TrackedCall extends Marking {
  private final Message message;
  private boolean erases;
  private @Nullable TrackedCall recorder;

  /**
   * A call with a token of its own.
   *
   * @param message the delivery
   * @param key the entity
   * @param tracking the policies
   * @param names how the store spells the names of {@code tracking}
   * @param clock the writer's clock, which is read once
   * @throws IllegalArgumentException if the message's position is none that its source can have
   */
  public TrackedCall(Message message, Key key, Tracking tracking, Names names, Clock clock) {
    this(message, key, tracking, names, clock, newToken());
  }

  /**
   * A call whose token was made before.
   *
   * @param message the delivery
   * @param key the entity
   * @param tracking the policies
   * @param names how the store spells the names of {@code tracking}
   * @param clock the writer's clock, which is read once
   * @param token never used by another call
   * @throws IllegalArgumentException if the message's position is none that its source can have
   */
  public TrackedCall(
      Message message, Key key, Tracking tracking, Names names, Clock clock, ByteBuffer token) {
    this(message, key, tracking, names, clock.instant(), token);
  }

  /** A call of the given time. */
  TrackedCall(
      Message message, Key key, Tracking tracking, Names names, Instant now, ByteBuffer token) {
    super(List.of(given("message", message)), given("key", key), tracking, names, now, token);
    this.message = message;
    requirePlace(message, tracking);
  }

  private static <A> A given(String what, @Nullable A argument) {
    if (argument == null) {
      throw new IllegalArgumentException(what + " of a call must not be null");
    }
    return argument;
  }

  /** Refuses a message that no state of the entity lets pass. */
  static void requirePlace(Message message, Tracking tracking) {
    if (message instanceof SourceEvent event) {
      Judge.requirePlace(event, tracking.events(event.source().type()));
    }
  }

  /**
   * A further call of the same delivery at the same time.
   *
   * @return a call with a token of its own
   */
  public TrackedCall another() {
    return new TrackedCall(message, key(), tracking, names, now(), newToken());
  }

  /**
   * Notes whether the call's own write takes the message's mark away, so that what is stored cannot
   * tell whether it was made.
   *
   * @param retired sources whose marks the write drops
   * @param forgets whether it drops all
   * @return whether it does
   */
  public boolean erasesItsMark(Set<Source> retired, boolean forgets) {
    erases = forgets || Ids.isOf(message, retired);
    return erases;
  }

  /**
   * Whether the call has to look before it writes again: what is stored is all that tells.
   *
   * @return true after an uncertain attempt of a call that erases its mark
   */
  public boolean mustLook() {
    return isUncertain() && erases;
  }

  /**
   * Whether no write can apply the message whatever is stored, so that a read is all it takes.
   *
   * @return true for a message ID sent before the horizon
   */
  public boolean isBeyondHorizon() {
    return message instanceof MessageId id && Judge.isBeyondHorizon(id, tracking, now());
  }

  /**
   * The call that records a fresh delivery on the tombstone which it finds, and changes nothing
   * else: of a dense source, which would wait for it otherwise. It has a token of its own, since a
   * record is not the change.
   *
   * @param found what is stored
   * @param change whether a deleted entity is created
   * @return empty where nothing is to be recorded; else the same for all attempts
   */
  public Optional<TrackedCall> recorder(Found<?> found, Change change) {
    return found.state(names, now()) == Found.State.DELETED ? recorder(change) : Optional.empty();
  }

  /**
   * The same for a writer that does not know whether there is a tombstone.
   *
   * @param change whether a deleted entity is created
   * @return empty where nothing would be recorded on one
   */
  public Optional<TrackedCall> recorder(Change change) {
    boolean dense =
        message instanceof SourceEvent event && tracking.events(event.source().type()).isDense();
    if (!dense || change.revives()) {
      return Optional.empty();
    }
    TrackedCall call = recorder == null ? another() : recorder;
    recorder = call;
    return Optional.of(call);
  }

  private boolean isRecorded(Found<?> found) {
    return recorder != null && found.exists() && recorder.token().equals(found.revision(names));
  }

  /**
   * What the marks say of the delivery, before existence and the caller's condition are looked at.
   *
   * @param found what is stored
   * @param <T> the entity's type
   * @return empty if the message is fresh
   * @throws dev.tidemark.OutcomeUnknownException if an attempt of this call may have been applied,
   *     and others wrote since
   * @throws dev.tidemark.CorruptRecordException if the marks cannot be read by this tracking
   */
  public <T> Optional<Outcome<T>> settle(Found<T> found) {
    boolean ours = found.exists() && token().equals(found.revision(names));
    if (ours) {
      boolean created = token().equals(found.marks().get(names.birth()));
      return Optional.of(applied(found.entity(), created, found.marks()));
    }
    if (isRecorded(found)) {
      return Optional.of(new Outcome.Deleted<>());
    }
    Map<String, Object> marks = marks(found);
    Judgement judgement = judge(marks);
    boolean mayBeErased = erases && found.exists();
    if (judgement.kind() == Judgement.Kind.FRESH && !(isUncertain() && mayBeErased)) {
      return Optional.empty();
    }
    if (isUncertain()) {
      throw unknown(null);
    }
    boolean live = found.state(names, now()) == Found.State.LIVE;
    T entity = live ? found.entity() : null;
    return Optional.of(
        judgement.outcome(entity, mark(marks), tracking.acknowledgesBeyondHorizon()));
  }

  /**
   * What the absence of an entity says of a fresh delivery.
   *
   * @param found what is stored
   * @param change whether a missing or a deleted entity is created
   * @param <T> the entity's type
   * @return empty if the change may be made
   */
  public <T> Optional<Outcome<T>> existence(Found<T> found, Change change) {
    return switch (found.state(names, now())) {
      case LIVE -> Optional.empty();
      case ABSENT -> change.creates() ? Optional.empty() : Optional.of(new Outcome.Missing<>());
      case DELETED -> change.revives() ? Optional.empty() : Optional.of(new Outcome.Deleted<>());
    };
  }

  private Judgement judge(Map<String, Object> marks) {
    if (message instanceof SourceEvent event) {
      SourceMark mark = SourceMark.read(marks, names, event.source());
      return Judge.judge(mark, event, tracking.events(event.source().type()));
    }
    MessageId id = (MessageId) message;
    boolean remembered =
        Slots.read(marks, names, tracking.messageIds()).remembers(Ids.allForms(id));
    return Judge.judge(remembered, id, tracking, now());
  }

  /**
   * The outcome of a write that was applied.
   *
   * @param entity the entity after it, where it is at hand
   * @param created whether there was none before
   * @param marksAfter the marks after it, as far as they are known
   * @param <T> the entity's type
   * @return Applied
   */
  public <T> Outcome<T> applied(
      @Nullable T entity, boolean created, Map<String, Object> marksAfter) {
    return new Outcome.Applied<>(entity, created, erases ? null : mark(marksAfter));
  }

  /**
   * The outcome of a portable change that was made: of one without any operation, the message was
   * recorded and that is all.
   *
   * @param outcome what the write did
   * @param change the change
   * @param <T> the entity's type
   * @return Recorded in place of Applied, where nothing was created; else the same
   */
  public static <T> Outcome<T> told(Outcome<T> outcome, Change change) {
    boolean nothing = change.operations().isEmpty() && change.retired().isEmpty();
    return nothing && outcome instanceof Outcome.Applied<T> applied && !applied.created()
        ? new Outcome.Recorded<>(applied.entityOrNull(), applied.markOrNull())
        : outcome;
  }

  /**
   * What is remembered of the delivery's source.
   *
   * @param marks marks by flat name
   * @return null for a message ID, or if nothing is known
   */
  public @Nullable Mark mark(Map<String, Object> marks) {
    return message instanceof SourceEvent event
        ? SourceMark.read(marks, names, event.source()).highest(event.source())
        : null;
  }
}
