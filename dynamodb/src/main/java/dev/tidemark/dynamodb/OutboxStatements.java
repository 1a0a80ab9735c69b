package dev.tidemark.dynamodb;

import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchStatementRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;

/**
 * Changes of records as PartiQL, of which one request takes 25, each under its own condition.
 * Values are parameters and never a part of the text. Messages are taken by their place in the
 * list, on the condition that the message in that place has the ID; one that stays is named as
 * well, so that no list is left empty.
 *
 * @param table the name of the table
 * @param items its items
 */
record OutboxStatements(String table, OutboxItems items) {
  /** So many messages are taken at once, each by two of DynamoDB's 300 operators. */
  private static final int MOST_TAKEN = 50;

  /** Of the 4,096 of an expression. */
  private static final int MOST_CHARS = 3_000;

  /** Beside the list's name, in the condition and in the change of a message. */
  private static final int CHARS_OF_ONE = 45;

  /**
   * The next write of a change.
   *
   * @param change what this write makes
   * @param after what it leaves
   * @param rest what is left for further writes; null if nothing is
   */
  record Step(OutboxChange change, OutboxRecord after, @Nullable OutboxChange rest) {}

  /** The first write of a change, which mostly is all of it. */
  Step next(OutboxChange change) {
    OutboxRecord before = change.before();
    List<String> removed =
        of(Stream.concat(before.waiting().stream(), before.parked().stream()), change.removed());
    List<String> parked = of(before.waiting().stream(), change.parked());
    List<String> released = of(before.parked().stream(), change.released());
    parked.removeAll(removed);
    released.removeAll(removed);
    int most = most();
    boolean all = removed.size() + parked.size() + released.size() <= most;
    if (!parked.isEmpty() || !released.isEmpty()) { // then a list may be written as a whole
      all &= before.waiting().size() <= most && before.parked().size() <= most;
    }
    List<String> first = removed.isEmpty() ? parked.isEmpty() ? released : parked : removed;
    Set<String> some = Set.copyOf(first.subList(0, Math.min(most, first.size())));
    Set<String> none = Set.of();
    boolean takesFirst = !before.waiting().isEmpty() && some.contains(before.waiting().get(0).id());
    OutboxChange step =
        new OutboxChange(
            before,
            all ? Set.copyOf(removed) : first == removed ? some : none,
            all ? Set.copyOf(parked) : first == parked ? some : none,
            all ? Set.copyOf(released) : first == released ? some : none,
            all ? change.tries() : takesFirst ? 0 : before.tries(),
            all ? change.due() : before.due());
    OutboxRecord after = before.after(step);
    return new Step(step, after, all ? null : over(after, change));
  }

  /** The same change over another record. */
  static OutboxChange over(OutboxRecord before, OutboxChange change) {
    return new OutboxChange(
        before, change.removed(), change.parked(), change.released(), change.tries(), change.due());
  }

