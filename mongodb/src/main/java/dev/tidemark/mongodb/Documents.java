package dev.tidemark.mongodb;

import dev.tidemark.InvalidChangeException;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Request;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What requests make of a document that was read, or of nothing, as the kernel evaluates it. It is
 * all that a server without pipeline updates is sent.
 */
final class Documents<T> {
  private final Context<T> context;
  private final Names names;
  private final PropertyValues values;

  /** The elements that the change adds, as they are stored. */
  private final List<BsonValue> added = new ArrayList<>();

  Documents(Context<T> context) {
    this.context = context;
    this.names = context.names();
    this.values = context.mapping().values();
  }

  private Operation evaluated(Operation operation) {
    return switch (operation.kind()) {
      case INCREASE ->
          Values.decode(values.given(operation)) instanceof Number amount
              ? operation.with(amount)
              : operation;
      case ADD_ALL, REMOVE_ALL -> operation.with(set(values.given(operation).asArray()));
      case APPEND_ALL -> operation.with(List.copyOf(values.given(operation).asArray()));
      case ASSIGN, ASSIGN_IF_ABSENT -> operation.with(values.given(operation));
      case REMOVE -> operation;
    };
  }

  private Set<Object> set(BsonArray elements) {
    added.addAll(elements);
    return elements.stream()
        .map(Values::decode)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /**
   * The entity's fields after the operations; what stays is as it was stored.
   *
   * @throws InvalidChangeException if a parent is missing, a value is of another type than an
   *     operation needs, or a sum would overflow
   */
  BsonDocument applied(List<Operation> change, BsonDocument fields) {
    Map<String, Object> after = Values.decode(fields);
    for (Operation operation : change) {
      after = after(operation, after);
    }
    try {
      return kept(List.of(), fields, after).asDocument();
    } catch (IllegalArgumentException e) {
      throw new InvalidChangeException("the change does not fit the entity", null, e);
    }
  }

  private Map<String, Object> after(Operation operation, Map<String, Object> entity) {
    Path path = operation.path();
    Operation.Kind kind = operation.kind();
    boolean set = kind == Operation.Kind.ADD_ALL || kind == Operation.Kind.REMOVE_ALL;
    List<Operation> evaluated = new ArrayList<>();
    if (set && Values.at(entity, path) instanceof List<?> list) {
      evaluated.add(Operation.assign(path, new LinkedHashSet<>(list)));
    }
    evaluated.add(evaluated(operation));
    Map<String, Object> after = Evaluator.apply(evaluated, entity);
    if (kind != Operation.Kind.INCREASE) {
      return after;
    }
    Object sum = Values.at(after, path);
    if (!context.mapping().properties().holds(path, sum)) {
      throw new InvalidChangeException("'" + path + "' would overflow", null, null);
    }
    return sum instanceof Number number && isDouble(operation, Values.at(entity, path))
        ? Evaluator.apply(List.of(Operation.assign(path, number.doubleValue())), after)
        : after;
  }

  /** Whether the server's sum is a double: of one, and of no decimal. */
  private boolean isDouble(Operation increase, @Nullable Object stored) {
    BsonValue amount = values.given(increase);
    BsonValue before = stored == null ? amount : Values.encode(stored, context.registry());
    boolean decimal = amount.isDecimal128() || before.isDecimal128();
    return !decimal && (amount.isDouble() || before.isDouble());
  }

  /** A value in the form in which it was stored, wherever it or a part of it is the same. */
  private BsonValue kept(List<String> path, @Nullable BsonValue before, Object after) {
    if (after instanceof BsonValue ready) {
      return ready;
    }
    if (before != null && Values.decode(before).equals(after)) {
      return before;
    }
    if (before instanceof BsonDocument stored && after instanceof Map<?, ?> members) {
      BsonDocument document = new BsonDocument();
      members.forEach(
          (name, member) ->
              document.put("" + name, kept(inside(path, "" + name), stored.get(name), member)));
      return document;
    }
    if (after instanceof Collection<?> elements) {
      BsonArray stored = before instanceof BsonArray array ? array : new BsonArray();
      return new BsonArray(elements.stream().map(element -> kept(stored, element)).toList());
    }
    return values.evaluated(new Path(path), after);
  }

  private static List<String> inside(List<String> path, String name) {
    return Stream.concat(path.stream(), Stream.of(name)).toList();
  }

  private BsonValue kept(BsonArray before, Object element) {
    return Stream.concat(before.stream(), added.stream())
        .filter(same -> element.equals(same) || Values.decode(same).equals(element))
        .findFirst()
        .orElseGet(() -> Values.encode(element, context.registry()));
  }

  /**
   * All marks after a request, by flat name.
   *
   * @param before all that judge; none where there is no entity
   */
  private Map<String, Object> marks(
      Request<T> request, Map<String, Object> before, Found.State state) {
    Marking marking = request.marking();
    if (request.effect() instanceof Effect.Tombstone) {
      return marking.tombstone(before);
    }
    if (request.effect() instanceof Effect.Nothing && state == Found.State.DELETED) {
      return marking.marksRecorded(before);
    }
    Map<String, Object> marks =
        new LinkedHashMap<>(marking.marksAfter(before, request.rules().retired()));
    if (state != Found.State.LIVE) {
      marks.remove(names.tombstone());
      marks.put(names.birth(), marking.token());
    }
    return marks;
  }

  /** All marks of an entity that a request creates, by flat name. */
  Map<String, Object> firstMarks(Request<T> request) {
    return marks(request, Map.of(), Found.State.ABSENT);
  }

  /**
   * The document after a request.
   *
   * @throws dev.tidemark.InvalidChangeException if the change does not fit what was read
   */
  BsonDocument after(Request<T> request, StoredDocument.Whole<T> over) {
    Marking marking = request.marking();
    Found.State state = over.found().state(names, marking.now());
    return after(request, over.document(), marking.marks(over.found()), state);
  }

  /**
   * The document that a request makes where there is none, or nothing but a tombstone past its
   * expiry, of which nothing stays.
   *
   * @throws dev.tidemark.InvalidChangeException if the change does not fit an empty entity
   */
  BsonDocument created(Request<T> request, StoredDocument<T> over) {
    BsonDocument read = over.document();
    BsonDocument stored = read == null ? new BsonDocument() : read;
    return after(request, stored, Map.of(), Found.State.ABSENT);
  }

  private BsonDocument after(
      Request<T> request, BsonDocument stored, Map<String, Object> marks, Found.State state) {
    BsonDocument after = context.mapping().key(request.marking().key());
    after.replaceAll((name, value) -> stored.getOrDefault(name, value));
    if (request.effect() instanceof Effect.Called<T> called) {
      after.putAll(context.markFields().withoutMarks(StoredDocument.functions(called).document()));
    } else if (!(request.effect() instanceof Effect.Tombstone)) {
      boolean live = state == Found.State.LIVE;
      BsonDocument fields = live ? context.markFields().withoutMarks(stored) : new BsonDocument();
      after.putAll(applied(Pipelines.change(request).operations(), fields));
    }
    after.putAll(context.markFields().nested(marks(request, marks, state)));
    return after;
  }
}
