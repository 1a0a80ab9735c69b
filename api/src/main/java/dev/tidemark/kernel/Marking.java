package dev.tidemark.kernel;

import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.Message;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a conditional write that records one message, or several of a {@link Run}, asks of the
 * stored marks, and what it makes of them. All its attempts carry one token, and the time at which
 * it began. For one thread at a time.
 */
public final class Marking {
  private final Tracking tracking;
  private final Names names;
  private final List<Message> messages;
  private final EntityKey key;
  private final Instant now;
  private final ByteBuffer token;
  private final SourceCount sources;
  private Publication published = Publication.NONE;

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
    this.sources = new SourceCount(this.messages, tracking, names, token);
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
   * The message of a write whose guard and operations can be kept for others.
   *
   * @return null if another write may ask or do something else
   */
  public @Nullable PlainMessage plain() {
    return messages.size() == 1 && !publishes()
        ? PlainMessage.of(messages.get(0), tracking, names, now)
        : null;
  }

  /**
   * Another plain write, whose message, token and time are such as no real write has.
   *
   * @return a write to learn from, not to send
   */
  public Marking model() {
    Message message = PlainMessage.model(messages.get(0));
    Instant time = PlainMessage.modelTime();
    return new Marking(List.of(message), key, tracking, names, time, Revision.newToken());
  }

  /** Takes the messages, in their stored form, that leave because of the write. */
  void publishes(List<Map<String, Object>> messages) {
    published = new Publication(messages);
  }

  /**
   * Whether messages leave because of the write.
   *
   * @return true if it stores some
   */
  public boolean publishes() {
    return !published.isEmpty();
  }

  /**
   * The write of a writer that has not read the entity, which is {@link #open} or created by it.
   * {@link Requirement} tells which.
   *
   * @param retired sources whose marks the write drops
   * @return guard over the marks; operations on attributes that tracking owns
   */
  public Plan blind(Set<Source> retired) {
    Plan plan = plan(names);
    Condition guard = published.guard(plan.guard(), tracking, names);
    return new Plan(guard, finish(plan.operations(), retired, token()));
  }

  /** The same of a write that puts a tombstone in the entity's place. */
  Plan burying() {
    Plan plan = plan(names);
    return new Plan(plan.guard(), finish(plan.operations(), Set.of(), buried()));
  }

  /**
   * The condition that an entity is there which a writer may write that has not read it: tracked,
   * not deleted, and not nearly full of sources.
   *
   * @return a condition on the type of the revision
   */
  public Condition open() {
    return ofKind(names.path(names.revision()), Condition.Kind.BINARY);
  }

  /**
   * The revision of this write on a tombstone, which no blind write passes.
   *
   * @return text
   */
  public String buried() {
    return Revision.text(token(), "");
  }

  /**
   * The sources whose marks it adds to an entity.
   *
   * @return what tells who has to count them
   */
  public SourceCount sources() {
    return sources;
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
    return informed(marks, retired, false);
  }

  /** The further operations by which a tombstone becomes an entity again. */
  List<Operation> revived() {
    return List.of(
        Operation.remove(names.path(names.tombstone())),
        Operation.assign(names.path(names.birth()), token()));
  }

  /** All marks of an entity that the write creates, in place of all that a record has. */
  Map<String, Object> beginning(Set<Source> retired) {
    Map<String, Object> marks = new LinkedHashMap<>(marksAfter(Map.of(), retired));
    marks.put(names.birth(), token());
    return marks;
  }

  /** The operations that record the messages on a tombstone, which stays one or is to be made. */
  List<Operation> recorded(Map<String, Object> marks) {
    return informed(marks, Set.of(), true);
  }

  private List<Operation> informed(
      Map<String, Object> marks, Set<Source> retired, boolean deleted) {
    List<Operation> operations =
        messages.size() == 1
            ? informed(messages.get(0), marks, retired, names)
            : MarksDifference.between(marks, advanced(marks, Set.of()), names);
    return finish(operations, retired, revision(marks, retired, deleted));
  }

  /**
   * The write that lets message IDs in which a blind write's guard keeps out, and records none.
   *
   * @param found a live entity
   * @return guard on the revision; operations on attributes that tracking owns
   */
  public Plan room(Found<?> found) {
    Map<String, Object> marks = marks(found);
    List<Operation> operations = Rewrite.slots(null, marks, tracking, names, now());
    return new Plan(
        unchangedSince(found), finish(operations, Set.of(), revision(marks, Set.of(), false)));
  }

  /**
   * Whether a write of who has read the entity leaves it to those who have not.
   *
   * @param found a live entity
   * @return false if it has to be told that its sources are many
   */
  public boolean opens(Found<?> found) {
    return sources.full(marks(found), Set.of()).isEmpty();
  }

