package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.op;

import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.kernel.Names;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Update operators: the caller's own, whose paths were checked, and tracking's beside them, each of
 * which changes one mark. Ids are pushed: {@code $addToSet} would carry the whole array into the
 * oplog.
 */
final class MarkOperators {
  private static final BsonString ANYTHING = new BsonString("");

  private final Names names;
  private final MarkFields markFields;
  private final BsonDocument operators = new BsonDocument();

  /**
   * The caller's own.
   *
   * @param own as the caller gave them; they stay as they are
   */
  MarkOperators(Context<?> context, BsonDocument own) {
    this.names = context.names();
    this.markFields = context.markFields();
    own.forEach(
        (operator, fields) ->
            fields.asDocument().forEach((path, value) -> put(operator, path, value)));
  }

  BsonDocument render() {
    return operators;
  }

  /** Adds an operator on one field. */
  void put(String operator, String path, BsonValue operand) {
    if (!operators.containsKey(operator)) {
      operators.put(operator, new BsonDocument());
    }
    operators.getDocument(operator).put(path, operand);
  }

  /**
   * Adds the operations of who has not read. A stamp is only ever lowered, which closes the slot no
   * later than is right; {@code $max} stands for set-if-absent elsewhere, which the filter makes
   * right.
   */
  MarkOperators blindly(List<Operation> marks) {
    for (Operation mark : marks) {
      boolean stamp = mark.path().segments().equals(List.of(names.since()));
      add(mark, stamp ? "$min" : "$max");
    }
    return this;
  }

  /**
   * Adds the operations of who has read. Where an explicit null is in the way of a mark, there is
   * nothing behind it, so that what is to be there replaces it.
   *
   * @param read the marks as they are stored, as far as the operations concern them
   */
  MarkOperators over(BsonDocument read, List<Operation> marks) {
    for (Operation mark : marks) {
      Path isNull = nullAbove(read, mark.path());
      boolean removes = mark.kind() == Operation.Kind.REMOVE;
      if (isNull != null && (!removes || isNull.equals(mark.path()))) {
        replace(isNull, mark);
      } else if (isNull == null) {
        known(mark, Values.at(read, mark.path()));
      }
    }
    return this;
  }

  /** The shortest part of a path at which a null stands; null if there is none. */
  private static @Nullable Path nullAbove(BsonDocument read, Path path) {
    List<String> segments = path.segments();
    for (int length = 1; length <= segments.size(); length++) {
      Path part = new Path(segments.subList(0, length));
      BsonValue value = Values.at(read, part);
      if (value != null && value.isNull()) {
        return part;
      }
    }
    return null;
  }

  private void replace(Path isNull, Operation mark) {
    if (mark.kind() == Operation.Kind.REMOVE) {
      put("$unset", Filters.dotted(isNull), ANYTHING);
      return;
    }
    List<String> inside =
        mark.path().segments().subList(isNull.segments().size(), mark.path().segments().size());
    BsonValue value = Values.mark(mark.value());
    String at = Filters.dotted(isNull);
    if (inside.isEmpty()) {
      put("$set", at, value);
      return;
    }
    BsonDocument set = operators.getDocument("$set", new BsonDocument());
    BsonDocument parent = set.getDocument(at, new BsonDocument());
    put("$set", at, parent);
    for (String segment : inside.subList(0, inside.size() - 1)) {
      parent.putIfAbsent(segment, new BsonDocument());
      parent = parent.getDocument(segment);
    }
    parent.put(inside.get(inside.size() - 1), value);
  }

  /**
   * Adds an operation on a mark that was read. What is set only if it is absent is no other once it
   * is there; but messages that wait may be taken away without a new revision, so that their time
   * is given again, and no later than now.
   */
  private void known(Operation mark, @Nullable BsonValue stored) {
    if (mark.kind() != Operation.Kind.ASSIGN_IF_ABSENT) {
      add(mark, "$set");
    } else if (stored == null) {
      put("$set", Filters.dotted(mark.path()), Values.mark(mark.value()));
    } else if (mark.path().segments().equals(List.of(names.outboxDue()))) {
      long now = ((Number) mark.value()).longValue();
      boolean earlier = stored.isNumber() && stored.asNumber().longValue() < now;
      put("$max", names.outboxDue(), earlier ? stored : Values.mark(now));
    }
  }

  private void add(Operation mark, String ifAbsent) {
    String path = Filters.dotted(mark.path());
    switch (mark.kind()) {
      case ASSIGN -> put("$set", path, Values.mark(mark.value()));
      case ASSIGN_IF_ABSENT -> put(ifAbsent, path, Values.mark(mark.value()));
      case ADD_ALL, APPEND_ALL ->
          put("$push", path, op("$each", new BsonArray(Values.mark(mark.value()).asArray())));
      case REMOVE -> put("$unset", path, ANYTHING);
      case INCREASE, REMOVE_ALL -> throw new AssertionError("tracking changes nothing by " + mark);
    }
  }

  /**
   * Adds the marks of an entity that begins anew: in place of all that tracking has stored for any
   * subscriber.
   *
   * @param marks all of them, by flat name
   * @param fields the names of all fields that are stored
   */
  void anew(Map<String, Object> marks, Set<String> fields) {
    BsonDocument all = markFields.nested(marks);
    all.forEach((name, value) -> put("$set", name, value));
    fields.stream()
        .filter(name -> names.owns(name) && !all.containsKey(name))
        .forEach(name -> put("$unset", name, ANYTHING));
  }
}
