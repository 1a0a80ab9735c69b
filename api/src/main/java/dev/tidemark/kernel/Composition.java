package dev.tidemark.kernel;

import dev.tidemark.Change;
import dev.tidemark.EntityUpdate;
import dev.tidemark.Operation;
import dev.tidemark.Operation.AddAll;
import dev.tidemark.Operation.AppendAll;
import dev.tidemark.Operation.Assign;
import dev.tidemark.Operation.AssignIfAbsent;
import dev.tidemark.Operation.Increase;
import dev.tidemark.Operation.Remove;
import dev.tidemark.Operation.RemoveAll;
import dev.tidemark.Path;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Updates that are made one after the other, as one. Two operations on one path compose where what
 * comes of them does not depend on what is stored, nor on a fault that only one of them could meet;
 * updates in the store's own words say themselves how. Mutable; for one thread.
 */
final class Composition {
  private @Nullable OwnUpdate own;
  private @Nullable Change first;

  /** Of several changes, by path; that of one is its own. */
  private @Nullable Map<Path, Operation> operations;

  private boolean returns;

  /** Whether an update can be part of one at all: it has no condition and drops no marks. */
  static boolean takes(@Nullable EntityUpdate update) {
    boolean free =
        update instanceof OwnUpdate given
            ? given.goesBlindly() && !given.hasRule()
            : update instanceof Change change && change.condition().isEmpty();
    return free && Objects.requireNonNull(update).rules().retired().isEmpty();
  }

  /** Whether an update changes nothing, so that it goes with whatever is made before it. */
  static boolean onlyRecords(@Nullable EntityUpdate update) {
    return update instanceof Change change && change.operations().isEmpty();
  }

  /** Adds an update to those before it; false, with nothing added, if it does not compose. */
  boolean add(EntityUpdate update) {
    if (update instanceof Change change) {
      return own == null ? add(change) : onlyRecords(change);
    }
    OwnUpdate both = own == null ? (OwnUpdate) update : own.then((OwnUpdate) update);
    boolean composes = first == null && both != null;
    own = composes ? both : own;
    return composes;
  }

  private boolean add(Change change) {
    Map<Path, Operation> all = first == null ? null : composed(first, change);
    if (first != null && all == null) {
      return false;
    }
    operations = all;
    first = first == null ? change : first;
    returns |= change.rules().returns();
    return true;
  }

  /** What those before and one more come to, by path; null if they do not compose. */
  private @Nullable Map<Path, Operation> composed(Change one, Change next) {
    Map<Path, Operation> all = new LinkedHashMap<>();
    if (operations == null) {
      one.operations().forEach(operation -> all.put(operation.path(), operation));
    } else {
      all.putAll(operations);
    }
    for (Operation operation : next.operations()) {
      Operation before = all.get(operation.path());
      Operation both = before == null ? operation : both(before, operation);
      if (both == null || all.keySet().stream().anyMatch(path -> nests(path, operation.path()))) {
        return null;
      }
      all.put(operation.path(), both);
    }
    return all;
  }

  /** Whether no update before had an operation. */
  boolean isEmpty() {
    return own == null
        && (operations == null
            ? first == null || first.operations().isEmpty()
            : operations.isEmpty());
  }

  private static boolean nests(Path one, Path other) {
    return !one.equals(other) && one.overlaps(other);
  }

  /** All of them as one. */
  <T> Effect<T> effect() {
    return own == null ? new Effect.Changes<>(change()) : new Effect.Own<>(own);
  }

  private Change change() {
    if (first == null || operations == null) {
      return first == null ? Change.change() : first;
    }
    Change change = Change.change();
    for (Operation operation : operations.values()) {
      change = with(change, operation);
    }
    // After the first the entity is there.
    change = first.rules().creates() ? change.createIfMissing() : change;
    change = first.rules().revives() ? change.recreate() : change;
    return returns ? change.returning() : change;
  }

