package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.all;
import static dev.tidemark.mongodb.Expressions.any;
import static dev.tidemark.mongodb.Expressions.cond;
import static dev.tidemark.mongodb.Expressions.isNoMark;
import static dev.tidemark.mongodb.Expressions.literal;
import static dev.tidemark.mongodb.Expressions.not;
import static dev.tidemark.mongodb.Expressions.op;

import com.mongodb.client.model.InsertOneModel;
import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.Tracking.AttributeNames;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.kernel.Plan;
import dev.tidemark.kernel.Request;
import dev.tidemark.kernel.Requirement;
import dev.tidemark.kernel.Revision;
import dev.tidemark.kernel.Transition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonRegularExpression;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Portable requests as pipeline updates: one {@code $cond} around the whole document, so that
 * nothing is touched where the guard, the caller's rule or the shape of what is stored says no. It
 * raises an error then, which a bulk names by its statement; or the image after the write tells.
 */
final class Pipelines<T> {
  private final Context<T> context;
  private final Names names;

  Pipelines(Context<T> context) {
    this.context = context;
    this.names = context.names();
  }

  /**
   * The write of who has not read. If it stands alone, its error tells what refused it, or an image
   * does; it upserts where it may create. In a bulk it always upserts: where there is no document,
   * the guard then raises its error, by which the reply names the write.
   */
  Command blind(Request<T> request, boolean alone) {
    Marking marking = request.marking();
    BsonDocument id = context.mapping().key(marking.key());
    boolean deletes = request.effect() instanceof Effect.Tombstone;
    Requirement required = Requirement.of(request);
    Plan plan = required.marks();
    boolean creates = createsBlindly(context, request);
    boolean single = alone && marking.messages().size() == 1;
    boolean tells = single && Refusals.canTell(request, context) && !context.transport().measures();
    BsonValue rule = change(request).condition().map(this::render).orElse(null);
    Operations operations = new Operations(context);
    BsonValue shape = operations.shape(change(request).operations());
    List<BsonValue> tests = guards(required, plan, marking, creates ? isNew(id) : null);
    tests.addAll(rule == null ? List.of(shape) : List.of(rule, shape));
    BsonValue refused = Refusals.raised();
    if (tells) {
      refused = Refusals.telling(request, names, rule);
    } else if (single) {
      refused = creates ? cond(isNew(id), refused, Expressions.ROOT) : Expressions.ROOT;
    }
    BsonValue after =
        deletes ? tombstone(marking, plan.operations()) : after(request, plan, operations, creates);
    List<BsonDocument> stages =
        stages(request, cond(all(tests), after, refused), plan.operations());
    boolean upserts = creates || !single;
    Command command = Command.pipeline(id, stages, upserts);
    return single && !tells
        ? command.with(
            context.transport().measuring(new Image<>(context, request).projection(), names))
        : command;
  }

  /** That the document is open to a blind write, or new, and that its marks let the messages in. */
  private List<BsonValue> guards(
      Requirement required, Plan plan, Marking marking, @Nullable BsonValue isNew) {
    Conditions guards = new Conditions(context, marking.messages());
    BsonValue isLive = isNoMark(Expressions.value(Path.of(names.tombstone())));
    BsonValue open = all(List.of(guards.render(required.open()), isLive));
    BsonValue isOpen = isNew == null ? open : any(List.of(isNew, open));
    return new ArrayList<>(List.of(isOpen, guards.guard(plan.guard())));
  }

  private BsonValue after(Request<T> request, Plan plan, Operations operations, boolean creates) {
    operations.change(change(request).operations()).marks(plan.operations());
    if (creates) {
      Marking marking = request.marking();
      BsonValue token = literal(Values.mark(marking.token()));
      BsonDocument id = context.mapping().key(marking.key());
      operations.set(names.birth(), cond(isNew(id), token, Expressions.REMOVED));
    }
    return operations.render();
  }

  /**
   * The document, and where sources are to be counted, the form of its revision after that: text on
   * a tombstone, however few they are.
   */
  private List<BsonDocument> stages(Request<T> request, BsonValue replaced, List<Operation> marks) {
    BsonDocument replace = new BsonDocument("$replaceWith", replaced);
    Marking marking = request.marking();
    String many = marking.sources().flagged();
    Object written = Revision.in(marks);
    boolean bytes = written.equals(marking.token());
    boolean kept = request.over() != null && request.over().isPartial() && written.equals(many);
    if (!(bytes && request.countsSources()) && !kept) {
      return List.of(replace);
    }
    BsonValue revision = Expressions.value(Path.of(names.revision()));
    BsonValue from = new BsonInt32(marking.sources().scarceFrom());
    BsonValue few =
        cond(
            isNoMark(Expressions.value(Path.of(names.tombstone()))),
            literal(Values.mark(marking.token())),
            literal(Values.mark(marking.buried())));
    BsonValue counted =
        cond(op("$gte", Conditions.sources(names), from), literal(Values.mark(many)), few);
    BsonValue ours = op("$eq", revision, literal(Values.mark(written)));
    BsonDocument form = new BsonDocument(names.revision(), cond(ours, counted, revision));
    return List.of(replace, new BsonDocument("$set", form));
  }

  /** What a request changes by portable operations; nothing if it has none. */
  static Change change(Request<?> request) {
    return request.effect() instanceof Effect.Changes<?> changes
        ? changes.change()
        : Change.change();
  }

