package dev.tidemark.kernel;

import dev.tidemark.Condition;
import dev.tidemark.Message;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The sources of one write: whether it counts what the entity has marks of, and how it tells the
 * entity that they are many. For one thread at a time.
 */
public final class SourceCount {
  private final List<Message> messages;
  private final Tracking tracking;
  private final Names names;
  private final ByteBuffer token;
  private boolean partial;
  private boolean untold;

  SourceCount(List<Message> messages, Tracking tracking, Names names, ByteBuffer token) {
    this.messages = messages;
    this.tracking = tracking;
    this.names = names;
    this.token = token;
  }

  /**
   * The condition that the entity has a mark of each source whose event the write records. A write
   * that has to count the sources, and whose reply does not tell how many it leaves, passes only
   * so: it brings none.
   *
   * @return a condition on the marks of the messages' sources
   */
  public Condition known() {
    List<Condition> known = new ArrayList<>();
    for (Message message : messages) {
      if (message instanceof SourceEvent event) {
        known.add(Condition.attribute(names.path(mark(event))).exists());
      }
    }
    return new Condition.Joined(Condition.Join.AND, known);
  }

  /**
   * Whether {@link #known} is false of an entity.
   *
   * @param marks those of the entity, by flat name
   * @return true if the write records an event of a source of which there is no mark yet
   */
  public boolean bringsOne(Map<String, Object> marks) {
    return messages.stream()
        .anyMatch(
            message -> message instanceof SourceEvent event && !marks.containsKey(mark(event)));
  }

  private String mark(SourceEvent event) {
    return names.mark(event.source(), Names.Part.MARK);
  }

  /** Whether this write is one of the few, drawn by its token, that count the sources. */
  boolean areCounted() {
    int oneIn = Room.countsOneIn(tracking);
    return Math.floorMod(token.getLong(Long.BYTES), (long) oneIn) == 0 && Room.isTaken(messages);
  }

  /** Whether an entity with so many sources has to be told so, after a write that brought some. */
  boolean mustFlag(int sources) {
    return sources >= scarceFrom() && Room.isTaken(messages);
  }

  /**
   * Whether an entity that it creates has to be told at once that its sources are many.
   *
   * @return true where one source is all that is allowed
   */
  public boolean fillsAtOnce() {
    return mustFlag(1);
  }

  /**
   * From how many sources on the next writer counts.
   *
   * @return a number
   */
  public int scarceFrom() {
    return Room.scarceFrom(tracking);
  }

  /**
   * What tells an entity after this write that its sources are many: the revision as text, unless
   * another write came since.
   *
   * @return guard and operation on the revision
   */
  public Plan flag() {
    Path revision = names.path(names.revision());
    return new Plan(
        Condition.attribute(revision).is(token.duplicate()),
        List.of(Operation.assign(revision, flagged())));
  }

  /**
   * The revision of this write where it leaves marks of many sources.
   *
   * @return text
   */
  public String flagged() {
    return Revision.text(token.duplicate(), names.full());
  }

  /** Notes that no reply tells how many sources the write leaves, as in a transaction. */
  void areUntold() {
    untold = true;
  }

  /** Whether no reply tells how many sources the write leaves. */
  boolean isUntold() {
    return untold;
  }

  /** Notes that what it is written over leaves out the marks of other sources. */
  void areInPart() {
    partial = true;
  }

  /** For which subscriber sources have to be counted; who is another's cannot be told here. */
  String full(Map<String, Object> marks, Set<Source> retired) {
    String found = Revision.full(marks.get(names.revision()));
    if (partial || !(found.isEmpty() || found.equals(names.full()))) {
      return found;
    }
    int sources = Room.count(marks, messages, retired, names);
    return sources < scarceFrom() ? "" : names.full();
  }
}