  private static Change with(Change change, Operation operation) {
    Path path = operation.path();
    return operation.match(
        new Operation.Cases<>(
            assign -> change.set(path, assign.value()),
            assign -> change.setIfAbsent(path, assign.value()),
            increase -> change.add(path, increase.amount()),
            append -> change.append(path, append.elements().toArray()),
            add -> change.addToSet(path, add.elements().toArray()),
            remove -> change.removeFromSet(path, remove.elements().toArray()),
            remove -> change.remove(path)));
  }

  /** What two operations on one path come to; null if that depends on what is stored. */
  private static @Nullable Operation both(Operation first, Operation second) {
    Path path = first.path();
    boolean replaces = first instanceof Assign || first instanceof Remove;
    return second.match(
        new Operation.Cases<@Nullable Operation>(
            assign -> replaces ? assign : null,
            assign -> ifAbsent(first, assign),
            increase -> increased(first, increase),
            append -> appended(first, append),
            add -> added(first, add),
            remove ->
                first instanceof RemoveAll before
                    ? new RemoveAll(path, union(before.elements(), remove.elements()))
                    : null,
            remove -> replaces ? remove : null));
  }

  private static @Nullable Operation ifAbsent(Operation first, AssignIfAbsent second) {
    return first instanceof Remove
        ? new Assign(first.path(), second.value())
        : first instanceof Assign || first instanceof AssignIfAbsent ? first : null;
  }

  /** Where the signs differ a sum may fit though one of its steps did not. */
  private static @Nullable Operation increased(Operation first, Increase second) {
    if (first instanceof Assign assign && assign.value() instanceof Long number) {
      Number sum = sum(number, second.amount());
      return sum == null ? null : new Assign(first.path(), sum);
    }
    if (first instanceof Increase before && sign(before) * sign(second) >= 0) {
      Number sum = sum(before.amount(), second.amount());
      return sum == null ? null : new Increase(first.path(), sum);
    }
    return null;
  }

  private static int sign(Increase increase) {
    return Evaluator.exact(increase.amount()).signum();
  }

  private static @Nullable Operation appended(Operation first, AppendAll second) {
    if (first instanceof AppendAll before) {
      return new AppendAll(first.path(), joined(before.elements(), second.elements()));
    }
    return left(first, List.of()) instanceof List<?> list
        ? new Assign(first.path(), joined(list, second.elements()))
        : null;
  }

  private static @Nullable Operation added(Operation first, AddAll second) {
    if (first instanceof AddAll before) {
      return new AddAll(first.path(), union(before.elements(), second.elements()));
    }
    return left(first, Set.of()) instanceof Set<?> set
        ? new Assign(first.path(), union(set, second.elements()))
        : null;
  }

  /** The value that an operation leaves, whatever was stored; null if that is not known. */
  private static @Nullable Object left(Operation first, Object ifRemoved) {
    return first instanceof Remove ? ifRemoved : first instanceof Assign a ? a.value() : null;
  }

  /** Null where the store might add in another way: doubles, mixed classes, beyond 64 bits. */
  private static @Nullable Number sum(Number one, Number other) {
    if (one instanceof BigDecimal first && other instanceof BigDecimal second) {
      return first.add(second);
    }
    if (!isWhole(one) || !isWhole(other)) {
      return null;
    }
    BigDecimal sum = Evaluator.exact(one).add(Evaluator.exact(other));
    return sum.toBigInteger().bitLength() < Long.SIZE ? (Number) sum.longValueExact() : null;
  }

  private static boolean isWhole(Number number) {
    return number instanceof Long || number instanceof Integer;
  }

  private static List<Object> joined(List<?> one, List<?> other) {
    List<Object> joined = new ArrayList<>(one);
    joined.addAll(other);
    return joined;
  }

  private static Set<Object> union(Set<?> one, Set<?> other) {
    Set<Object> union = new LinkedHashSet<>(one);
    union.addAll(other);
    return union;
  }
}
