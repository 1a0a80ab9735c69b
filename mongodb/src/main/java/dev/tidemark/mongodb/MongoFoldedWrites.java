package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.MongoExpressions.all;
import static dev.tidemark.mongodb.MongoExpressions.cond;
import static dev.tidemark.mongodb.MongoExpressions.literal;
import static dev.tidemark.mongodb.MongoExpressions.op;

import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.kernel.FoldedWrite;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Plan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonValue;

/** Folded writes as the parts of a bulk. */
final class MongoFoldedWrites {
  private MongoFoldedWrites() {}

  /**
   * The update of who has not read, in the small form of a single message's. What it refuses is
   * looked at, and written in a larger form where that lets it pass.
   */
  static WriteModel<BsonDocument> blind(MongoContext<?> context, FoldedWrite<?> write) {
    Marking marking = write.marking();
    Names names = context.names();
    Plan plan = marking.blind(Set.of());
    MongoOperations operations =
        new MongoOperations(context.registry())
            .change(write.change().operations())
            .marks(plan.operations());
    MongoGuardExpressions guards = new MongoGuardExpressions(context, marking.messages());
    BsonDocument id = context.keys().document(marking.key());
    boolean upsert = guards.letsCreate() && createsBlindly(write);
    if (upsert) {
      BsonValue fields = op("$objectToArray", MongoExpressions.ROOT);
      BsonValue isNew = op("$eq", MongoExpressions.size(fields), literal(new BsonInt32(id.size())));
      BsonValue token = literal(MongoValues.mark(marking.token()));
      operations.set(names.birth(), cond(isNew, token, MongoExpressions.REMOVED));
    }
    Condition guard = plan.guard().and(marking.live());
    List<BsonValue> tests = List.of(guards.render(guard), shapes(context, write.change()).small());
    return update(id, tests, operations, upsert);
  }

  private static boolean createsBlindly(FoldedWrite<?> write) {
    return write.change().creates()
        && write.marking().acceptsBlindly(Map.of())
        && write.change().operations().stream().allMatch(o -> o.path().segments().size() == 1);
  }

  private static MongoShapes shapes(MongoContext<?> context, Change change) {
    return new MongoShapes(change.operations(), context);
  }

  private static WriteModel<BsonDocument> update(
      BsonDocument filter, List<BsonValue> tests, MongoOperations operations, boolean upsert) {
    BsonValue replaced = cond(all(tests), operations.render(), MongoExpressions.ROOT);
    return new UpdateOneModel<>(
        filter,
        List.of(new BsonDocument("$replaceWith", replaced)),
        new UpdateOptions().upsert(upsert));
  }

  /** The write over a document that was read, unless another came since. */
  static <T> WriteModel<BsonDocument> informed(
      MongoContext<T> context,
      FoldedWrite<T> write,
      MongoStored<T> stored,
      MongoFoldedFunctions<T> functions) {
    Marking marking = write.marking();
    Found<T> found = stored.found();
    Found.State state = found.state(context.names(), marking.now());
    if (state == Found.State.ABSENT) {
      return created(context, write, found, functions);
    }
    List<Operation> marks = flagged(context, marking, found);
    BsonDocument filter = context.keys().filter(marking.key(), unchanged(context, marking, found));
    if (write.isOfFunctions()) {
      BsonDocument read = context.records().nested(found.marks());
      MongoStored<T> known = new MongoStored<>(found, read, true, true, null, -1);
      return new UpdateOneModel<>(
          filter,
          new MongoOperators(context.registry())
              .change(functions.difference())
              .marks(MongoOperatorForm.known(known, marks))
              .render());
    }
    if (state == Found.State.DELETED) {
      marks.add(new Operation.Remove(Path.of(context.names().tombstone())));
      marks.add(new Operation.Assign(Path.of(context.names().birth()), marking.token()));
    }
    MongoOperations operations =
        new MongoOperations(context.registry()).change(write.change().operations()).marks(marks);
    return update(filter, List.of(shapes(context, write.change()).test()), operations, false);
  }

  /** The marks' operations, with the flag that no further source fits where that is so. */
  private static List<Operation> flagged(MongoContext<?> context, Marking marking, Found<?> found) {
    Names names = context.names();
    Map<String, Object> before = marking.marks(found);
    List<Operation> operations = new ArrayList<>(marking.informed(before, Set.of()));
    int after = names.countSources(marking.marksAfter(before).keySet());
    if (marking.mustFlagFull(after, false)) {
      Path full = names.path(names.full());
      operations.removeIf(operation -> operation.path().equals(full));
      operations.add(new Operation.Assign(full, true));
    }
    return operations;
  }

  private static <T> WriteModel<BsonDocument> created(
      MongoContext<T> context,
      FoldedWrite<T> write,
      Found<T> found,
      MongoFoldedFunctions<T> functions) {
    Marking marking = write.marking();
    Names names = context.names();
    Map<String, Object> marks = new LinkedHashMap<>(marking.marksAfter(Map.of()));
    if (marking.mustFlagFull(names.countSources(marks.keySet()), marks.containsKey(names.full()))) {
      marks.put(names.full(), true);
    }
    marks.put(names.birth(), marking.token());
    BsonDocument document;
    if (write.isOfFunctions()) {
      document = functions.document();
      document.putAll(context.records().nested(marks));
    } else {
      document = MongoNewDocument.of(context, marking.key(), write.change(), marks);
    }
    return found.exists()
        ? new ReplaceOneModel<>(
            context.keys().filter(marking.key(), unchanged(context, marking, found)), document)
        : new InsertOneModel<>(document);
  }

  private static List<BsonDocument> unchanged(
      MongoContext<?> context, Marking marking, Found<?> found) {
    MongoFilters filters = new MongoFilters(context.registry());
    boolean deleted = found.marks().containsKey(context.names().tombstone());
    return List.of(
        filters.render(marking.unchangedSince(found)),
        filters.render(deleted ? marking.live().not() : marking.live()));
  }
}
