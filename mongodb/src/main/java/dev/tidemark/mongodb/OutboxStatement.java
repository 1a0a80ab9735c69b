package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.op;

import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * A change of one document's outgoing messages, as a statement of a bulk. Its filter says that what
 * it takes is there, that the first message it leaves is the one that was seen, and where it takes
 * the last, that there is nothing else.
 *
 * <p>A bulk counts what it matched and does not say which. So an update whose filter matches
 * nothing has to fail: it is an upsert whose insert no server takes, since its {@code _id} would be
 * another one than the filter's, and an array. The error has the statement's index.
 */
final class OutboxStatement {
  private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);
  private static final BsonDocument NO_INSERT = new BsonDocument("_id", new BsonArray());
  private static final BsonString NONE = new BsonString("");

  private final OutboxFields fields;
  private final OutboxKey key;
  private final OutboxChange change;
  private final OutboxRecord after;
  private final BsonDocument filter;
  private final BsonArray tests = new BsonArray();
  private final BsonDocument operators = new BsonDocument();

  private OutboxStatement(OutboxFields fields, OutboxChange change) {
    this.fields = fields;
    this.key = (OutboxKey) change.before().key();
    this.change = change;
    this.after = change.before().after(change);
    this.filter = OutboxFields.filter(key);
    list(fields.waiting(), change.before().waiting(), after.waiting(), true);
    list(fields.parked(), change.before().parked(), after.parked(), after.waiting().isEmpty());
    filter.append("$and", tests);
  }

  /** A change as a statement. */
  static OutboxStatement of(OutboxFields fields, OutboxChange change) {
    OutboxStatement statement = new OutboxStatement(fields, change);
    if (statement.leavesNothing()) {
      statement.clear();
    } else {
      statement.keep();
    }
    return statement;
  }

  /** Whether nothing is left of the document's messages after it. */
  boolean leavesNothing() {
    return after.isEmpty();
  }

  /** Whether it deletes the document, which is then the only statement that raises no error. */
  boolean deletes() {
    return leavesNothing() && key.isOwn(fields.own());
  }

  /** The statement as the driver takes it. */
  WriteModel<BsonDocument> model() {
    return deletes()
        ? new DeleteOneModel<>(filter)
        : new UpdateOneModel<>(filter, operators.append("$setOnInsert", NO_INSERT), UPSERT);
  }

  /** What becomes of one of the two lists. */
  private void list(
      String field, List<OutboxMessage> before, List<OutboxMessage> left, boolean matters) {
    List<OutboxMessage> taken = without(before, left);
    List<OutboxMessage> added = without(left, before);
    if (taken.isEmpty()) {
      if (matters) {
        front(field, before, left);
      }
      if (!added.isEmpty() && key.image().isNull(field)) { // to which nothing can be pushed
        test(field, BsonNull.VALUE);
        put("$set", field, fields.stored(key.image(), added));
      } else if (!added.isEmpty()) {
        put("$push", field, op("$each", fields.stored(key.image(), added)));
      }
    } else if (added.isEmpty() && !left.isEmpty()) {
      BsonArray ids = ids(taken);
      test(field + ".id", op("$all", ids));
      front(field, before, left);
      put("$pull", field, op("id", op("$in", ids)));
    } else {
      exactly(field, before);
      if (left.isEmpty()) {
        put("$unset", field, NONE);
      } else {
        put("$set", field, fields.stored(key.image(), left));
      }
    }
  }

  private static List<OutboxMessage> without(List<OutboxMessage> all, List<OutboxMessage> others) {
    Set<String> known = others.stream().map(OutboxMessage::id).collect(Collectors.toSet());
    return all.stream().filter(one -> !known.contains(one.id())).toList();
  }

  private static BsonArray ids(List<OutboxMessage> messages) {
    List<BsonString> ids = new ArrayList<>();
    messages.stream().map(OutboxMessage::id).distinct().forEach(id -> ids.add(new BsonString(id)));
    return new BsonArray(ids);
  }

  /**
   * That the first message that stays is the one that was seen, since what is noted of it is of no
   * other; or that there still is none.
   */
  private void front(String field, List<OutboxMessage> before, List<OutboxMessage> left) {
    if (before.isEmpty()) {
      test(field, BsonNull.VALUE);
    } else {
      begins(field, before.subList(0, before.indexOf(left.get(0)) + 1));
    }
  }

  /** That a list has these messages, in this order, and no others. */
  private void exactly(String field, List<OutboxMessage> messages) {
    test(field, op("$size", new BsonInt32(messages.size())));
    begins(field, messages);
  }

  private void begins(String field, List<OutboxMessage> messages) {
    IntStream.range(0, messages.size())
        .forEach(i -> test(field + "." + i + ".id", new BsonString(messages.get(i).id())));
  }

  private void test(String path, BsonValue test) {
    tests.add(new BsonDocument(path, test));
  }

  private void put(String operator, String field, BsonValue operand) {
    if (!operators.containsKey(operator)) {
      operators.put(operator, new BsonDocument());
    }
    operators.getDocument(operator).put(field, operand);
  }

  /** Something is left, so an index has it. */
  private void keep() {
    long shard = fields.shardOf(key.image());
    put("$set", fields.shard(), new BsonInt64(after.waiting().isEmpty() ? -1 - shard : shard));
    put("$set", fields.due(), new BsonInt64(change.due()));
    if (change.tries() > 0) {
      put("$set", fields.tries(), new BsonInt64(change.tries()));
    } else {
      put("$unset", fields.tries(), NONE);
    }
  }

  /** Nothing is left: the fields go, and a tombstone need not wait any longer. */
  private void clear() {
    Stream.of(fields.waiting(), fields.parked(), fields.shard(), fields.due(), fields.tries())
        .forEach(field -> put("$unset", field, NONE));
    BsonValue until = key.image().get(fields.tombstone(), BsonNull.VALUE);
    long waiting = Duration.ofSeconds(Outbox.WAITING).toMillis();
    test(fields.tombstone(), until);
    if (until.isDateTime() && until.asDateTime().getValue() >= waiting) {
      long millis = until.asDateTime().getValue() - waiting;
      put("$set", fields.tombstone(), new BsonDateTime(millis));
    }
  }
}
