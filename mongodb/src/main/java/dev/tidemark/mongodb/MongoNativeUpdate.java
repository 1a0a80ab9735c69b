package dev.tidemark.mongodb;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityUpdate;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Path;
import dev.tidemark.Source;
import dev.tidemark.kernel.OwnUpdate;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * An update by MongoDB's own operators, with whatever power these have: {@code
 * MongoNativeUpdate.of(combine(inc("lines.$[big].quantity", 1), max("highest", 7)))}. The store
 * merges guard and mark into the same command. Nested paths mean what they mean to MongoDB: missing
 * parents are created. A parent that is a record with primitive components, or of an abstract
 * class, has to be there, unless the update sets all of these, or the discriminator: the class
 * could not read it without. What {@code $setOnInsert} sets is set where the entity is created,
 * also in place of a deleted one. What array filters lead to is not looked into. Immutable; each
 * method returns a new update. A {@code Document} and a {@code BsonDocument} are copied; the values
 * in what the driver's builders make are not, and must be left as they are until the call has
 * ended.
 */
public final class MongoNativeUpdate implements EntityUpdate {
  private final Bson operators;
  private final @Nullable Bson filter;
  private final List<Bson> arrayFilters;
  private final Rules rules;

  private MongoNativeUpdate(
      Bson operators, @Nullable Bson filter, List<Bson> arrayFilters, Rules rules) {
    this.operators = operators;
    this.filter = filter;
    this.arrayFilters = arrayFilters;
    this.rules = rules;
  }

  /**
   * An update of an entity that must exist.
   *
   * @param operators update operators, as {@code com.mongodb.client.model.Updates} makes them; no
   *     pipeline, no whole document
   * @return the update
   */
  public static MongoNativeUpdate of(Bson operators) {
    Objects.requireNonNull(operators, "operators");
    return new MongoNativeUpdate(copy(operators), null, List.of(), Rules.defaults());
  }

  /**
   * Makes the update only if a filter matches the entity, else Refused. Replaces an earlier filter.
   * Not together with {@link #createIfMissing}, since an upsert would store what the filter equals.
   *
   * <p>An update under a filter with {@code $text}, {@code $near}, {@code $nearSphere} or {@code
   * $where} is an {@link IllegalArgumentException} before anything is sent: MongoDB does not take
   * these in the read that tells whether the filter refused the update.
   *
   * @param filter any other filter that MongoDB's {@code $match} takes
   * @return this update under that filter
   */
  public MongoNativeUpdate onlyIf(Bson filter) {
    return new MongoNativeUpdate(operators, copy(filter), arrayFilters, rules);
  }

  /**
   * Says which elements {@code $[name]} means.
   *
   * @param filters as {@code UpdateOptions} takes them
   * @return this update with those filters
   */
  public MongoNativeUpdate arrayFilters(List<? extends Bson> filters) {
    List<Bson> copies = filters.stream().map(MongoNativeUpdate::copy).toList();
    return new MongoNativeUpdate(operators, filter, copies, rules);
  }

  /**
   * Creates the entity where it is missing, by an upsert; a deleted one stays deleted.
   *
   * @return this update, creating
   */
  public MongoNativeUpdate createIfMissing() {
    return with(rules.createIfMissing());
  }

  /**
   * Creates the entity where it is missing, and also where it was deleted, keeping its marks.
   *
   * @return this update, creating and reviving
   */
  public MongoNativeUpdate recreate() {
    return with(rules.recreate());
  }

  /**
   * Records the message also where {@link #onlyIf} refuses the update.
   *
   * @return this update, recording refused messages
   */
  public MongoNativeUpdate otherwiseSkip() {
    return with(rules.otherwiseSkip());
  }

  /**
   * Drops the mark of a source in the same write, as {@link Change#retire} does.
   *
   * @param source a source that sends no further events
   * @return this update and that
   */
  public MongoNativeUpdate retire(Source source) {
    return with(rules.retire(source));
  }

