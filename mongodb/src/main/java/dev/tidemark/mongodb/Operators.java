package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.op;

import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.Operation;
import dev.tidemark.Operation.Assign;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Plan;
import dev.tidemark.kernel.Reply;
import dev.tidemark.kernel.Request;
import dev.tidemark.mongodb.MongoNativeUpdate.NativeWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Requests with the guard in the filter: a caller's own operators, and deletes that leave nothing.
 * A filter that matches nothing does not tell why.
 */
final class Operators<T> {
  /** Up to so many sources, each write looks how many there are. */
  private static final int FEW = 127;

  private final Context<T> context;
  private final Names names;

  Operators(Context<T> context) {
    this.context = context;
    this.names = context.names();
  }

  /**
   * The write of who has not read. Where sources are to be counted, the filter does so, which that
   * of an upsert cannot: then the image tells, but for large bounds not in a bulk.
   */
  Command blind(Request<T> request, NativeWrite own, boolean alone) {
    Marking marking = request.marking();
    Plan plan = marking.blind(request.rules().retired());
    List<BsonDocument> further = new ArrayList<>(floors(plan.operations()));
    if (own.filter() != null) {
      further.add(own.filter());
    }
    boolean creates = Pipelines.createsBlindly(context, request);
    if (request.countsSources() && !creates) {
      further.add(op("$expr", hasRoom(marking)));
    }
    BsonDocument filter = context.keys().filter(marking.key(), further);
    Filters.guard(marking.open().and(plan.guard()))
        .forEach((name, test) -> Filters.merge(filter, name, test));
    UpdateOperators operators = new UpdateOperators().own(own.operators()).marks(plan.operations());
    if (creates) {
      operators.put("$setOnInsert", names.birth(), Values.mark(marking.token()));
    }
    Command command = update(filter, operators, own, creates);
    if (request.rules().returns()) {
      return command.with(Lookups.leavingOutIds(context));
    }
    boolean counts = request.countsSources() && creates && (alone || hasFewSources());
    return counts || marking.hasWindows() ? command.with(Image.marks(request, names)) : command;
  }

  private BsonValue hasRoom(Marking marking) {
    BsonValue from = Expressions.number(marking.scarceFrom());
    return op("$lt", GuardExpressions.sources(names), from);
  }

  private boolean hasFewSources() {
    return context.tracking().maxSources() <= FEW;
  }

  private static Command update(
      BsonDocument filter, UpdateOperators operators, NativeWrite own, boolean upsert) {
    UpdateOptions options = new UpdateOptions().upsert(upsert);
    if (!own.arrayFilters().isEmpty()) {
      options.arrayFilters(own.arrayFilters());
    }
    return Command.matching(new UpdateOneModel<>(filter, operators.render(), options));
  }

  /** {@code $max} stands for set-if-absent: it may meet only what is missing or no lower. */
  private static List<BsonDocument> floors(List<Operation> plan) {
    List<BsonDocument> tests = new ArrayList<>();
    for (Operation operation : plan) {
      if (operation instanceof Operation.AssignIfAbsent start
          && start.path().segments().size() > 1) {
        tests.add(Filters.missingOrAtLeast(start.path(), start.value()));
      }
    }
    return tests;
  }

  /** A delete that leaves nothing of the document that was read. */
  Command removal(Request<T> request, StoredDocument<T> over) {
    return Command.matching(new DeleteOneModel<>(unchanged(request.marking(), over.found())));
  }

  /** The write over a document that was read, unless another came since. */
  Command informed(Request<T> request, NativeWrite own, StoredDocument<T> over) {
    Marking marking = request.marking();
    Found<T> found = over.found();
    BsonDocument filter = found.exists() ? unchanged(marking, found) : absent(over);
    UpdateOperators operators = new UpdateOperators().own(own.operators());
    boolean live = found.state(names, marking.now()) == Found.State.LIVE;
    if (live && own.filter() != null) {
      filter.getArray("$and").add(own.filter());
    }
    if (live && over.nulls().isEmpty()) {
      operators.marks(
          known(found, marking.informed(marking.marks(found), request.rules().retired())));
    } else {
      wholeMarks(operators, found, new Documents<>(context).marks(request, found));
    }
    Command command = update(filter, operators, own, !found.exists());
    return request.rules().returns() ? command.with(Lookups.leavingOutIds(context)) : command;
  }

  /** The filter on the document as it was read. */
  BsonDocument unchanged(Marking marking, Found<?> found) {
    BsonDocument same =
        found.revision(names) == null
            ? new BsonDocument(names.revision(), BsonNull.VALUE)
            : Filters.guard(marking.unchangedSince(found));
    return context.keys().filter(marking.key(), List.of(same));
  }

  /** A filter that nothing matches, so that an upsert inserts or finds the key taken. */
  private BsonDocument absent(StoredDocument<T> over) {
    BsonDocument never = new BsonDocument("$in", new BsonArray());
    return context.keys().filter(over.key(), List.of(new BsonDocument(names.revision(), never)));
  }

  /**
   * Writes every field of marks whole: on a new document, and where what was read is in the way.
   */
  private void wholeMarks(UpdateOperators operators, Found<T> found, Map<String, Object> after) {
    BsonDocument marks = context.records().nested(after);
    marks.forEach((name, value) -> operators.put("$set", name, value));
    context.records().nested(found.marks()).keySet().stream()
        .filter(name -> !marks.containsKey(name))
        .forEach(name -> operators.put("$unset", name, new BsonString("")));
  }

  /** Marks that are set where they are missing, by a writer who knows whether they are. */
  private List<Operation> known(Found<T> found, List<Operation> marks) {
    BsonDocument read = context.records().nested(found.marks());
    List<Operation> known = new ArrayList<>();
    for (Operation operation : marks) {
      if (!(operation instanceof Operation.AssignIfAbsent start)) {
        known.add(operation);
      } else if (Values.at(read, start.path()) == null) {
        known.add(new Assign(start.path(), start.value()));
      }
    }
    return known;
  }

  /** Says in the document that its sources have to be counted. */
  Command flag(Marking marking) {
    Plan flag = marking.flag();
    List<BsonDocument> guard = List.of(Filters.guard(flag.guard()));
    return Command.matching(
        new UpdateOneModel<>(
            context.keys().filter(marking.key(), guard),
            new UpdateOperators().marks(flag.operations()).render()));
  }

  /** What the image after a write says. */
  Reply<T> reply(Request<T> request, @Nullable BsonDocument image) {
    if (image == null) {
      return new Reply.Refused<>(null, false);
    }
    Map<String, Object> marks = marks(image);
    BsonValue birth = image.get(names.birth(), BsonNull.VALUE);
    boolean created = request.marking().token().equals(Values.decode(birth));
    T entity = request.rules().returns() ? Lookups.entity(context, image) : null;
    int sources = request.countsSources() ? names.countSources(marks.keySet()) : -1;
    return new Reply.Accepted<>(created, entity, marks, sources);
  }

  /** None where a mark cannot be read: the message's own could, or the write had failed. */
  private Map<String, Object> marks(BsonDocument image) {
    try {
      return context.records().flat(image);
    } catch (CorruptRecordException e) {
      return Map.of();
    }
  }
}
