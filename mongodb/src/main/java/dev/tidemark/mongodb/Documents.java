package dev.tidemark.mongodb;

import dev.tidemark.InvalidChangeException;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Request;
import dev.tidemark.kernel.Transition;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonNull;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * What requests make of a document that was read, or of nothing, as the kernel evaluates it: where
 * nothing is there to be changed, and where the server has refused to evaluate the same.
 */
final class Documents<T> {
  private final Context<T> context;
  private final PropertyValues values;

  Documents(Context<T> context) {
    this.context = context;
    this.values = context.mapping().values();
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
      Operation evaluated = evaluated(operation, Values.at(fields, operation.path()));
      after = Evaluator.apply(List.of(evaluated), withoutNulls(operation, after));
      requireRoom(operation, after);
    }
    try {
      return kept(List.of(), fields, after).asDocument();
    } catch (IllegalArgumentException e) {
      throw new InvalidChangeException("the change does not fit the entity", null, e);
    }
  }

  /** A parent that is null counts as missing where parents are made. */
  private static Map<String, Object> withoutNulls(Operation operation, Map<String, Object> entity) {
    return Expressions.parents(operation.path()).stream()
        .filter(parent -> operation.createsParents())
        .filter(parent -> Values.at(entity, parent) instanceof BsonNull)
        .findFirst()
        .map(parent -> Evaluator.apply(List.of(Operation.remove(parent)), entity))
        .orElse(entity);
  }

  /** The operation with what comes of it on a server, whose elements and doubles are its own. */
  private Operation evaluated(Operation operation, @Nullable BsonValue stored) {
    return switch (operation.kind()) {
      case INCREASE -> increased(operation, stored);
      case APPEND_ALL -> operation.with(List.copyOf(values.given(operation).asArray()));
      case ADD_ALL -> {
        BsonArray all = set(operation, stored);
        BsonArray before = new BsonArray(all);
        values.given(operation).asArray().stream()
            .filter(element -> !has(before, element))
            .forEach(all::add);
        yield assign(operation, all);
      }
      case REMOVE_ALL -> {
        BsonArray left = set(operation, stored);
        left.removeIf(element -> has(values.given(operation).asArray(), element));
        yield left.isEmpty()
            ? new Operation(
                Operation.Kind.REMOVE, operation.path(), List.of(), operation.createsParents())
            : assign(operation, left);
      }
      case ASSIGN, ASSIGN_IF_ABSENT -> operation.with(values.given(operation));
      case REMOVE -> operation;
    };
  }

  private static Operation assign(Operation operation, BsonValue value) {
    return new Operation(
        Operation.Kind.ASSIGN, operation.path(), value, operation.createsParents());
  }

  private static BsonArray set(Operation operation, @Nullable BsonValue stored) {
    if (stored != null && !stored.isArray()) {
      throw invalid("'" + operation.path() + "' is not a set");
    }
    return stored == null ? new BsonArray() : new BsonArray(stored.asArray());
  }

  private static boolean has(BsonArray elements, BsonValue element) {
    return elements.stream().anyMatch(other -> ReadRule.equal(other, element));
  }

  private static InvalidChangeException invalid(String message) {
    return new InvalidChangeException(message, null, null);
  }

  /** Numbers are added in the form in which they are stored, doubles as a server adds them. */
  private Operation increased(Operation increase, @Nullable BsonValue stored) {
    BsonValue amount = values.given(increase);
    BsonValue before = stored == null ? amount : stored;
    if (before.isNumber() && !(Values.decode(before) instanceof Number)) {
      throw invalid("'" + increase.path() + "' is not a finite number");
    }
    boolean decimal = amount.isDecimal128() || before.isDecimal128();
    if (decimal || !before.isNumber()) {
      return increase.with(Values.decode(amount));
    }
    if (!amount.isDouble() && !before.isDouble()) {
      return assign(increase, stored == null ? amount : whole(increase, stored, amount));
    }
    double sum =
        stored == null
            ? amount.asDouble().getValue()
            : ReadRule.exact(before).add(ReadRule.exact(amount)).doubleValue();
    if (Double.isInfinite(sum)) {
      throw invalid("'" + increase.path() + "' would overflow");
    }
    return assign(increase, new BsonDouble(sum));
  }

  /** What two whole numbers come to: one of 32 bits where both are, and it fits. */
  private static BsonValue whole(Operation increase, BsonValue stored, BsonValue amount) {
    long sum;
    try {
      sum = Math.addExact(stored.asNumber().longValue(), amount.asNumber().longValue());
    } catch (ArithmeticException e) {
      throw invalid("'" + increase.path() + "' would overflow");
    }
    boolean isShort = stored.isInt32() && amount.isInt32() && sum == (int) sum;
    return isShort ? new BsonInt32((int) sum) : new BsonInt64(sum);
  }

  private void requireRoom(Operation operation, Map<String, Object> after) {
    Path path = operation.path();
    Object sum = Values.at(after, path);
    Object neutral = sum instanceof BsonValue value ? Values.decode(value) : sum;
    if (operation.kind() == Operation.Kind.INCREASE
        && !context.mapping().properties().holds(path, neutral)) {
      throw invalid("'" + path + "' would overflow");
    }
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
    return before.stream()
        .filter(same -> element.equals(same) || Values.decode(same).equals(element))
        .findFirst()
        .orElseGet(() -> Values.encode(element, context.registry()));
  }

  /**
   * The document that a request makes where there is none, or nothing but a tombstone past its
   * expiry, of which nothing stays.
   *
   * @throws InvalidChangeException if the change does not fit an empty entity
   */
  BsonDocument created(Request<T> request, Transition transition, StoredDocument<T> over) {
    BsonDocument read = over.document();
    BsonDocument created = context.mapping().key(request.marking().key());
    if (read != null) {
      created.replaceAll((name, value) -> read.getOrDefault(name, value));
    }
    if (request.effect() instanceof Effect.Called<T> called) {
      BsonDocument made = StoredDocument.functions(called).document();
      created.putAll(context.markFields().withoutMarks(made));
    } else if (transition.kind() == Transition.Kind.BEGINS) {
      created.putAll(applied(Pipelines.change(request).operations(), new BsonDocument()));
    }
    created.putAll(context.markFields().nested(transition.all()));
    return created;
  }
}
