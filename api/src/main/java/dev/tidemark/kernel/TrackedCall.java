package dev.tidemark.kernel;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.Key;
import dev.tidemark.Mark;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Operation;
import dev.tidemark.Operation.Assign;
import dev.tidemark.Operation.Remove;
import dev.tidemark.Outcome;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.Path;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One call of a store for one message, from the first request to its outcome: what to send, what an
 * answer means, and whether an earlier attempt may have been applied. For one thread at a time.
 */
public final class TrackedCall {
  private final Message message;
  private final Key key;
  private final Tracking tracking;
  private final Names names;
  private final Names flat;
  private final Clock clock;
  private final ByteBuffer token;
  private boolean uncertain;
  private boolean erases;

  /**
   * A call with a token of its own.
   *
   * @param message the delivery
   * @param key the entity
   * @param tracking the policies
   * @param names how the store spells the names of {@code tracking}
   * @param clock the writer's clock
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
   * @param clock the writer's clock
   * @param token never used by another call
   */
  public TrackedCall(
      Message message, Key key, Tracking tracking, Names names, Clock clock, ByteBuffer token) {
    this.message = Objects.requireNonNull(message, "message");
    this.key = Objects.requireNonNull(key, "key");
    this.tracking = tracking;
    this.names = names;
    this.flat = Names.flat(tracking);
    this.clock = clock;
    this.token = token;
  }

  /**
   * A value that never repeats: it tells this call's own write from others, and is the entity's
   * revision from then on.
   *
   * @return 16 bytes
   */
  public static ByteBuffer newToken() {
    UUID random = UUID.randomUUID();
    ByteBuffer token = ByteBuffer.allocate(2 * Long.BYTES);
    token.putLong(random.getMostSignificantBits()).putLong(random.getLeastSignificantBits());
    return token.flip().asReadOnlyBuffer();
  }

  /**
   * A further call of the same delivery.
   *
   * @return a call with a token of its own
   */
  public TrackedCall another() {
    return new TrackedCall(message, key, tracking, names, clock);
  }

  /**
   * The entity.
   *
   * @return the key
   */
  public Key key() {
    return key;
  }

  /**
   * This call's token.
   *
   * @return 16 bytes
   */
  public ByteBuffer token() {
    return token.duplicate();
  }

  /**
   * The clock's time.
   *
   * @return now
   */
  public Instant now() {
    return clock.instant();
  }

  /** Notes that an attempt ended without an answer, so that it may have been applied. */
  public void attemptWasUncertain() {
    uncertain = true;
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
    return uncertain && erases;
  }

