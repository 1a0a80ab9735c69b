package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.cond;
import static dev.tidemark.mongodb.Expressions.op;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoWriteException;
import dev.tidemark.EventPolicy;
import dev.tidemark.SourceEvent;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Reply;
import dev.tidemark.kernel.Request;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * The error by which a pipeline refuses a write. Its text tells what refused a message of a source
 * whose late events are dropped: a mark, a tombstone or the caller's rule. An image after the write
 * would tell it too, but costs a server a third more, also where the write is made.
 */
final class Refusals {
  private static final int CONVERSION_FAILURE = 241;
  private static final BsonString NOTHING = new BsonString("");
  private static final BsonString UNCLEAR = new BsonString("?");
  private static final BsonString SEPARATOR = new BsonString("|");

  private static final Pattern NUMBER = Pattern.compile("-?\\d{1,18}");

  /** No text that anybody stores can be it, so no other error can look like a refusal. */
  private static final String TEXT =
      "tidemark refuses " + Long.toHexString(UUID.randomUUID().getMostSignificantBits());

  private static final BsonValue SILENT = raised(new BsonArray());

  private Refusals() {}

  /**
   * An expression that is an error wherever it is evaluated. It depends on the document, by the
   * type of the key alone: servers evaluate what is constant once and for all, and would refuse
   * everything.
   */
  static BsonValue raised() {
    return SILENT;
  }

  private static BsonValue raised(BsonArray told) {
    BsonArray text = new BsonArray(List.of(new BsonString(TEXT), type("_id")));
    text.addAll(told);
    text.add(new BsonString(TEXT));
    return op("$toInt", op("$concat", text));
  }

  private static BsonValue type(String path) {
    return op("$type", new BsonString("$" + path));
  }

  /** A value as another type; what is no such value is told by its type. */
  private static BsonValue converted(BsonValue value, String type) {
    return op(
        "$convert",
        new BsonDocument("input", value)
            .append("to", new BsonString(type))
            .append("onError", UNCLEAR)
            .append("onNull", NOTHING));
  }

  /** Whether the text of an error can tell what refused a blind write. */
  static boolean canTell(Request<?> request, Context<?> context) {
    List<?> messages = request.marking().messages();
    return request.effect() instanceof Effect.Changes
        && messages.size() == 1
        && messages.get(0) instanceof SourceEvent event
        && event.source().generation() == 0
        && context.tracking().events(event.source().type()).kind() == EventPolicy.Kind.DROP_LATE
        && !request.rules().returns()
        && !request.rules().revives()
        && !request.rules().skipsOtherwise();
  }

  /**
   * The error with a text that tells the types of the revision and of the mark's parts, the expiry,
   * whether the caller's rule is true, and the mark.
   */
  static BsonValue telling(Request<?> request, Names names, @Nullable BsonValue rule) {
    List<String> parts = parts(request, names);
    BsonArray told = new BsonArray();
    told.addAll(List.of(SEPARATOR, type(names.revision())));
    parts.forEach(part -> told.addAll(List.of(SEPARATOR, type(part))));
    BsonValue expiry = converted(new BsonString("$" + names.tombstone()), "long");
    told.addAll(List.of(SEPARATOR, converted(expiry, "string")));
    told.addAll(
        List.of(SEPARATOR, rule == null ? NOTHING : cond(rule, NOTHING, new BsonString("no"))));
    told.addAll(List.of(SEPARATOR, converted(new BsonString("$" + parts.get(0)), "string")));
    return raised(told);
  }

  /** Where the parts of the message's mark are stored, the position first. */
  private static List<String> parts(Request<?> request, Names names) {
    SourceEvent event = (SourceEvent) request.marking().messages().get(0);
    return names.marks(event.source()).stream()
        .map(name -> Filters.dotted(names.path(name)))
        .toList();
  }

  /** What the error of a blind write says; that it has to be read, where it says too little. */
  static <T> Reply<T> reply(Context<T> context, Request<T> request, RuntimeException e) {
    String text = e instanceof MongoException failure ? text(failure) : "";
    int start = text.indexOf(TEXT) + TEXT.length();
    int end = text.indexOf(TEXT, start);
    if (end < start || !canTell(request, context)) {
      return new Reply.Refused<>(null, false);
    }
    List<String> parts = parts(request, context.names());
    String[] told = text.substring(start, end).split("\\|", parts.size() + 5);
    boolean whole = told.length == parts.size() + 5;
    boolean plain = whole && Set.of("binData", "string", "missing", "null").contains(told[1]);
    for (int part = 3; plain && part < parts.size() + 2; part++) {
      plain = told[part].equals("missing");
    }
    return plain ? reply(context, request, parts.get(0), told) : new Reply.Refused<>(null, false);
  }

  private static <T> Reply<T> reply(
      Context<T> context, Request<T> request, String name, String[] told) {
    Map<String, Object> marks = new LinkedHashMap<>();
    Object mark = mark(told[2], told[told.length - 1]);
    if (mark != null) {
      marks.put(name, mark);
    }
    String expiry = told[told.length - 3];
    boolean deleted = NUMBER.matcher(expiry).matches();
    if (deleted) {
      marks.put(context.names().tombstone(), Math.floorDiv(Long.parseLong(expiry), 1000L));
    }
    Marking marking = request.marking();
    Found<T> found = new Found<>(true, marks, null);
    boolean passes = told[told.length - 2].isEmpty();
    boolean clear =
        found.state(context.names(), marking.now()) != Found.State.ABSENT
            && (deleted || (expiry.isEmpty() && !told[1].equals("string")))
            && (mark != null || told[2].equals("missing"))
            && (deleted || !passes || !marking.acceptsBlindly(marks)); // else the shape, perhaps
    StoredDocument<T> stored =
        new StoredDocument<>(context, marking.key(), found, null, true, passes, List.of());
    return new Reply.Refused<>(clear ? stored : null, clear && !deleted && !passes);
  }

  private static @Nullable Object mark(String type, String text) {
    return switch (type) {
      case "int", "long" -> Long.valueOf(text);
      case "decimal" -> new BigDecimal(text);
      case "string" -> text;
      default -> null;
    };
  }

  /**
   * Whether an error is that of a guard. Servers leave out texts where many errors come in one
   * reply; no other expression of a tracked write converts anything that is there.
   */
  static boolean isRefusal(MongoException e) {
    String text = text(e);
    return text.contains(TEXT) || (text.isEmpty() && e.getCode() == CONVERSION_FAILURE);
  }

  private static String text(MongoException e) {
    if (e instanceof MongoCommandException command) {
      return command.getErrorMessage();
    }
    return e instanceof MongoWriteException write ? write.getError().getMessage() : "";
  }
}