  /**
   * Publishes a message in the same write, as {@link Change#publish(OutgoingMessage)} does.
   *
   * @param message what to send, and where
   * @return this update and that
   */
  public MongoNativeUpdate publish(OutgoingMessage message) {
    return with(rules.publish(message));
  }

  /**
   * Asks for the entity in the outcome, as it is after the update.
   *
   * @return this update, returning the entity
   */
  public MongoNativeUpdate returning() {
    return with(rules.returning());
  }

  private static Bson copy(Bson given) {
    return (Bson) inside(Objects.requireNonNull(given));
  }

  /** A copy of documents, and of the maps, lists and bytes in them. */
  private static Object inside(Object given) {
    if (given instanceof BsonDocument document) {
      return document.clone();
    }
    if (given instanceof byte[] bytes) {
      return bytes.clone();
    }
    boolean plain = given.getClass().getName().startsWith("java.util.");
    if (given instanceof Map<?, ?> map && (plain || given.getClass() == Document.class)) {
      Document copy = new Document();
      map.forEach(
          (name, value) -> copy.append((String) name, value == null ? null : inside(value)));
      return copy;
    }
    if (plain && given instanceof List<?> list) {
      List<@Nullable Object> copy = new ArrayList<>(list);
      copy.replaceAll(element -> element == null ? null : inside(element));
      return copy;
    }
    return given;
  }

  private MongoNativeUpdate with(Rules with) {
    return new MongoNativeUpdate(operators, filter, arrayFilters, with);
  }

  @Override
  public Rules rules() {
    return rules;
  }