  /**
   * The fault of a call that cannot go on after an attempt without an answer.
   *
   * @param cause what ended the last attempt
   * @return the fault to throw
   */
  public OutcomeUnknownException unknown(@Nullable Throwable cause) {
    return new OutcomeUnknownException(
        "no answer came for "
            + Ids.withoutSource(message)
            + "; what is stored does not tell if it was applied",
        key,
        cause);
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
   * The write of a writer that has not read the entity.
   *
   * @param retired sources whose marks the write drops
   * @return guard over the marks; operations on attributes that tracking owns
   */
  public Plan blind(Set<Source> retired) {
    Plan plan = plan(names);
    return new Plan(plan.guard(), finish(plan.operations(), retired));
  }

  private Plan plan(Names spelled) {
    return message instanceof SourceEvent event
        ? Plan.of(event, tracking, spelled)
        : Plan.of((MessageId) message, tracking, spelled, now());
  }

  /**
   * The operations of a writer that has read the entity, found the message fresh, and writes on the
   * condition that nothing was written since.
   *
   * @param marks what was read; empty for an absent entity
   * @param retired sources whose marks the write drops
   * @return operations on attributes that tracking owns
   * @throws dev.tidemark.CorruptRecordException if the marks cannot be read by this tracking
   * @throws dev.tidemark.TooLargeException if there are marks of too many sources
   */
  public List<Operation> informed(Map<String, Object> marks, Set<Source> retired) {
    boolean accepts = Evaluator.test(plan(flat).guard(), marks);
    List<Operation> operations =
        accepts
            ? plan(names).operations()
            : message instanceof SourceEvent event
                ? Rewrite.of(event, marks, retired, tracking, names)
                : Rewrite.of((MessageId) message, marks, tracking, names, now());
    return finish(operations, retired);
  }

  /**
   * Whether a blind write over these marks passes its guard.
   *
   * @param marks marks by flat name; empty for an absent entity
   * @return true if only the caller's condition can refuse it
   */
  public boolean acceptsBlindly(Map<String, Object> marks) {
    return Evaluator.test(plan(flat).guard(), marks);
  }

  /**
   * The operations of a writer that has read the entity, over the flat marks themselves.
   *
   * @param marks what was read; empty for an absent entity
   * @return the marks after the write, by flat name
   */
  public Map<String, Object> marksAfter(Map<String, Object> marks) {
    TrackedCall spelled = new TrackedCall(message, key, tracking, flat, clock, token);
    return Evaluator.apply(spelled.informed(marks, Set.of()), marks);
  }

  private List<Operation> finish(List<Operation> operations, Set<Source> retired) {
    List<Operation> all = new ArrayList<>();
    Set<Path> dropped = new LinkedHashSet<>();
    for (Source source : retired) {
      Stream.of(Names.Part.values()).forEach(p -> dropped.add(names.path(names.mark(source, p))));
      dropped.add(names.path(names.full()));
    }
    operations.stream().filter(o -> !dropped.contains(o.path())).forEach(all::add);
    dropped.forEach(path -> all.add(new Remove(path)));
    all.add(new Assign(names.path(names.revision()), token()));
    return all;
  }

  /**
   * The condition that no tracked write came since something was read.
   *
   * @param found what was read
   * @return a condition on the revision
   */
  public Condition unchangedSince(Found<?> found) {
    ByteBuffer revision = found.revision(names);
    return revision == null
        ? Condition.attribute(names.path(names.revision())).isMissing()
        : Condition.attribute(names.path(names.revision())).is(revision);
  }

  /**
   * The condition that an entity is not deleted.
   *
   * @return a condition on the tombstone
   */
  public Condition live() {
    return Condition.attribute(names.path(names.tombstone())).isMissing();
  }

  /**
   * What the marks say of the delivery, before existence and the caller's condition are looked at.
   *
   * @param found what is stored
   * @param <T> the entity's type
   * @return empty if the message is fresh
   * @throws OutcomeUnknownException if an attempt of this call may have been applied, and others
   *     wrote since
   * @throws dev.tidemark.CorruptRecordException if the marks cannot be read by this tracking
   */
  public <T> Optional<Outcome<T>> settle(Found<T> found) {
    boolean ours = found.exists() && token.equals(found.revision(names));
    if (ours) {
      boolean created = token.equals(found.marks().get(names.birth()));
      return Optional.of(applied(found.entity(), created, found.marks()));
    }
    Map<String, Object> marks = marks(found);
    Judgement judgement = judge(marks);
    boolean mayBeErased = erases && found.exists();
    if (judgement.kind() == Judgement.Kind.FRESH && !(uncertain && mayBeErased)) {
      return Optional.empty();
    }
    if (uncertain) {
      throw unknown(null);
    }
    boolean live = found.state(names, now()) == Found.State.LIVE;
    T entity = live ? found.entity() : null;
    return Optional.of(judgement.outcome(entity, mark(marks), tracking.isBeyondHorizonDone()));
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
      case ABSENT ->
          change.creates() ? Optional.empty() : Optional.of(new Outcome.Missing<>(false));
      case DELETED ->
          change.revives() ? Optional.empty() : Optional.of(new Outcome.Missing<>(true));
    };
  }

  /**
   * The marks that judge: none for an absent entity, also where an expired tombstone is left.
   *
   * @param found what is stored
   * @return marks by flat name
   */
  public Map<String, Object> marks(Found<?> found) {
    return found.state(names, now()) == Found.State.ABSENT ? Map.of() : found.marks();
  }

  private Judgement judge(Map<String, Object> marks) {
    if (message instanceof SourceEvent event) {
      SourceMark mark = SourceMark.read(marks, names, event.source());
      return Judge.judge(mark, event, tracking.eventPolicy(event.source().type()));
    }
    MessageId id = (MessageId) message;
    boolean remembered = Slots.read(marks, names, tracking.idPolicy()).remembers(Ids.allForms(id));
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
    return new Outcome.Applied<>(entity, created, mark(marksAfter));
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

  /**
   * Whether the entity has come to the bound of its sources and has to be told so, by one more
   * write that sets the flag {@link Names#full()}.
   *
   * @param sources how many sources have a mark after the write
   * @param flagged whether the flag is set
   * @return true if a blind write of a further source must be stopped from now on
   */
  public boolean mustFlagFull(int sources, boolean flagged) {
    return message instanceof SourceEvent && !flagged && sources >= tracking.maxSources();
  }

  /**
   * The marks of a tombstone: all that the entity had, the message, a new revision, and the expiry.
   *
   * @param marks what was read; empty for an absent entity
   * @return marks by flat name
   */
  public Map<String, Object> tombstone(Map<String, Object> marks) {
    Map<String, Object> after = new LinkedHashMap<>(marksAfter(marks));
    after.remove(names.birth());
    after.put(names.tombstone(), now().plus(tracking.tombstonesKeptFor()).getEpochSecond());
    return after;
  }
}
