package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.op;

import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Plan;
import dev.tidemark.kernel.Reply;
import dev.tidemark.kernel.Request;
import dev.tidemark.kernel.Requirement;
import dev.tidemark.kernel.Transition;
import dev.tidemark.mongodb.MongoNativeUpdate.NativeWrite;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Requests with the guard in the filter: a caller's own operators, and deletes that leave nothing.
 * A filter that matches nothing does not tell why.
 */
final class Operators<T> {
  private final Context<T> context;
  private final Names names;

  Operators(Context<T> context) {
    this.context = context;
    this.names = context.names();
  }

  /**
   * The write of who has not read. Where sources are to be counted, the filter does so, which that
   * of an upsert cannot: then the image tells. In a bulk, which brings no image, such an upsert
   * brings no source to a document that is there; it meets the key then, and who has read counts.
   */
  Command blind(Request<T> request, NativeWrite own, boolean alone) {
    Marking marking = request.marking();
    boolean may = Pipelines.createsBlindly(context, request);
    Requirement required = Requirement.of(request, may && !alone);
    boolean creates = may && required.passesAbsent();
    Plan plan = required.marks();
    List<BsonDocument> further = new ArrayList<>(startsOrHigher(plan.operations()));
    further.add(new BsonDocument(names.tombstone(), op("$exists", BsonBoolean.FALSE)));
    further.addAll(parts(own));
    if (own.filter() != null) {
      further.add(own.filter());
    }
    if (request.countsSources() && !creates) {
      further.add(fewOrKnown(marking));
    }
    BsonDocument filter = context.mapping().filter(marking.key(), further);
    Filters.guard(required.open().and(plan.guard()))
        .forEach((name, test) -> Filters.merge(filter, name, test));
    MarkOperators operators =
        new MarkOperators(context, own.operators()).blindly(plan.operations());
    if (creates) {
      operators.put("$setOnInsert", names.birth(), Values.mark(marking.token()));
    }
    Command command = update(filter, operators.render(), own, creates);
    if (request.rules().returns()) {
      return command.with(Lookups.projection(context));
    }
    boolean counts = request.countsSources() && creates;
    return counts || marking.hasWindows() ? command.with(Image.marks(request, names)) : command;
  }

  /** That no source comes which leaves an entity with many: who has read tells it so. */
  private BsonDocument fewOrKnown(Marking marking) {
    BsonValue from = new BsonInt32(marking.sources().scarceFrom() - 1);
    BsonDocument few = op("$expr", op("$lt", Conditions.sources(names), from));
    return op("$or", new BsonArray(List.of(Filters.guard(marking.sources().known()), few)));
  }

  private static Command update(
      BsonDocument filter, BsonDocument operators, NativeWrite own, boolean upsert) {
    UpdateOptions options = new UpdateOptions().upsert(upsert);
    if (!own.arrayFilters().isEmpty()) {
      options.arrayFilters(own.arrayFilters());
    }
    return Command.matching(new UpdateOneModel<>(filter, operators, options));
  }

  /** {@code $max} stands for set-if-absent: it may meet only what is missing or no lower. */
  private List<BsonDocument> startsOrHigher(List<Operation> plan) {
    List<BsonDocument> tests = new ArrayList<>();
    for (Operation operation : plan) {
      if (operation.kind() == Operation.Kind.ASSIGN_IF_ABSENT
          && !operation.path().segments().equals(List.of(names.since()))) {
        tests.add(Filters.missingOrAtLeast(operation.path(), operation.value()));
      }
    }
    return tests;
  }

  /** A delete that leaves nothing of the document that was read. */
  Command removal(Request<T> request, StoredDocument<T> over) {
    return Command.matching(new DeleteOneModel<>(unchanged(request.marking(), over.found())));
  }

  /**
   * The write over a document that was read, unless another came since.
   *
   * @return null if what it has to take away was not read
   */
  @Nullable Command informed(Request<T> request, NativeWrite own, StoredDocument<T> over) {
    Marking marking = request.marking();
    Found<T> found = over.found();
    BsonDocument filter = found.exists() ? unchanged(marking, found) : absent(over);
    Transition transition = Transition.of(request);
    boolean live = transition.isOfLive();
    if (live) {
      requireParts(own, over.document());
      filter.getArray("$and").addAll(parts(own));
    }
    if (live && own.filter() != null) {
      filter.getArray("$and").add(own.filter());
    }
    MarkOperators operators = new MarkOperators(context, live ? own.operators() : own.creating());
    if (transition.replaces()) {
      Set<String> fields = over.fields();
      if (fields == null) {
        return null;
      }
      operators.anew(transition.all(), fields);
    } else {
      operators.over(over.marks(), transition.changes());
    }
    Command command = update(filter, operators.render(), own, !found.exists());
    return request.rules().returns() ? command.with(Lookups.projection(context)) : command;
  }

  /** That the documents are there which the operators must not make. */
  private static List<BsonDocument> parts(NativeWrite own) {
    return own.parts().stream()
        .map(part -> new BsonDocument(Filters.dotted(part), op("$type", new BsonString("object"))))
        .toList();
  }

  private static void requireParts(NativeWrite own, @Nullable BsonDocument read) {
    for (Path part : own.parts()) {
      BsonValue found = read == null ? new BsonDocument() : Values.at(read, part);
      if (found == null || !found.isDocument()) {
        throw new InvalidChangeException(
            "'"
                + part
                + "' is no document, and its class could not read what the operators would make of"
                + " it; set all of its primitive components, or the name of its class",
            null,
            null);
      }
    }
  }

  /** The filter on the document as it was read. */
  private BsonDocument unchanged(Marking marking, Found<?> found) {
    BsonDocument same =
        found.revision(names) == null
            ? new BsonDocument(names.revision(), BsonNull.VALUE)
            : Filters.guard(marking.unchangedSince(found));
    return context.mapping().filter(marking.key(), List.of(same));
  }

  /** A filter that nothing matches, so that an upsert inserts or finds the key taken. */
  private BsonDocument absent(StoredDocument<T> over) {
    BsonDocument never = new BsonDocument("$in", new BsonArray());
    return context.mapping().filter(over.key(), List.of(new BsonDocument(names.revision(), never)));
  }

  /** Says in the document that its sources have to be counted. */
  Command flag(Marking marking) {
    Plan flag = marking.sources().flag();
    List<BsonDocument> guard = List.of(Filters.guard(flag.guard()));
    return Command.matching(
        new UpdateOneModel<>(
            context.mapping().filter(marking.key(), guard),
            new MarkOperators(context, new BsonDocument()).blindly(flag.operations()).render()));
  }

  /** What the image after a write says. */
  Reply<T> reply(Request<T> request, @Nullable BsonDocument image) {
    if (image == null) {
      return new Reply.Refused<>(null, null);
    }
    Map<String, Object> marks = marks(image);
    BsonValue birth = image.get(names.birth(), BsonNull.VALUE);
    boolean created = request.marking().token().equals(Values.decode(birth));
    T entity = request.rules().returns() ? context.mapping().liveIfMapped(image) : null;
    int sources = request.countsSources() ? names.countSources(marks.keySet()) : -1;
    return new Reply.Accepted<>(created, entity, marks, sources);
  }

  /** None where a mark cannot be read: the message's own could, or the write had failed. */
  private Map<String, Object> marks(BsonDocument image) {
    try {
      return context.markFields().flat(image);
    } catch (CorruptRecordException e) {
      return Map.of();
    }
  }
}
