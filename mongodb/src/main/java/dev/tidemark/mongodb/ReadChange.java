package dev.tidemark.mongodb;

import dev.tidemark.InvalidChangeException;
import dev.tidemark.Operation;
import dev.tidemark.Path;
import dev.tidemark.kernel.Evaluator;
import java.util.Collection;
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
 * Portable operations as the kernel evaluates them: whether they fit a document, and what they come
 * to over one that was read or over nothing.
 */
final class ReadChange {
  private final Context<?> context;
  private final Operation.Cases<Operation> operations;

  ReadChange(Context<?> context) {
    this.context = context;
    this.operations =
        new Operation.Cases<>(
            assign -> assign,
            assign -> assign,
            increase ->
                value(increase.amount()) instanceof Number amount
                    ? new Operation.Increase(increase.path(), amount)
                    : increase,
            append -> append,
            add -> new Operation.AddAll(add.path(), set(add.elements())),
            remove -> new Operation.RemoveAll(remove.path(), set(remove.elements())),
            remove -> remove);
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
    boolean set = operation instanceof Operation.AddAll || operation instanceof Operation.RemoveAll;
    Map<String, Object> typed = set ? Values.withSet(entity, path.segments()) : entity;
    Map<String, Object> after = Evaluator.apply(List.of(operation.match(operations)), typed);
    if (!(operation instanceof Operation.Increase increase)) {
      return after;
    }
    Object sum = Values.at(after, path);
    if (!context.mapping().properties().holds(path, sum)) {
      throw new InvalidChangeException("'" + path + "' would overflow", null, null);
    }
    return sum instanceof Number number && isDouble(increase.amount(), Values.at(entity, path))
        ? Evaluator.apply(List.of(new Operation.Assign(path, number.doubleValue())), after)
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
}
