package dev.tidemark.mongodb;

import static dev.tidemark.mongodb.Expressions.cond;
import static dev.tidemark.mongodb.Expressions.op;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoWriteException;
import dev.tidemark.EventPolicy;
import dev.tidemark.SourceEvent;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Request;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDecimal128;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.bson.types.Decimal128;
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
  private static final String REFUSAL_TEXT =
      "tidemark refuses " + Long.toHexString(UUID.randomUUID().getMostSignificantBits());

  private static final Set<String> REVISIONS = Set.of("binData", "string", "missing", "null");

  /** In place of a revision, of which only the type is told. */
  private static final ByteBuffer NO_TOKEN = ByteBuffer.allocate(0).asReadOnlyBuffer();

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
    BsonArray text = new BsonArray(List.of(new BsonString(REFUSAL_TEXT), type("_id")));
    text.addAll(told);
    text.add(new BsonString(REFUSAL_TEXT));
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
   * The error with a text that tells the types of the revision and of the mark's parts, the expiry
   * and its type, whether the caller's rule is true, and the mark.
   */
  static BsonValue telling(Request<?> request, Names names, @Nullable BsonValue rule) {
    List<String> parts = parts(request, names);
    BsonArray told = new BsonArray();
    told.addAll(List.of(SEPARATOR, type(names.revision())));
    parts.forEach(part -> told.addAll(List.of(SEPARATOR, type(part))));
    BsonValue expiry = converted(new BsonString("$" + names.tombstone()), "long");
    told.addAll(
        List.of(SEPARATOR, converted(expiry, "string"), SEPARATOR, type(names.tombstone())));
    told.addAll(
        List.of(SEPARATOR, rule == null ? NOTHING : cond(rule, NOTHING, new BsonString("no"))));
    told.addAll(List.of(SEPARATOR, converted(new BsonString("$" + parts.get(0)), "string")));
    return raised(told);
  }

  /** The parts of the message's mark, the position first: flat names are dotted paths. */
  private static List<String> parts(Request<?> request, Names names) {
    return names.marks(((SourceEvent) request.marking().messages().get(0)).source());
  }

  /**
   * What the error of a blind write tells, as an image of the document; null if it is too little.
   */
  static @Nullable BsonDocument image(Context<?> context, Request<?> request, RuntimeException e) {
    String text = e instanceof MongoException failure ? text(failure) : "";
    int start = text.indexOf(REFUSAL_TEXT) + REFUSAL_TEXT.length();
    int end = text.indexOf(REFUSAL_TEXT, start);
    if (end < start || !canTell(request, context)) {
      return null;
    }
    List<String> parts = parts(request, context.names());
    int expiry = parts.size() + 2;
    List<String> told = List.of(text.substring(start, end).split("\\|", expiry + 4));
    boolean plain =
        told.size() == expiry + 4
            && told.subList(3, expiry).stream().allMatch("missing"::equals)
            && REVISIONS.contains(told.get(1));
    return plain ? image(context, request, told, expiry) : null;
  }

  private static @Nullable BsonDocument image(
      Context<?> context, Request<?> request, List<String> told, int expiry) {
    Names names = context.names();
    Map<String, Object> marks = new LinkedHashMap<>();
    boolean deleted = NUMBER.matcher(told.get(expiry)).matches();
    long until = deleted ? Math.floorDiv(Long.parseLong(told.get(expiry)), 1000L) : Long.MAX_VALUE;
    BsonValue mark = mark(told.get(2), told.get(expiry + 3));
    boolean ofOtherType =
        (mark == null && !told.get(2).equals("missing"))
            || (deleted && !told.get(expiry + 1).equals("date"));
    boolean full = !deleted && (!told.get(expiry).isEmpty() || told.get(1).equals("string"));
    if (ofOtherType || full || until <= request.marking().now().getEpochSecond()) {
      return null;
    }
    if (mark != null) {
      marks.put(parts(request, names).get(0), mark);
    }
    if (deleted) {
      marks.put(names.tombstone(), until);
    } else if (told.get(1).equals("binData")) {
      marks.put(names.revision(), NO_TOKEN);
    }
    boolean rule = told.get(expiry + 2).isEmpty();
    return context.markFields().nested(marks).append(Image.RULE, BsonBoolean.valueOf(rule));
  }

  private static @Nullable BsonValue mark(String type, String text) {
    return switch (type) {
      case "int", "long" -> new BsonInt64(Long.parseLong(text));
      case "decimal" -> new BsonDecimal128(Decimal128.parse(text));
      case "string" -> new BsonString(text);
      default -> null;
    };
  }

  /**
   * Whether an error is that of a guard. Servers leave out texts where many errors come in one
   * reply; no other expression of a tracked write converts anything that is there.
   */
  static boolean isRefusal(MongoException e) {
    String text = text(e);
    return text.contains(REFUSAL_TEXT) || (text.isEmpty() && e.getCode() == CONVERSION_FAILURE);
  }

  private static String text(MongoException e) {
    if (e instanceof MongoCommandException command) {
      return command.getErrorMessage();
    }
    return e instanceof MongoWriteException write ? write.getError().getMessage() : "";
  }
}
