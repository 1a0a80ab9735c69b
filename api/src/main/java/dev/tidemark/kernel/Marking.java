package dev.tidemark.kernel;

import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Operation;
import dev.tidemark.Operation.Assign;
import dev.tidemark.Operation.Remove;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.Path;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a conditional write that records one message, or several of a {@link Run}, asks of the
 * stored marks, and what it makes of them. All its attempts carry one token, and the time at which
 * it began. For one thread at a time.
 */
public final class Marking {
  private static final String MODEL = "any";
  private static final Position MODEL_POSITION =
      Position.of(BigInteger.TEN.pow(33).add(BigInteger.TWO));

  private final Tracking tracking;
  private final Names names;
  private final List<Message> messages;
  private final EntityKey key;
  private final Instant now;
  private final ByteBuffer token;
  private boolean uncertain;

  /**
   * A write of which nothing is known yet.
   *
   * @param messages what it records, at least one
   * @param key the entity
   * @param tracking the policies
   * @param names how the store spells the names of {@code tracking}
   * @param now the writer's time
   * @param token never used by another write
   */
  public Marking(
      List<Message> messages,
      EntityKey key,
      Tracking tracking,
      Names names,
      Instant now,
      ByteBuffer token) {
    this.messages = List.copyOf(messages);
    this.key = Objects.requireNonNull(key, "key");
    this.tracking = tracking;
    this.names = names;
    this.now = now;
    this.token = token;
  }

  /**
   * A value that never repeats: it tells a write from others, and is the entity's revision from
   * then on.
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
   * The messages that the write records.
   *
   * @return in their order, at least one
   */
  public List<Message> messages() {
    return messages;
  }

  /**
   * The entity.
   *
   * @return the key
   */
  public EntityKey key() {
    return key;
  }

  /**
   * The write's token.
   *
   * @return 16 bytes
   */
  public ByteBuffer token() {
    return token.duplicate();
  }

  /**
   * The clock's time when the write began, which stays: a message cannot get too old, nor a
   * tombstone expire, between what judges it and what records it.
   *
   * @return now
   */
  public Instant now() {
    return now;
  }

  /**
   * Whether its guard and operations are those of every other such write, but for the name of the
   * mark, the position and the token: of one event that has a number and no generation, of a source
   * whose late events are dropped.
   *
   * @return true if what a store says for its {@link #model} can be said again
   */
  public boolean isPlain() {
    return messages.size() == 1
        && messages.get(0) instanceof SourceEvent event
        && event.source().generation() == 0
        && event.position() instanceof Position.Numeric
        && tracking.events(event.source().type()).kind() == EventPolicy.Kind.DROP_LATE;
  }

  /**
   * Another plain write, whose mark, position and token are such as no real write has.
   *
   * @return a write to learn from, not to send
   */
  public Marking model() {
    SourceEvent event = new SourceEvent(Source.of(event().source().type(), MODEL), MODEL_POSITION);
    return new Marking(List.of(event), key, tracking, names, now, newToken());
  }

  private SourceEvent event() {
    return (SourceEvent) messages.get(0);
  }

  /**
   * The mark of a plain write.
   *
   * @return its flat name
   */
  public String mark() {
    return names.mark(event().source(), Names.Part.FLOOR);
  }

  /**
   * The position of a plain write.
   *
   * @return as it is stored
   */
  public Object position() {
    return Positions.stored(event().position());
  }

  /** Notes that an attempt ended without an answer, so that it may have been applied. */
  public void attemptWasUncertain() {
    uncertain = true;
  }

  boolean isUncertain() {
    return uncertain;
  }

  /**
   * The fault of a write that cannot go on after an attempt without an answer.
   *
   * @param cause what ended the last attempt
   * @return the fault to throw
   */
  public OutcomeUnknownException unknown(@Nullable Throwable cause) {
    int others = messages.size() - 1;
    return new OutcomeUnknownException(
        "no answer came for "
            + Ids.withoutSource(messages.get(0))
            + (others == 0 ? "" : " and " + others + " more in the same write")
            + "; what is stored does not tell if it was applied",
        key,
        cause);
  }

  /**
   * The write of a writer that has not read the entity.
   *
   * @param retired sources whose marks the write drops
   * @return guard over the marks; operations on attributes that tracking owns
   */
  public Plan blind(Set<Source> retired) {
    Plan plan = plan(names);
    return new Plan(plan.guard().and(hasPlaceForRevision()), finish(plan.operations(), retired));
  }

  /** That a write replaces a revision, or nothing: anything else is not tracking's to replace. */
  private Condition hasPlaceForRevision() {
    Path revision = names.path(names.revision());
    return isWithoutRevision().or(new Condition.OfKind(revision, Condition.Kind.BINARY));
  }

  private Condition isWithoutRevision() {
    Path revision = names.path(names.revision());
    Condition missing = Condition.attribute(revision).isMissing();
    return missing.or(new Condition.OfKind(revision, Condition.Kind.NULL));
  }

  private Plan plan(Names spelled) {
    return messages.size() == 1
        ? Plan.of(messages.get(0), tracking, spelled, now())
        : Plan.of(messages, tracking, spelled, now());
  }

  /**
   * The operations of a writer that has read the entity, found the messages fresh, and writes on
   * the condition that nothing was written since.
   *
   * @param marks what was read; empty for an absent entity
   * @param retired sources whose marks the write drops
   * @return operations on attributes that tracking owns
   * @throws dev.tidemark.CorruptRecordException if the marks cannot be read by this tracking
   * @throws dev.tidemark.TooLargeException if there are marks of too many sources
   */
  public List<Operation> informed(Map<String, Object> marks, Set<Source> retired) {
    List<Operation> operations =
        messages.size() == 1
            ? informed(messages.get(0), marks, retired, names)
            : MarksDifference.between(marks, advanced(marks), names);
    return finish(operations, retired);
  }

