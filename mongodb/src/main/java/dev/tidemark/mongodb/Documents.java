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

  Documents(Context<T> context) {
    this.context = context;
    this.names = context.names();
  }

  private Operation evaluated(Operation operation) {
    return switch (operation.kind()) {
      case INCREASE ->
          value(operation.amount()) instanceof Number amount ? operation.with(amount) : operation;
      case ADD_ALL, REMOVE_ALL -> operation.with(set(operation.elements()));
      case ASSIGN, ASSIGN_IF_ABSENT, APPEND_ALL, REMOVE -> operation;
    };
  }

  private Set<Object> set(Collection<Object> elements) {
    return elements.stream().map(this::value).collect(Collectors.toCollection(LinkedHashSet::new));
  }

  private Object value(Object value) {
    return Values.decode(encode(value));
  }

  private BsonValue encode(Object value) {
    return Values.encode(value, context.registry());
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
      return kept(fields, after).asDocument();
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
    return sum instanceof Number number && isDouble(operation.amount(), Values.at(entity, path))
        ? Evaluator.apply(List.of(Operation.assign(path, number.doubleValue())), after)
        : after;
  }

  /** Whether the server's sum is a double: of one, and of no decimal. */
  private boolean isDouble(Number amount, @Nullable Object stored) {
    BsonValue added = encode(amount);
    BsonValue before = stored == null ? added : encode(stored);
    boolean decimal = added.isDecimal128() || before.isDecimal128();
    return !decimal && (added.isDouble() || before.isDouble());
  }

  /** A value in the form in which it was stored, wherever it or a part of it is the same. */
  private BsonValue kept(@Nullable BsonValue before, Object after) {
    if (before != null && Values.decode(before).equals(after)) {
      return before;
    }
    if (before instanceof BsonDocument stored && after instanceof Map<?, ?> members) {
      BsonDocument document = new BsonDocument();
      members.forEach((name, member) -> document.put("" + name, kept(stored.get(name), member)));
      return document;
    }
    if (before instanceof BsonArray stored && after instanceof Collection<?> elements) {
      BsonArray array = new BsonArray();
      for (Object element : elements) {
        BsonValue same =
            stored.stream().filter(e -> Values.decode(e).equals(element)).findFirst().orElse(null);
        array.add(same == null ? encode(element) : same);
      }
      return array;
    }
    return encode(after);
  }

  /** All marks after a request, by flat name. */
  Map<String, Object> marks(Request<T> request, Found<T> found) {
    Marking marking = request.marking();
    Map<String, Object> before = marking.marks(found);
    if (request.effect() instanceof Effect.Tombstone) {
      return marking.tombstone(before);
    }
    Found.State state = found.state(names, marking.now());
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

  /**
   * The document after a request.
   *
   * @throws dev.tidemark.InvalidChangeException if the change does not fit what was read
   */
  BsonDocument after(Request<T> request, StoredDocument<T> over) {
    BsonDocument after = context.mapping().key(over.key());
    BsonDocument stored = over.document() == null ? new BsonDocument() : over.document();
    after.replaceAll((name, value) -> stored.getOrDefault(name, value));
    if (request.effect() instanceof Effect.Called<T> called) {
      after.putAll(context.markFields().withoutMarks(StoredDocument.functions(called).document()));
    } else if (!(request.effect() instanceof Effect.Tombstone)) {
      boolean live = over.found().state(names, request.marking().now()) == Found.State.LIVE;
      BsonDocument fields = live ? context.markFields().withoutMarks(stored) : new BsonDocument();
      after.putAll(applied(Pipelines.change(request).operations(), fields));
    }
    after.putAll(context.markFields().nested(marks(request, over.found())));
    return after;
  }
}