  /**
   * A native update, checked and rendered.
   *
   * @param operators the caller's own
   * @param filter the caller's own; null if there is none
   * @param arrayFilters which elements the operators mean
   * @param parts the documents that must be there, since the operators make too little of them
   * @param rules what it does apart from the operators
   */
  record NativeWrite(
      BsonDocument operators,
      @Nullable BsonDocument filter,
      List<BsonDocument> arrayFilters,
      Set<Path> parts,
      Rules rules)
      implements OwnUpdate {
    private static final Set<String> TAKING_AWAY =
        Set.of("$unset", "$rename", "$pull", "$pullAll", "$pop");

    /** What MongoDB does not take in the read that tells whether a filter refused an update. */
    private static final Set<String> UNREAD =
        Set.of("$text", "$near", "$nearSphere", "$geoNear", "$where");

    private static final String ON_INSERT = "$setOnInsert";

    /**
     * Checks and renders an update.
     *
     * @throws IllegalArgumentException if it is not for MongoDB, or touches what it must not
     */
    static NativeWrite of(Context<?> context, EntityKey key, EntityUpdate given) {
      MongoNativeUpdate update = given.in(MongoNativeUpdate.class);
      Properties properties = context.mapping().properties();
      BsonDocument operators = operators(update, key, properties, context.registry()).clone();
      if (update.rules.creates()) {
        properties.requireWhole(led(operators), made(operators));
        properties.name(operators, touched(operators));
      }
      BsonDocument always = operators.clone();
      always.remove(ON_INSERT);
      return new NativeWrite(
          operators,
          update.filter == null ? null : filter(document(update.filter, context.registry())),
          update.arrayFilters.stream().map(filter -> document(filter, context.registry())).toList(),
          properties.requiredParts(led(always), made(always)),
          update.rules);
    }

    @Override
    public boolean hasRule() {
      return filter != null;
    }

    /** The operators of who creates the entity, also where MongoDB finds a tombstone to update. */
    BsonDocument creating() {
      BsonDocument creating = operators.clone();
      BsonValue first = creating.remove(ON_INSERT);
      if (first != null) {
        BsonDocument set = creating.getDocument("$set", new BsonDocument());
        set.putAll(first.asDocument());
        creating.put("$set", set);
      }
      return creating;
    }

    @Override
    public boolean recordsOnly() {
      return false;
    }

    @Override
    public @Nullable OwnUpdate then(OwnUpdate next) {
      NativeWrite other = (NativeWrite) next;
      boolean plain = arrayFilters.isEmpty() && other.arrayFilters.isEmpty();
      BsonDocument both = plain ? Joint.of(operators, other.operators) : null;
      if (both == null) {
        return null;
      }
      Set<Path> all = new HashSet<>(parts);
      all.addAll(other.parts);
      Rules told = other.rules.returns() ? rules.returning() : rules;
      return new NativeWrite(both, null, List.of(), all, told);
    }

    /**
     * The operators, rendered.
     *
     * @throws IllegalArgumentException if there are none, or one touches the key or what tracking
     *     owns
     */
    private static BsonDocument operators(
        MongoNativeUpdate update, EntityKey key, Properties properties, CodecRegistry registry) {
      if (update.filter != null && update.rules.creates()) {
        throw new IllegalArgumentException(
            "onlyIf() and createIfMissing() exclude each other in a native update: MongoDB would"
                + " store what the filter equals");
      }
      BsonDocument operators = document(update.operators, registry);
      if (operators.isEmpty()) {
        throw new IllegalArgumentException("a native update needs an operator; skip() has none");
      }
      operators.forEach((operator, fields) -> check(operator, fields, key, properties));
      return operators;
    }

    private static BsonDocument document(Bson bson, CodecRegistry registry) {
      return bson.toBsonDocument(BsonDocument.class, registry);
    }

    private static BsonDocument filter(BsonDocument filter) {
      requireRead(filter);
      return filter;
    }

    private static void requireRead(BsonValue part) {
      if (part instanceof BsonArray parts) {
        parts.forEach(NativeWrite::requireRead);
      } else if (part instanceof BsonDocument members) {
        members.forEach(
            (name, member) -> {
              if (UNREAD.contains(name)) {
                throw new IllegalArgumentException(
                    "onlyIf() takes no %s, which MongoDB does not take in the read that tells whether the filter refused the update; let a function decide"
                        .formatted(name));
              }
              requireRead(member);
            });
      }
    }

    private static void check(
        String operator, BsonValue fields, EntityKey key, Properties properties) {
      if (!operator.startsWith("$") || !fields.isDocument()) {
        throw new IllegalArgumentException(
            "a native update is made of update operators; a whole document or a pipeline is none");
      }
      for (Map.Entry<String, BsonValue> field : fields.asDocument().entrySet()) {
        properties.requireChangeable(Joint.field(field.getKey()), key);
        if (operator.equals("$rename") && field.getValue().isString()) {
          properties.requireChangeable(Joint.field(field.getValue().asString().getValue()), key);
        }
        if (operator.equals("$rename") || operator.equals("$unset")) {
          properties.requireLess(names(field.getKey()));
        }
      }
    }

    /** The paths of what operators make where it is missing. */
    private static Set<List<String>> made(BsonDocument operators) {
      Set<List<String>> made = new HashSet<>();
      operators.forEach(
          (operator, fields) -> {
            if (!TAKING_AWAY.contains(operator)) {
              fields.asDocument().keySet().forEach(path -> made.add(names(path)));
            }
          });
      return made;
    }

    /** The same, and those to which it moves what may be missing: it makes the way there. */
    private static Set<List<String>> led(BsonDocument operators) {
      Set<List<String>> led = made(operators);
      operators.getDocument("$rename", new BsonDocument()).values().stream()
          .filter(BsonValue::isString)
          .forEach(to -> led.add(names(to.asString().getValue())));
      return led;
    }

    /** The top-level fields that operators change in any way. */
    private static Set<String> touched(BsonDocument operators) {
      Set<String> touched = new HashSet<>();
      led(operators).forEach(path -> touched.add(path.get(0)));
      operators.values().stream()
          .flatMap(fields -> fields.asDocument().keySet().stream())
          .forEach(path -> touched.add(Joint.field(path)));
      return touched;
    }

    private static List<String> names(String path) {
      return List.of(path.split("\\.", -1));
    }
  }
}
