package dev.tidemark.kernel;

import dev.tidemark.Attribute;
import dev.tidemark.Condition;
import dev.tidemark.IdPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The write of one message by a writer that has not read the entity: a guard over the stored marks,
 * and the operations that record the message. The guard is true only if the judge says fresh; where
 * it is false although the message is fresh, the marks need to be rewritten by a writer that has
 * read them ({@link Rewrite}).
 *
 * @param guard what must be true of the stored marks
 * @param operations what records the message
 */
public record Plan(Condition guard, List<Operation> operations) {
  /**
   * Copies the operations.
   *
   * @param guard what must be true of the stored marks
   * @param operations what records the message
   */
  public Plan {
    operations = List.copyOf(operations);
  }

  /** The write of one message. */
  static Plan of(Message message, Tracking tracking, Names names, Instant now) {
    return message instanceof SourceEvent event
        ? EventPlan.of(List.of(event), tracking, names)
        : ofIds(List.of((MessageId) message), tracking, names, now);
  }

  /** The write of several messages; {@link Assumed} says which may stand in it. */
  static Plan of(List<Message> messages, Tracking tracking, Names names, Instant now) {
    List<MessageId> ids = new ArrayList<>();
    Map<Source, List<SourceEvent>> events = new LinkedHashMap<>();
    for (Message message : messages) {
      if (message instanceof SourceEvent event) {
        Source source = event.source().generation(0);
        events.computeIfAbsent(source, s -> new ArrayList<>()).add(event);
      } else {
        ids.add((MessageId) message);
      }
    }
    List<Plan> plans = new ArrayList<>();
    if (!ids.isEmpty()) {
      plans.add(ofIds(ids, tracking, names, now));
    }
    events.values().forEach(ofSource -> plans.add(EventPlan.of(ofSource, tracking, names)));
    return new Plan(
        new Condition.Joined(Condition.Join.AND, plans.stream().map(Plan::guard).toList()),
        plans.stream().flatMap(plan -> plan.operations().stream()).toList());
  }

  /** The write of message IDs that differ. */
  private static Plan ofIds(List<MessageId> ids, Tracking tracking, Names names, Instant now) {
    IdPolicy policy = tracking.messageIds();
    if (ids.stream().anyMatch(id -> Judge.isBeyondHorizon(id, tracking, now))) {
      return new Plan(Condition.never(), List.of());
    }
    List<Condition> guard = new ArrayList<>();
    guard.add(roomFor(ids.size(), tracking, names, now));
    Set<Object> stored = new LinkedHashSet<>();
    ids.forEach(id -> stored.add(Ids.stored(id, policy.isCompact())));
    guard.addAll(unknown(stored, names));
    List<Operation> operations = new ArrayList<>();
    operations.add(new Operation(Operation.Kind.ADD_ALL, names.path(names.ids(0)), stored));
    if (policy.keptFor().isPresent()) {
      operations.add(Operation.assignIfAbsent(names.path(names.since()), now.toEpochMilli()));
    }
    return new Plan(new Condition.Joined(Condition.Join.AND, guard), operations);
  }

  /** The values in the write of one message ID that differ from those in another's. */
  static List<Object> values(MessageId id, IdPolicy policy, Instant now) {
    Object stored = Ids.stored(id, policy.isCompact());
    return policy.keptFor().isEmpty()
        ? List.of(Set.of(stored), stored)
        : List.of(
            Set.of(stored), stored, now.toEpochMilli(), latest(policy, now), young(policy, now));
  }

  /** The latest beginning of a slot that the clock of a writer may have told. */
  private static long latest(IdPolicy policy, Instant now) {
    return now.toEpochMilli() + policy.maxSkew().toMillis();
  }

  /** The time before which a slot that may be closed began. */
  private static long young(IdPolicy policy, Instant now) {
    return now.minus(Slots.span(policy)).toEpochMilli();
  }

  /**
   * That more ids fit in the open slot, so that none is closed.
   *
   * @param ids how many more, at least one; also more than a slot takes, for which there is no room
   * @param tracking the policy
   * @param names where tracking keeps what
   * @param now the writer's clock
   * @return a condition on the stored marks
   */
  public static Condition roomFor(int ids, Tracking tracking, Names names, Instant now) {
    IdPolicy policy = tracking.messageIds();
    Attribute open = at(names, names.ids(0));
    Attribute since = at(names, names.since());
    Condition.Kind kind =
        policy.isCompact() ? Condition.Kind.BINARY_SET : Condition.Kind.STRING_SET;
    Condition kept = new Condition.Test(open.path(), Condition.Operator.OF_KIND, kind);
    Condition none = open.isMissing().and(inForm(policy, names));
    int most = Integer.MAX_VALUE;
    if (policy.keptFor().isPresent()) {
      most = Judge.SLACK;
      kept =
          kept.and(since.atMost(latest(policy, now)))
              .and(below(open, most + 1 - ids).or(since.greaterThan(young(policy, now))));
      none = none.and(since.isMissing());
    } else if (policy.last() > 0) {
      most = Slots.capacity(policy);
      kept = kept.and(below(open, most + 1 - ids));
    }
    return ids > most ? kept : none.or(kept);
  }

  /** That no closed slot is of the other form, as one may be where no slot is open. */
  private static Condition inForm(IdPolicy policy, Names names) {
    Condition.Kind other =
        policy.isCompact() ? Condition.Kind.STRING_SET : Condition.Kind.BINARY_SET;
    List<Condition> tests = new ArrayList<>();
    for (int slot = 1; slot <= Names.CLOSED_SLOTS; slot++) {
      Path closed = names.path(names.ids(slot));
      tests.add(new Condition.Test(closed, Condition.Operator.OF_KIND, other).not());
    }
    return new Condition.Joined(Condition.Join.AND, tests);
  }

  private static Condition below(Attribute ids, int size) {
    return size < 1 ? Condition.never() : ids.sizeBelow(size);
  }

  /** That no slot has any of the ids; all slots are of the open one's form. */
  private static List<Condition> unknown(Set<Object> ids, Names names) {
    List<Condition> known = new ArrayList<>();
    for (int slot = 0; slot <= Names.CLOSED_SLOTS; slot++) {
      Attribute kept = at(names, names.ids(slot));
      ids.stream().map(kept::contains).forEach(known::add);
    }
    // Fewer operators, of which DynamoDB takes 300.
    return ids.size() > 1
        ? List.of(new Condition.Joined(Condition.Join.OR, known).not())
        : known.stream().map(Condition::not).toList();
  }

  private static Attribute at(Names names, String flatName) {
    return Condition.attribute(names.path(flatName));
  }
}