  /**
   * Whether a blind write may create the document: only where nothing but a race can refuse it. A
   * document that an upsert is about to insert has its key, so a rule about that is not asked then.
   */
  static boolean createsBlindly(Context<?> context, Request<?> request) {
    BsonDocument id = context.mapping().key(request.marking().key());
    return Requirement.of(request).makesEntity()
        && change(request)
            .condition()
            .map(rule -> !Conditions.touches(rule, id.keySet()))
            .orElse(true);
  }

  private BsonValue render(Condition rule) {
    return new Conditions(context.mapping().values()).render(rule);
  }

  /** Key and marks of all subscribers, with the messages recorded and the expiry. */
  private BsonValue tombstone(Marking marking, List<Operation> marks) {
    BsonArray kept = new BsonArray();
    new TreeSet<>(context.mapping().key(marking.key()).keySet())
        .forEach(name -> kept.add(new BsonString(name)));
    kept.add(new BsonString(names.revision()));
    BsonValue name = new BsonString("$$this.k");
    BsonDocument pattern = new BsonDocument("regex", new BsonRegularExpression(ofMarks()));
    BsonValue isMark = op("$regexMatch", pattern.append("input", name));
    BsonValue base = Operations.only(any(List.of(op("$in", name, literal(kept)), isMark)));
    Instant until = marking.now().plus(context.tracking().tombstonesKeptFor());
    return new Operations(context)
        .marks(marks)
        .set(names.tombstone(), expiry(until.getEpochSecond()))
        .render(base);
  }

  /** So late that no index collects messages that wait. */
  private BsonValue expiry(long seconds) {
    BsonValue keeps =
        any(
            List.of(
                Expressions.isArray(Expressions.value(Path.of(names.outbox()))),
                Expressions.isArray(Expressions.value(Path.of(names.outboxParked())))));
    return cond(
        keeps,
        literal(MarkFields.expiry(seconds + Outbox.WAITING)),
        literal(MarkFields.expiry(seconds)));
  }

  private String ofMarks() {
    AttributeNames all = context.tracking().names();
    return "^(?:"
        + Pattern.quote(all.messageIds())
        + "|"
        + Pattern.quote(all.events())
        + "|"
        + Pattern.quote(all.outbox())
        + ")(?:[@#.]|$)";
  }

  /**
   * The write over a document that was read, unless another came since.
   *
   * @param evaluated whether the change is made as the kernel evaluates it over what was read
   */
  Command informed(Request<T> request, StoredDocument<T> over, boolean evaluated) {
    Marking marking = request.marking();
    Transition transition = Transition.of(request);
    if (transition.replaces()) {
      BsonDocument document = new Documents<>(context).created(request, transition, over);
      return over.found().exists()
          ? update(request, over, unchanged(marking, over), literal(document), List.of())
          : Command.raising(new InsertOneModel<>(document));
    }
    Change change = change(request);
    List<BsonValue> tests = unchanged(marking, over);
    List<Operation> marks = transition.changes();
    if (transition.kind() == Transition.Kind.BURIES) {
      return update(request, over, tests, tombstone(marking, marks), marks);
    }
    List<Operation> operations = change.operations();
    BsonDocument document = transition.isOfLive() ? over.document() : new BsonDocument();
    if (request.effect() instanceof Effect.Called<T> called) {
      operations = StoredDocument.functions(called).difference();
    } else if (request.effect() instanceof Effect.Changes && document != null) {
      BsonDocument after = new Documents<>(context).applied(operations, document);
      BsonDocument id = context.mapping().key(marking.key());
      operations = evaluated ? StoredDocument.difference(document, after, id) : operations;
    }
    if (transition.isOfLive() && !evaluated) {
      change.condition().map(this::render).ifPresent(tests::add);
      tests.add(new Operations(context).shape(change.operations()));
    }
    BsonValue after = new Operations(context).change(operations).marks(marks).render();
    Command command = update(request, over, tests, after, marks);
    return request.rules().returns() ? command.with(Lookups.projection(context)) : command;
  }

  /** Where there is but the key, an upsert would not tell the document from one that it makes. */
  private Command update(
      Request<T> request,
      StoredDocument<T> over,
      List<BsonValue> tests,
      BsonValue after,
      List<Operation> marks) {
    boolean bare = isBare(over);
    List<BsonDocument> stages = stages(request, cond(all(tests), after, Refusals.raised()), marks);
    return Command.pipeline(context.mapping().key(over.key()), stages, !bare);
  }

  private boolean isBare(StoredDocument<T> over) {
    BsonDocument document = over.document();
    return document != null
        && over.found().marks().isEmpty()
        && document.size() == context.mapping().key(over.key()).size();
  }

  /** That the document is there as it was read. */
  private List<BsonValue> unchanged(Marking marking, StoredDocument<T> over) {
    Found<T> found = over.found();
    Conditions guards = new Conditions(context, List.of());
    List<BsonValue> tests = new ArrayList<>();
    if (found.revision(names) == null && !isBare(over)) {
      tests.add(not(isNew(context.mapping().key(marking.key()))));
    }
    tests.add(guards.render(marking.unchangedSince(found)));
    return tests;
  }

  /** Whether a document is one that an upsert is about to insert: it has its key alone. */
  static BsonValue isNew(BsonDocument id) {
    BsonValue fields = op("$objectToArray", Expressions.ROOT);
    return op("$eq", op("$size", fields), literal(new BsonInt32(id.size())));
  }
}