  /**
   * The operations that record the messages on a tombstone that was read, and let it be one.
   *
   * @param marks all marks that were read
   * @return operations on attributes that tracking owns
   * @throws dev.tidemark.CorruptRecordException if the marks cannot be read by this tracking
   * @throws dev.tidemark.TooLargeException if there are marks of too many sources
   */
  public List<Operation> recorded(Map<String, Object> marks) {
    List<Operation> operations = new ArrayList<>(informed(marks, Set.of()));
    int sources = names.countSources(marksAfter(marks).keySet());
    if (mustFlagFull(sources, marks.containsKey(names.full()))) {
      Path full = names.path(names.full());
      operations.removeIf(operation -> operation.path().equals(full));
      operations.add(new Assign(full, true));
    }
    return operations;
  }

  private List<Operation> informed(
      Message message, Map<String, Object> marks, Set<Source> retired, Names spelled) {
    List<Operation> operations = recording(message, marks, spelled);
    return message instanceof SourceEvent event
        ? Room.counted(operations, event, marks, retired, tracking, spelled)
        : operations;
  }

  private List<Operation> recording(Message message, Map<String, Object> marks, Names spelled) {
    boolean accepts = Evaluator.test(Plan.of(message, tracking, flat(), now()).guard(), marks);
    if (accepts) {
      return Plan.of(message, tracking, spelled, now()).operations();
    }
    return message instanceof SourceEvent event
        ? Rewrite.of(event, marks, tracking, spelled)
        : Rewrite.of((MessageId) message, marks, tracking, spelled, now());
  }

  private Names flat() {
    return names.flat();
  }

  /** The marks after one message after the other, each of which may need a rewrite of its own. */
  Map<String, Object> advanced(Map<String, Object> marks) {
    Map<String, Object> after = marks;
    for (Message message : messages) {
      after = advanced(message, after);
    }
    return after;
  }

  private Map<String, Object> advanced(Message message, Map<String, Object> marks) {
    return Evaluator.apply(informed(message, marks, Set.of(), flat()), marks);
  }

  /**
   * Whether a blind write over these marks passes its guard.
   *
   * @param marks marks by flat name; empty for an absent entity
   * @return true if only the caller's condition can refuse it
   */
  public boolean acceptsBlindly(Map<String, Object> marks) {
    return Evaluator.test(plan(flat()).guard(), marks);
  }

  /**
   * The marks after the write of a writer that has read the entity, for outcomes: not counted.
   *
   * @param marks what was read; empty for an absent entity
   * @return the marks after the write, by flat name
   */
  public Map<String, Object> marksAfter(Map<String, Object> marks) {
    return messages.size() == 1
        ? revised(Evaluator.apply(recording(messages.get(0), marks, flat()), marks))
        : marksWritten(marks);
  }

  /**
   * The marks to write over all those of an entity.
   *
   * @param marks what was read; empty for an absent entity
   * @return the marks after the write, by flat name
   * @throws dev.tidemark.TooLargeException if there are marks of too many sources
   */
  public Map<String, Object> marksWritten(Map<String, Object> marks) {
    return revised(advanced(marks));
  }

  private Map<String, Object> revised(Map<String, Object> marks) {
    return Evaluator.apply(List.of(new Assign(Path.of(names.revision()), token())), marks);
  }

  private List<Operation> finish(List<Operation> operations, Set<Source> retired) {
    List<Operation> all = new ArrayList<>(operations);
    Set<Path> dropped = new LinkedHashSet<>();
    for (Source source : retired) {
      names.marks(source).forEach(name -> dropped.add(names.path(name)));
    }
    all.removeIf(operation -> dropped.contains(operation.path()));
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
        ? isWithoutRevision()
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
   * The marks that judge: none for an absent entity, also where an expired tombstone is left.
   *
   * @param found what is stored
   * @return marks by flat name
   */
  public Map<String, Object> marks(Found<?> found) {
    return found.state(names, now()) == Found.State.ABSENT ? Map.of() : found.marks();
  }

  /** Whether it records an event of a window, of which the highest position is not known before. */
  boolean hasWindows() {
    for (Message message : messages) {
      if (message instanceof SourceEvent event
          && Judge.isWindow(tracking.events(event.source().type()))) {
        return true;
      }
    }
    return false;
  }

  /** Whether this write, by its token, is one that looks how many sources there are. */
  boolean looks() {
    int oneIn = Room.looksOneIn(tracking);
    return Math.floorMod(token.getLong(Long.BYTES), (long) oneIn) == 0 && hasEvents();
  }

  private boolean hasEvents() {
    for (Message message : messages) {
      if (message instanceof SourceEvent) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether so few further sources fit that the entity has to be told so, by one more write that
   * sets the flag {@link Names#full()}.
   *
   * @param sources how many sources have a mark after the write
   * @param flagged whether the flag is set
   * @return true if a blind write of a further source must be stopped from now on
   */
  public boolean mustFlagFull(int sources, boolean flagged) {
    return !flagged && Room.isScarce(sources, tracking) && hasEvents();
  }

  /**
   * The marks of a tombstone: all that the entity had, the messages, a new revision, and the
   * expiry.
   *
   * @param marks what was read; empty for an absent entity
   * @return marks by flat name
   */
  public Map<String, Object> tombstone(Map<String, Object> marks) {
    Map<String, Object> after = new LinkedHashMap<>(marksWritten(marks));
    after.remove(names.birth());
    after.put(names.tombstone(), now().plus(tracking.tombstonesKeptFor()).getEpochSecond());
    return after;
  }
}