  private static List<String> of(Stream<OutboxMessage> messages, Set<String> ids) {
    return messages
        .map(OutboxMessage::id)
        .filter(ids::contains)
        .distinct()
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private int most() {
    int name = quoted(items.names().outboxParked()).length();
    return Math.max(1, Math.min(MOST_TAKEN, (MOST_CHARS - 10 * name) / (2 * name + CHARS_OF_ONE)));
  }

  /** The statement of a write. */
  BatchStatementRequest statement(Step step) {
    return new Statement(step).request();
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  private final class Statement {
    private final Step step;
    private final OutboxKey key;
    private final StringBuilder changes = new StringBuilder();
    private final StringBuilder conditions = new StringBuilder();
    private final List<AttributeValue> given = new ArrayList<>();
    private final List<AttributeValue> tested = new ArrayList<>();

    Statement(Step step) {
      this.step = step;
      this.key = (OutboxKey) step.change().before().key();
    }

    BatchStatementRequest request() {
      Names names = items.names();
      OutboxRecord before = step.change().before();
      OutboxRecord after = step.after();
      key.attributes().forEach((name, value) -> require(quoted(name) + " = ?", value));
      Set<String> removed = step.change().removed();
      list(names.outbox(), before.waiting(), after.waiting(), removed, step.change().parked());
      list(
          names.outboxParked(), before.parked(), after.parked(), removed, step.change().released());
      if (after.isEmpty()) {
        clear();
      } else {
        keep(before, after);
      }
      return built(after.isEmpty() && key.isOwn());
    }

    private BatchStatementRequest built(boolean deletion) {
      List<AttributeValue> parameters = new ArrayList<>(deletion ? List.of() : given);
      parameters.addAll(tested);
      String what = deletion ? "DELETE FROM " + quoted(table) : "UPDATE " + quoted(table) + changes;
      return BatchStatementRequest.builder()
          .statement(what + " WHERE " + conditions)
          .parameters(parameters)
          .returnValuesOnConditionCheckFailure(ReturnValuesOnConditionCheckFailure.ALL_OLD)
          .build();
    }

    private void list(
        String name,
        List<OutboxMessage> before,
        List<OutboxMessage> after,
        Set<String> removed,
        Set<String> moved) {
      String path = quoted(name);
      List<Integer> leaving = new ArrayList<>();
      for (int i = before.size() - 1; i >= 0; i--) { // from the end, so that no place moves
        if (removed.contains(before.get(i).id()) || moved.contains(before.get(i).id())) {
          leaving.add(i);
        }
      }
      int staying = before.size() - leaving.size();
      List<OutboxMessage> added = after.subList(staying, after.size());
      boolean whole = !leaving.isEmpty() && !added.isEmpty();
      if (before.isEmpty()) {
        requireNone(path);
      } else if (staying == 0 || whole) {
        require("size(" + path + ") = ?", Values.toNative(before.size()));
      }
      boolean named = whole || staying == 0; // one that stays, or all
      for (int i = 0; i < before.size(); i++) {
        if (whole || leaving.contains(i) || !named) {
          named |= !leaving.contains(i);
          require(path + "[" + i + "].\"id\" = ?", AttributeValue.fromS(before.get(i).id()));
        }
      }
      if (whole || (before.isEmpty() && !added.isEmpty())) {
        set(path + " = ?", OutboxItems.list(key, after));
      } else if (!added.isEmpty()) {
        set(path + " = list_append(" + path + ", ?)", OutboxItems.list(key, added));
      } else if (staying == 0 && !before.isEmpty()) {
        remove(path);
      } else {
        leaving.forEach(i -> remove(path + "[" + i + "]"));
      }
    }

    /** What is written where nothing is left. */
    private void clear() {
      remove(quoted(items.names().outboxShard()));
      remove(quoted(items.names().outboxDue()));
      remove(quoted(items.names().outboxTries()));
      String tombstone = quoted(items.tombstone());
      AttributeValue expiry = key.expiry();
      if (key.isOwn()) {
        require(quoted(items.own()) + " = ?", AttributeValue.fromBool(true));
      } else if (expiry == null) {
        requireNone(tombstone);
      } else {
        require(tombstone + " = ?", expiry);
        if (Values.toNeutral(expiry) instanceof Number seconds
            && seconds.longValue() >= Outbox.WAITING) {
          long until = seconds.longValue() - Outbox.WAITING;
          set(tombstone + " = ?", Values.toNative(until));
        }
      }
    }

    /** What is written beside the messages where some are left. */
    private void keep(OutboxRecord before, OutboxRecord after) {
      Names names = items.names();
      boolean waits = !after.waiting().isEmpty();
      long shard = Outbox.shard(key.shard(), items.shards());
      if (waits == before.waiting().isEmpty() || shard != key.shard()) {
        set(quoted(names.outboxShard()) + " = ?", Values.toNative(waits ? shard : -1 - shard));
      }
      set(quoted(names.outboxDue()) + " = ?", Values.toNative(after.due()));
      if (after.tries() > 0) {
        set(quoted(names.outboxTries()) + " = ?", Values.toNative(after.tries()));
      } else {
        remove(quoted(names.outboxTries()));
      }
    }

    /** That an attribute is missing, or a stored NULL. */
    private void requireNone(String path) {
      require("(" + path + " IS MISSING OR attribute_type(" + path + ", 'NULL'))");
    }

    private void require(String condition, AttributeValue value) {
      require(condition);
      tested.add(value);
    }

    private void require(String condition) {
      conditions.append(conditions.isEmpty() ? "" : " AND ").append(condition);
    }

    private void set(String assignment, AttributeValue value) {
      changes.append(" SET ").append(assignment);
      given.add(value);
    }

    private void remove(String path) {
      changes.append(" REMOVE ").append(path);
    }
  }
}
