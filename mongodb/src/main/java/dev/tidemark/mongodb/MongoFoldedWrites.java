package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.MongoExpressions.all;
import static dev.tidemark.mongodb.MongoExpressions.cond;
import static dev.tidemark.mongodb.MongoExpressions.literal;
import static dev.tidemark.mongodb.MongoExpressions.not;

import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import dev.tidemark.Change;
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
import org.bson.BsonValue;

/**
 * Folded writes as the parts of a bulk. Each is an update of one document by its key, whose guard
 * is inside the pipeline and raises an error where it is false: the reply names the statement, and
 * nothing is inserted. So all of them upsert: a statement that is not named was carried out.
 */
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
    List<BsonValue> tests = new ArrayList<>();
    if (guards.letsCreate() && createsBlindly(write)) {
      BsonValue token = literal(MongoValues.mark(marking.token()));
      operations.set(names.birth(), cond(MongoRefusal.isNew(id), token, MongoExpressions.REMOVED));
    } else {
      tests.add(not(MongoRefusal.isNew(id)));
    }
    tests.add(guards.render(plan.guard().and(marking.live())));
    tests.add(shapes(context, write.change()).small());
    return update(id, tests, operations.render());
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
      BsonDocument id, List<BsonValue> tests, BsonValue after) {
    BsonValue replaced = cond(all(tests), after, MongoRefusal.raised());
    return new UpdateOneModel<>(
        id, List.of(new BsonDocument("$replaceWith", replaced)), new UpdateOptions().upsert(true));
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
    List<BsonValue> tests = unchanged(context, marking, found);
    MongoOperations operations = new MongoOperations(context.registry());
    if (write.isOfFunctions()) {
      operations.change(functions.difference());
    } else if (!write.isOfTombstone()) {
      operations.change(write.change().operations());
      tests.add(shapes(context, write.change()).test());
    }
    List<Operation> marks = marking.informed(marking.marks(found), Set.of());
    if (state == Found.State.DELETED && !write.isOfTombstone()) {
      marks.add(new Operation.Remove(Path.of(context.names().tombstone())));
      marks.add(new Operation.Assign(Path.of(context.names().birth()), marking.token()));
    }
    return update(context.keys().document(marking.key()), tests, operations.marks(marks).render());
  }

  private static <T> WriteModel<BsonDocument> created(
      MongoContext<T> context,
      FoldedWrite<T> write,
      Found<T> found,
      MongoFoldedFunctions<T> functions) {
    Marking marking = write.marking();
    Names names = context.names();
    Map<String, Object> marks = new LinkedHashMap<>(marking.marksWritten(Map.of()));
    marks.put(names.birth(), marking.token());
    BsonDocument document;
    if (write.isOfFunctions()) {
      document = functions.document();
      document.putAll(context.records().nested(marks));
    } else {
      document = MongoNewDocument.of(context, marking.key(), write.change(), marks);
    }
    return found.exists()
        ? update(
            context.keys().document(marking.key()),
            unchanged(context, marking, found),
            literal(document))
        : new InsertOneModel<>(document);
  }

  /** That the document is there as it was read. */
  private static List<BsonValue> unchanged(
      MongoContext<?> context, Marking marking, Found<?> found) {
    MongoGuardExpressions guards = new MongoGuardExpressions(context, List.of());
    boolean deleted = found.marks().containsKey(context.names().tombstone());
    List<BsonValue> tests = new ArrayList<>();
    if (found.revision(context.names()) == null) {
      tests.add(not(MongoRefusal.isNew(context.keys().document(marking.key()))));
    }
    tests.add(guards.render(marking.unchangedSince(found)));
    tests.add(guards.render(deleted ? marking.live().not() : marking.live()));
    return tests;
  }
}
