package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.MongoExpressions.all;
import static dev.tidemark.mongodb.MongoExpressions.any;
import static dev.tidemark.mongodb.MongoExpressions.cond;
import static dev.tidemark.mongodb.MongoExpressions.filter;
import static dev.tidemark.mongodb.MongoExpressions.isArray;
import static dev.tidemark.mongodb.MongoExpressions.isNoMark;
import static dev.tidemark.mongodb.MongoExpressions.literal;
import static dev.tidemark.mongodb.MongoExpressions.not;
import static dev.tidemark.mongodb.MongoExpressions.number;
import static dev.tidemark.mongodb.MongoExpressions.op;

import dev.tidemark.Condition;
import dev.tidemark.Message;
import dev.tidemark.Path;
import dev.tidemark.SourceEvent;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.TrackedCall;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.codecs.configuration.CodecRegistry;

/**
 * The projection that answers all questions about a document and one message: whether the guard,
 * the caller's condition and the shape let a write pass, and the marks that judge. Ids are reduced
 * to those of the message, unless a writer has to rewrite them.
 */
final class MongoLook {
  static final String MARKS = "marks";
  static final String ACCEPTS = "accepts";
  static final String CONDITION = "condition";
  static final String UNMET = "unmet";
  static final String SOURCES = "sources";
  static final String RESULT = "_tidemark#look";
  static final String DOCUMENT = "_tidemark#document";
  static final String MARKS_OF_ID = "_tidemark#ids";

  private static final BsonString PASSES = new BsonString("$$passes");
  private static final BsonString KNOWN = new BsonString("$$known");

  private final Names names;
  private final MongoConditions conditions;
  private final Condition guard;
  private final Message message;
  private final List<Condition> remembered;
  private boolean after;

  MongoLook(TrackedCall call, Message message, Names names, CodecRegistry registry) {
    this.names = names;
    this.message = message;
    this.conditions = MongoConditions.ofMarks(registry);
    Condition ofMarks = call.blind(Set.of()).guard();
    this.guard = new Condition.And(List.of(ofMarks, call.live()));
    this.remembered = new ArrayList<>();
    collect(ofMarks, remembered);
  }

  /** The guard's questions whether an id is there: the same that tell a duplicate. */
  private static void collect(Condition condition, List<Condition> remembered) {
    if (condition instanceof Condition.And and) {
      and.all().forEach(part -> collect(part, remembered));
    } else if (condition instanceof Condition.Not not) {
      collect(not.condition(), remembered);
    } else if (condition instanceof Condition.Contains) {
      remembered.add(condition);
    }
  }

  /** The guard alone. */
  BsonValue guard() {
    return conditions.render(guard);
  }

  /** Fields of a projection that give the answers, and the document where it is asked for. */
  BsonDocument projection(BsonValue condition, BsonValue unmet, boolean document, boolean ids) {
    BsonDocument answers =
        new BsonDocument(ACCEPTS, PASSES)
            .append(CONDITION, condition)
            .append(UNMET, unmet)
            .append(SOURCES, others())
            .append(MARKS, marks());
    BsonDocument variables =
        new BsonDocument("passes", guard())
            .append("known", conditions.render(new Condition.Or(remembered)));
    BsonDocument projection =
        new BsonDocument("_id", new BsonInt32(1))
            .append(RESULT, op("$let", new BsonDocument("vars", variables).append("in", answers)));
    return document
        ? projection.append(DOCUMENT, ids ? MongoExpressions.ROOT : slim(names))
        : projection;
  }

  /** The document, without ids where the entity does not carry them. */
  static BsonValue document(MongoContext<?> context) {
    return context.mapping().carriesMarks() ? MongoExpressions.ROOT : slim(context.names());
  }

  private static BsonValue slim(Names names) {
    BsonValue slim = MongoExpressions.ROOT;
    for (int slot = 0; slot <= Names.CLOSED_SLOTS; slot++) {
      slim = MongoOperations.unset(names.ids(slot), slim);
    }
    return slim;
  }

  private BsonDocument marks() {
    BsonDocument marks = new BsonDocument();
    for (String name : List.of(names.revision(), names.birth(), names.tombstone(), names.full())) {
      marks.append(name, value(Path.of(name)));
    }
    if (message instanceof SourceEvent event) {
      return marksOf(event, marks);
    }
    BsonArray forms = new BsonArray();
    for (Condition condition : remembered) {
      Object id = ((Condition.Contains) condition).value();
      MongoValues.equals(MongoValues.mark(id)).forEach(forms::add);
    }
    for (int slot = 0; slot <= Names.CLOSED_SLOTS; slot++) {
      BsonValue ids = value(Path.of(names.ids(slot)));
      BsonValue ours = filter(ids, op("$in", MongoExpressions.THIS, literal(forms)));
      BsonValue reduced = any(List.of(PASSES, KNOWN));
      marks.append(names.ids(slot), cond(all(List.of(isArray(ids), reduced)), ours, ids));
    }
    return marks
        .append(names.since(), value(Path.of(names.since())))
        .append(names.closed(), value(Path.of(names.closed())));
  }

  /** All sources only where the guard refuses one more, and where they are no document. */
  private BsonDocument marksOf(SourceEvent event, BsonDocument marks) {
    Path floor = names.path(names.mark(event.source(), Names.Part.FLOOR));
    BsonDocument parts = new BsonDocument();
    for (Names.Part part : Names.Part.values()) {
      Path path = names.path(names.mark(event.source(), part));
      parts.append(path.segments().get(2), value(path));
    }
    BsonString type = value(new Path(floor.segments().subList(0, 2)));
    BsonString events = value(Path.of(floor.segments().get(0)));
    BsonValue ofSource =
        new BsonDocument(floor.segments().get(1), cond(isDocumentOrMissing(type), parts, type));
    BsonValue full = not(isNoMark(value(Path.of(names.full()))));
    BsonValue whole =
        any(List.of(not(isDocumentOrMissing(events)), all(List.of(not(PASSES), full))));
    return marks.append(floor.segments().get(0), cond(whole, events, ofSource));
  }

  private static BsonValue isDocumentOrMissing(BsonValue value) {
    return any(
        List.of(MongoExpressions.isMissing(value), MongoExpressions.typeIs(value, "object")));
  }

  private static BsonString value(Path path) {
    return MongoConditions.value(path);
  }

  /** Whether the message's source has no mark yet. */
  private BsonValue isNewSource() {
    return message instanceof SourceEvent event
        ? MongoSources.isNew(event.source(), names)
        : BsonBoolean.FALSE;
  }

  /** The same look at an image after the write, which has the message's source among the others. */
  MongoLook after() {
    after = true;
    return this;
  }

  /** How many other sources have marks; -1 where that is of no interest. */
  private BsonValue others() {
    BsonValue open = isNoMark(value(Path.of(names.full())));
    return after && message instanceof SourceEvent
        ? cond(open, op("$subtract", sources(), number(1)), literal(number(-1)))
        : cond(isNewSource(), sources(), literal(number(-1)));
  }

  private BsonValue sources() {
    return message instanceof SourceEvent ? MongoSources.count(names) : literal(number(0));
  }
}