  /** The revision that a write over marks leaves. */
  private Object revision(Map<String, Object> marks, Set<Source> retired, boolean deleted) {
    String full = sources.full(marks, retired);
    return full.isEmpty() && !deleted ? token() : Revision.text(token(), full);
  }

  private List<Operation> informed(
      Message message, Map<String, Object> marks, Set<Source> retired, Names spelled) {
    if (message instanceof SourceEvent event) {
      Room.require(event, marks, retired, tracking, spelled);
    }
    return Rewrite.recording(message, marks, tracking, spelled, now());
  }

  /** The marks after one message after the other, each of which may need a rewrite of its own. */
  Map<String, Object> advanced(Map<String, Object> marks, Set<Source> retired) {
    Map<String, Object> after = marks;
    for (Message message : messages) {
      after = Evaluator.apply(informed(message, after, retired, names.flat()), after);
    }
    return after;
  }

  /**
   * Whether the guard of a blind write is true over these marks.
   *
   * @param marks marks by flat name; empty for an absent entity
   * @return true if only the caller's condition can refuse it
   */
  public boolean acceptsBlindly(Map<String, Object> marks) {
    Names flat = names.flat();
    return Evaluator.test(published.guard(plan(flat).guard(), tracking, flat), marks);
  }

  /**
   * The marks after the write of a writer that has read the entity.
   *
   * @param marks what was read; empty for an absent entity
   * @param retired sources whose marks the write drops
   * @return the marks after the write, by flat name
   * @throws dev.tidemark.TooLargeException if there are marks of too many sources
   */
  public Map<String, Object> marksAfter(Map<String, Object> marks, Set<Source> retired) {
    return revised(marks, retired, false);
  }

  private Map<String, Object> revised(
      Map<String, Object> marks, Set<Source> retired, boolean deleted) {
    Map<String, Object> after = new LinkedHashMap<>(advanced(marks, retired));
    retired.forEach(source -> names.marks(source).forEach(after::remove));
    after.put(names.revision(), revision(marks, retired, deleted));
    return publishes() ? Evaluator.apply(outgoing(names.flat()), after) : after;
  }

  private List<Operation> finish(List<Operation> operations, Set<Source> retired, Object revision) {
    List<Operation> all = new ArrayList<>(operations);
    Set<Path> dropped = new LinkedHashSet<>();
    for (Source source : retired) {
      names.marks(source).forEach(name -> dropped.add(names.path(name)));
    }
    all.removeIf(operation -> dropped.contains(operation.path()));
    dropped.forEach(path -> all.add(Operation.remove(path)));
    all.addAll(outgoing(names));
    all.add(Operation.assign(names.path(names.revision()), revision));
    return all;
  }

  private List<Operation> outgoing(Names spelled) {
    return published.operations(key, tracking, spelled, now);
  }

  /**
   * The condition that no tracked write came since something was read.
   *
   * @param found what was read
   * @return a condition on the revision
   */
  public Condition unchangedSince(Found<?> found) {
    Path path = names.path(names.revision());
    Object revision = found.marks().get(names.revision());
    return revision == null
        ? Condition.attribute(path).isMissing().or(ofKind(path, Condition.Kind.NULL))
        : Condition.attribute(path).is(revision);
  }

  private static Condition ofKind(Path path, Condition.Kind kind) {
    return new Condition.Test(path, Condition.Operator.OF_KIND, kind);
  }

  /**
   * The marks that judge: none for an absent entity, also where an expired tombstone is left.
   *
   * @param found what is stored
   * @return marks by flat name
   */
  public Map<String, Object> marks(Found<?> found) {
    return found.judgingMarks(names, now());
  }

  /** What the record is, at the time of the write. */
  Found.State state(Found<?> found) {
    return found.state(names, now());
  }

  /** Whether {@link #open} is true of what is stored, which is no tombstone. */
  boolean isOpen(Found<?> found) {
    return found.isOpen(names);
  }

  /**
   * Whether it records events of windows, of which the highest position is not known before.
   *
   * @return false of plain marks and message IDs
   */
  public boolean hasWindows() {
    return Judge.hasWindows(messages, tracking);
  }

  /** The marks of a tombstone: all that the entity had, the messages, a revision, the expiry. */
  Map<String, Object> tombstone(Map<String, Object> marks) {
    Map<String, Object> after = new LinkedHashMap<>(revised(marks, Set.of(), true));
    after.remove(names.birth());
    long expiry = now().plus(tracking.tombstonesKeptFor()).getEpochSecond();
    after.put(names.tombstone(), Outbox.expiry(expiry, marks, names));
    return after;
  }
}
