package dev.tidemark.mongodb;

import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.Operation;
import dev.tidemark.Operation.Assign;
import dev.tidemark.Position;
import dev.tidemark.SourceEvent;
import dev.tidemark.kernel.Effect;
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
 * Requests as update operators, with the guard in the filter: a caller's own operators, deletes
 * that leave nothing, and all requests to servers without pipeline updates. A filter that matches
 * nothing does not tell why.
 */
final class Operators<T> {
  private final Context<T> context;
  private final Names names;
  private final boolean pipelines;

  Operators(Context<T> context) {
    this.context = context;
    this.names = context.names();
    this.pipelines = context.transport().evaluates();
  }

  private static @Nullable NativeWrite own(Request<?> request) {
    return request.effect() instanceof Effect.Own<?> own ? (NativeWrite) own.update() : null;
  }

  /** The write of who has not read; null where operators cannot say it. */
  @Nullable Command blind(Request<T> request) {
    Marking marking = request.marking();
    Change change = Pipelines.change(request);
    NativeWrite own = own(request);
    boolean delete = request.effect() instanceof Effect.Tombstone;
    if (delete || !UpdateOperators.canSay(change.operations()) || !comparesExactly(marking)) {
      return null;
    }
    Plan plan = marking.blind(request.rules().retired());
    List<BsonDocument> further = new ArrayList<>(floors(plan.operations()));
    further.addAll(tests(change, own));
    Condition guard = plan.guard().and(marking.live());
    if (!pipelines) {
      further.add(new Filters(context.registry()).render(guard));
    }
    BsonDocument filter = context.keys().filter(marking.key(), further);
    if (pipelines) {
      Filters.guard(context, guard).forEach((name, test) -> Filters.merge(filter, name, test));
    }
    UpdateOperators operators = operators(change, own).marks(plan.operations());
    boolean creates = Pipelines.createsBlindly(context, request);
    if (creates) {
      operators.onInsert(names.birth(), Values.mark(marking.token()));
    }
    Command command = update(filter, operators, own, creates);
    if (request.rules().returns() || !pipelines) {
      return command.with(pipelines ? Lookups.leavingOutIds(context) : null);
    }
    return setsItsMark(marking) && request.rules().retired().isEmpty()
        ? command
        : command.with(Image.marks(marking.messages().get(0), names));
  }

  /** Whether the mark after the write is the message's own position, or there is none to tell. */
  private boolean setsItsMark(Marking marking) {
    if (!(marking.messages().get(0) instanceof SourceEvent event)) {
      return true;
    }
    EventPolicy.Kind kind = context.tracking().events(event.source().type()).kind();
    return kind == EventPolicy.Kind.DROP_LATE || kind == EventPolicy.Kind.CONTIGUOUS;
  }

  /**
   * Whether the server's filters compare the message's position exactly: MongoDB's do, those of
   * servers without pipelines as far as a double reaches.
   */
  private boolean comparesExactly(Marking marking) {
    return pipelines || marking.messages().stream().allMatch(Operators::isShort);
  }

  private static boolean isShort(Message message) {
    return !(message instanceof SourceEvent event)
        || !(event.position() instanceof Position.Numeric number)
        || number.value().bitLength() <= 53;
  }

  private List<BsonDocument> tests(Change change, @Nullable NativeWrite own) {
    if (own != null) {
      return own.filter() == null ? List.of() : List.of(own.filter());
    }
    List<BsonDocument> tests = new ArrayList<>(Filters.shapes(change.operations(), context));
    change.condition().map(new Filters(context.registry())::render).ifPresent(tests::add);
    return tests;
  }

  private UpdateOperators operators(Change change, @Nullable NativeWrite own) {
    UpdateOperators operators = new UpdateOperators(context.registry());
    return own != null
        ? operators.nativeUpdate(own.operators())
        : operators.change(change.operations());
  }

  private static Command update(
      BsonDocument filter, UpdateOperators operators, @Nullable NativeWrite own, boolean upsert) {
    UpdateOptions options = new UpdateOptions().upsert(upsert);
    if (own != null && !own.arrayFilters().isEmpty()) {
      options.arrayFilters(own.arrayFilters());
    }
    return Command.matching(new UpdateOneModel<>(filter, operators.render(), options));
  }

  /** A floor is only ever raised blindly where it is missing. */
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

  /** The write over a document that was read, unless another came since. */
  Command informed(Request<T> request, StoredDocument<T> over) {
    Marking marking = request.marking();
    Found<T> found = over.found();
    BsonDocument unchanged = unchanged(marking, found);
    if (request.effect() instanceof Effect.Removal) {
      return Command.matching(new DeleteOneModel<>(unchanged));
    }
    Found.State state = found.state(names, marking.now());
    NativeWrite own = own(request);
    if (own != null && state == Found.State.ABSENT) {
      return created(request, own, found, unchanged);
    }
    if (request.effect() instanceof Effect.Tombstone || state == Found.State.ABSENT) {
      return replaced(request, over, unchanged);
    }
    Change change = Pipelines.change(request);
    boolean revives = state == Found.State.DELETED && !(request.effect() instanceof Effect.Nothing);
    if (own == null && !revives && !comparesExactly(marking)) {
      return replaced(request, over, unchanged);
    }
    List<BsonDocument> tests = new ArrayList<>();
    UpdateOperators operators = new UpdateOperators(context.registry());
    if (own != null) {
      operators.nativeUpdate(own.operators());
    } else {
      operators.change(operations(request, over, tests));
    }
    if (!revives) {
      tests.addAll(tests(change, own));
    }
    operators.marks(
        known(found, marking.informed(marking.marks(found), request.rules().retired())));
    if (revives) {
      operators.unset(names.tombstone()).set(names.birth(), Values.mark(marking.token()));
    }
    if (!tests.isEmpty()) {
      unchanged.getArray("$and").addAll(tests);
    }
    Command command = update(unchanged, operators, own, false);
    return request.rules().returns()
        ? command.with(pipelines ? Lookups.leavingOutIds(context) : null)
        : command;
  }

