package dev.tidemark.kernel;

import dev.tidemark.Change;
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
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Changes that are made one after the other, as one change. Two operations on one path compose
 * where what comes of them does not depend on what is stored, nor on a fault that only one of them
 * could meet. Mutable; for one thread.
 */
final class Composition {
  private @Nullable Change first;
  private @Nullable Map<Path, Operation> operations;
  private boolean returns;

  /** Whether a change can be part of one at all: it has no condition and drops no marks. */
  static boolean takes(Change change) {
    return change.condition().isEmpty() && change.retired().isEmpty();
  }

  /** Adds a change to those before it; false, with nothing added, if it does not compose. */
  boolean add(Change change) {
    if (first == null) {
      first = change;
      return true;
    }
    Map<Path, Operation> all = byPath(first);
    for (Operation operation : change.operations()) {
      Operation before = all.get(operation.path());
      boolean inside = all.keySet().stream().anyMatch(path -> nests(path, operation.path()));
      Operation both = before == null ? operation : both(before, operation);
      if (inside || both == null) {
        return false;
      }
      all.put(operation.path(), both);
    }
    operations = all;
    returns |= change.returns();
    return true;
  }

  private Map<Path, Operation> byPath(Change one) {
    Map<Path, Operation> all = new LinkedHashMap<>();
    if (operations != null) {
      all.putAll(operations);
    } else {
      one.operations().forEach(operation -> all.put(operation.path(), operation));
    }
    return all;
  }

  /** Whether no change before had an operation. */
  boolean isEmpty() {
    boolean none = first == null || first.operations().isEmpty();
    return operations == null ? none : operations.isEmpty();
  }

  private static boolean nests(Path one, Path other) {
    return !one.equals(other) && one.overlaps(other);
  }

  /** All of them as one change. */
  Change change() {
    Change change = Change.change();
    if (first == null || operations == null) {
      return first == null ? change : first;
    }
    for (Operation operation : operations.values()) {
      change = with(change, operation);
    }
    // After the first the entity is there.
    change = first.creates() ? change.createIfMissing() : change;
    change = first.revives() ? change.recreate() : change;
    return returns || first.returns() ? change.returning() : change;
  }

  private static Change with(Change change, Operation operation) {
    Path path = operation.path();
    if (operation instanceof Assign assign) {
      return change.set(path, assign.value());
    }
    if (operation instanceof AssignIfAbsent assign) {
      return change.setIfAbsent(path, assign.value());
    }
    if (operation instanceof Increase increase) {
      return change.add(path, increase.amount());
    }
    if (operation instanceof AppendAll append) {
      return change.append(path, append.elements().toArray());
    }
    if (operation instanceof AddAll add) {
      return change.addToSet(path, add.elements().toArray());
    }
    return operation instanceof RemoveAll remove
        ? change.removeFromSet(path, remove.elements().toArray())
        : change.remove(path);
  }

  private static @Nullable Operation both(Operation first, Operation second) {
    boolean known = first instanceof Assign || first instanceof Remove;
    if (known && (second instanceof Assign || second instanceof Remove)) {
      return second;
    }
    if (first instanceof Assign assign) {
      return afterAssign(assign, second);
    }
    if (first instanceof Remove) {
      return afterRemove(first, second);
    }
    return ofOneKind(first, second);
  }

  private static @Nullable Operation afterAssign(Assign first, Operation second) {
    Path path = first.path();
    if (second instanceof AssignIfAbsent) {
      return first;
    }
    if (second instanceof Increase increase && first.value() instanceof Long number) {
      Number sum = sum(number, increase.amount());
      return sum == null ? null : new Assign(path, sum);
    }
    if (second instanceof AppendAll append && first.value() instanceof List<?> list) {
      return new Assign(path, joined(list, append.elements()));
    }
    return second instanceof AddAll add && first.value() instanceof Set<?> set
        ? new Assign(path, union(set, add.elements()))
        : null;
  }

  private static @Nullable Operation afterRemove(Operation first, Operation second) {
    if (second instanceof AssignIfAbsent assign) {
      return new Assign(first.path(), assign.value());
    }
    if (second instanceof AppendAll append) {
      return new Assign(first.path(), append.elements());
    }
    return second instanceof AddAll add ? new Assign(first.path(), add.elements()) : null;
  }

  private static @Nullable Operation ofOneKind(Operation first, Operation second) {
    Path path = first.path();
    if (first instanceof AssignIfAbsent && second instanceof AssignIfAbsent) {
      return first;
    }
    if (first instanceof Increase one && second instanceof Increase other) {
      Number sum = sameSign(one, other) ? sum(one.amount(), other.amount()) : null;
      return sum == null ? null : new Increase(path, sum);
    }
    if (first instanceof AppendAll one && second instanceof AppendAll other) {
      return new AppendAll(path, joined(one.elements(), other.elements()));
    }
    if (first instanceof AddAll one && second instanceof AddAll other) {
      return new AddAll(path, union(one.elements(), other.elements()));
    }
    return first instanceof RemoveAll one && second instanceof RemoveAll other
        ? new RemoveAll(path, union(one.elements(), other.elements()))
        : null;
  }

  /** Where the signs differ a sum may fit though one of its steps did not. */
  private static boolean sameSign(Increase one, Increase other) {
    return Evaluator.exact(one.amount()).signum() * Evaluator.exact(other.amount()).signum() >= 0;
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
