package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.all;
import static dev.tidemark.mongodb.Expressions.cond;
import static dev.tidemark.mongodb.Expressions.isNoMark;
import static dev.tidemark.mongodb.Expressions.literal;
import static dev.tidemark.mongodb.Expressions.number;
import static dev.tidemark.mongodb.Expressions.op;

import dev.tidemark.Message;
import dev.tidemark.Path;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.kernel.Names;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;

/** How many sources have marks in a document, as expressions. */
final class Sources {
  private Sources() {}

  /** The sources of messages, whatever their generation. */
  static Set<Source> of(List<Message> messages) {
    Set<Source> sources = new LinkedHashSet<>();
    for (Message message : messages) {
      if (message instanceof SourceEvent event) {
        sources.add(event.source().generation(0));
      }
    }
    return sources;
  }

  /** Whether a source has no mark yet. */
  static BsonValue isNew(Source source, Names names) {
    List<BsonValue> missing = new ArrayList<>();
    for (Names.Part part : List.of(Names.Part.FLOOR, Names.Part.SEEN, Names.Part.HORIZON)) {
      missing.add(isNoMark(Conditions.value(names.path(names.mark(source, part)))));
    }
    return all(missing);
  }

  /** How many sources have marks where this one has none yet; -1 elsewhere. */
  static BsonValue ifNew(Source source, Names names) {
    return cond(isNew(source, names), count(names), literal(number(-1)));
  }

  /** True where, with these sources, as many have marks as fit; nothing elsewhere. */
  static BsonValue flag(Collection<Source> sources, Names names, int limit) {
    BsonArray added = new BsonArray();
    sources.forEach(source -> added.add(cond(isNew(source, names), number(1), number(0))));
    BsonValue some = op("$gt", op("$add", added), number(0));
    BsonArray after = new BsonArray(List.of(count(names)));
    after.addAll(added);
    BsonValue last = op("$gte", op("$add", after), number(limit));
    BsonValue test = cond(some, last, literal(BsonBoolean.FALSE));
    return cond(test, literal(BsonBoolean.TRUE), Expressions.REMOVED);
  }

  /** The field that has the marks of all sources. */
  static String field(Names names) {
    return names.path(names.mark(Source.of("any", "any"), Names.Part.FLOOR)).segments().get(0);
  }

  /** How many sources have marks, whatever parts these have. */
  static BsonValue count(Names names) {
    BsonString events = Conditions.value(Path.of(field(names)));
    BsonValue source =
        op(
            "$arrayElemAt",
            op("$split", new BsonString("$$source.k"), new BsonString("#")),
            number(0));
    BsonDocument mapped =
        new BsonDocument("input", fields(new BsonString("$$this.v")))
            .append("as", new BsonString("source"))
            .append("in", source);
    BsonValue distinct =
        Expressions.size(op("$setUnion", op("$map", mapped), literal(new BsonArray())));
    return op(
        "$reduce",
        new BsonDocument("input", fields(events))
            .append("initialValue", number(0))
            .append("in", op("$add", new BsonString("$$value"), distinct)));
  }

  /** How many parts all marks have, of which each source has one or more; small and quick. */
  static BsonValue most(Names names) {
    BsonValue parts = Expressions.size(op("$objectToArray", new BsonString("$$this.v")));
    BsonValue types = op("$objectToArray", Conditions.value(Path.of(field(names))));
    return op("$sum", op("$map", new BsonDocument("input", types).append("in", parts)));
  }

  private static BsonValue fields(BsonValue document) {
    return op(
        "$objectToArray",
        cond(Expressions.typeIs(document, "object"), document, literal(new BsonDocument())));
  }
}