  /** The filter on the document as it was read. */
  private BsonDocument unchanged(Marking marking, Found<?> found) {
    BsonDocument same =
        found.revision(names) == null
            ? new BsonDocument(names.revision(), BsonNull.VALUE)
            : new Filters(context.registry()).render(marking.unchangedSince(found));
    boolean deleted = found.marks().containsKey(names.tombstone());
    BsonValue none = BsonNull.VALUE;
    BsonValue state = deleted ? new BsonDocument("$ne", none) : none;
    return context
        .keys()
        .filter(marking.key(), List.of(same, new BsonDocument(names.tombstone(), state)));
  }

  /** The caller's operators on a new document, or in place of a tombstone past its expiry. */
  private Command created(
      Request<T> request, NativeWrite own, Found<T> found, BsonDocument unchanged) {
    UpdateOperators operators = operators(Pipelines.change(request), own);
    BsonDocument marks = context.records().nested(Pipelines.newMarks(names, request));
    marks.forEach(operators::set);
    found.marks().keySet().stream()
        .map(name -> names.path(name).segments().get(0))
        .distinct()
        .filter(name -> !marks.containsKey(name))
        .forEach(operators::unset);
    BsonDocument never =
        new BsonDocument(names.revision(), new BsonDocument("$in", new BsonArray()));
    BsonDocument filter =
        found.exists() ? unchanged : context.keys().filter(request.marking().key(), List.of(never));
    Command command = update(filter, operators, own, !found.exists());
    return request.rules().returns() ? command.with(Lookups.leavingOutIds(context)) : command;
  }

  /** The whole document: new, a tombstone, or one whose marks the server's operators take wrong. */
  private Command replaced(Request<T> request, StoredDocument<T> over, BsonDocument unchanged) {
    Marking marking = request.marking();
    Found<T> found = over.found();
    BsonDocument document;
    if (found.state(names, marking.now()) == Found.State.ABSENT) {
      document = new Pipelines<>(context).created(request);
    } else if (request.effect() instanceof Effect.Tombstone) {
      document = context.keys().document(marking.key());
      document.putAll(context.records().nested(marking.tombstone(marking.marks(found))));
    } else {
      document = changed(request, over);
    }
    return found.exists()
        ? Command.matching(new ReplaceOneModel<>(unchanged, document))
        : Command.raising(new InsertOneModel<>(document));
  }

  private BsonDocument changed(Request<T> request, StoredDocument<T> over) {
    List<BsonDocument> unused = new ArrayList<>();
    List<Operation> operations = operations(request, over, unused);
    BsonDocument document =
        new ReadChange(context).applied(operations, context.records().withoutMarks(over.read()));
    Marking marking = request.marking();
    document.putAll(context.records().nested(marking.marksWritten(marking.marks(over.found()))));
    return document;
  }

  /** What changes of the entity; what operators cannot say is set, if nothing changed. */
  private List<Operation> operations(
      Request<T> request, StoredDocument<T> over, List<BsonDocument> tests) {
    if (request.effect() instanceof Effect.Called<T> called) {
      return Pipelines.functions(called).difference();
    }
    Change change = Pipelines.change(request);
    ReadChange read = new ReadChange(context);
    if (over.found().marks().containsKey(names.tombstone())) {
      return read.assigned(change.operations());
    }
    read.requireFit(change.operations(), over.read());
    return read.resolved(change.operations(), over.read(), tests);
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

  /** Drops nulls that stand for marks: they mean nothing, but operators stumble over them. */
  Command withoutNulls(Marking marking, StoredDocument<T> over) {
    BsonDocument filter = context.keys().document(marking.key()).clone();
    BsonDocument unset = new BsonDocument();
    for (String path : over.nulls()) {
      filter.append(path, BsonNull.VALUE);
      unset.append(path, new BsonString(""));
    }
    return Command.matching(new UpdateOneModel<>(filter, new BsonDocument("$unset", unset)));
  }

  /** Says in the document that further sources have to be counted. */
  Command flag(Marking marking) {
    UpdateOperators flag = new UpdateOperators(context.registry());
    flag.set(names.full(), Values.mark(true));
    return Command.matching(
        new UpdateOneModel<>(context.keys().document(marking.key()), flag.render()));
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
    int sources = pipelines ? -1 : names.countSources(marks.keySet());
    return new Reply.Accepted<>(created, entity, marks, sources, marks.containsKey(names.full()));
  }

  /** None where others cannot be read: the write was made over those that its message concerns. */
  private Map<String, Object> marks(BsonDocument image) {
    try {
      return context.records().flat(image);
    } catch (CorruptRecordException e) {
      return Map.of();
    }
  }
}
