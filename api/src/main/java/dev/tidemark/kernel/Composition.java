package dev.tidemark.kernel;

import dev.tidemark.Change;
import dev.tidemark.EntityUpdate;
import dev.tidemark.Operation;
import dev.tidemark.Operation.Kind;
import dev.tidemark.Path;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Updates that are made one after the other, as one. Two operations on one path compose where what
 * comes of them does not depend on what is stored, nor on a fault that only one of them could meet,
 * but for how a stored double rounds; updates in the store's own words say themselves how. Mutable;
 * for one thread.
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
    return update instanceof Change change
        && change.operations().isEmpty()
        && change.rules().published().isEmpty();
  }

  /** Adds an update to those before it; false, with nothing added, if it does not compose. */
  boolean add(EntityUpdate update) {
    if (update instanceof Change change) {
      boolean shows = change.rules().returns() && own != null && !own.rules().returns();
      return own == null ? add(change) : onlyRecords(change) && !shows;
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
    boolean creates = createsParents(all.values());
    if (!all.isEmpty()
        && !next.operations().isEmpty()
        && creates != createsParents(next.operations())) {
      return null; // one of them could meet a parent that is missing, the other could not
    }
    for (Operation operation : next.operations()) {
      Operation before = all.get(operation.path());
      Operation both = before == null ? operation : formed(before, operation);
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

  private static boolean createsParents(Collection<Operation> operations) {
    return operations.stream().anyMatch(Operation::createsParents);
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
    change = createsParents(operations.values()) ? change.createParents() : change;
    // After the first the entity is there.
    change = first.rules().creates() ? change.createIfMissing() : change;
    change = first.rules().revives() ? change.recreate() : change;
    return returns ? change.returning() : change;
  }

  private static Change with(Change change, Operation operation) {
    Path path = operation.path();
    return switch (operation.kind()) {
      case ASSIGN -> change.set(path, operation.value());
      case ASSIGN_IF_ABSENT -> change.setIfAbsent(path, operation.value());
      case INCREASE -> change.add(path, operation.amount());
      case APPEND_ALL -> change.append(path, operation.elements().toArray());
      case ADD_ALL -> change.addToSet(path, operation.elements().toArray());
      case REMOVE_ALL -> change.removeFromSet(path, operation.elements().toArray());
      case REMOVE -> change.remove(path);
    };
  }

  /** What both come to, unless no caller could give it: of too many digits, or of two kinds. */
  private static @Nullable Operation formed(Operation first, Operation second) {
    try {
      Operation both = both(first, second);
      return both == null || with(Change.change(), both).operations().isEmpty() ? null : both;
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  /** What two operations on one path come to; null if that depends on what is stored. */
  private static @Nullable Operation both(Operation first, Operation second) {
    boolean same = first.kind() == second.kind();
    boolean removed = first.kind() == Kind.REMOVE;
    boolean known = removed || first.kind() == Kind.ASSIGN;
    return switch (second.kind()) {
      case ASSIGN, REMOVE -> known ? second : null;
      case ASSIGN_IF_ABSENT ->
          removed ? Operation.assign(first.path(), second.value()) : known || same ? first : null;
      case INCREASE -> increased(first, second);
      case APPEND_ALL -> joined(first, second, new ArrayList<>());
      case ADD_ALL -> joined(first, second, new LinkedHashSet<>());
      case REMOVE_ALL -> same ? joined(first, second, new LinkedHashSet<>()) : null;
    };
  }

  /** Where the signs differ a sum may fit though one of its steps did not. */
  private static @Nullable Operation increased(Operation first, Operation second) {
    boolean known = first.kind() == Kind.ASSIGN && first.value() instanceof Long;
    boolean increases = first.kind() == Kind.INCREASE && sign(first) * sign(second) >= 0;
    Number sum = known || increases ? sum(first.amount(), second.amount()) : null;
    return sum == null ? null : first.with(sum);
  }

  private static int sign(Operation increase) {
    return Evaluator.exact(increase.amount()).signum();
  }

  /**
   * The elements of both, or all that is left after both; null if what is left is not known.
   *
   * @param all of the kind that both need; takes the elements
   */
  private static @Nullable Operation joined(
      Operation first, Operation second, Collection<Object> all) {
    boolean same = first.kind() == second.kind();
    if (first.kind() != Kind.REMOVE) {
      boolean fits =
          all instanceof Set ? first.value() instanceof Set : first.value() instanceof List;
      if (!fits || !(same || first.kind() == Kind.ASSIGN)) {
        return null;
      }
      all.addAll(first.elements());
    }
    all.addAll(second.elements());
    boolean joins = !(all instanceof Set) || (arePlain(all) && (same || areDistinct(all)));
    return !joins ? null : same ? first.with(all) : Operation.assign(first.path(), all);
  }

  /**
   * Whether all are stored as what they are: of others two may be stored as one, as of times, and
   * of fractions in a set of floats.
   */
  private static boolean arePlain(Collection<Object> all) {
    return all.stream()
        .allMatch(
            one ->
                one instanceof String
                    || one instanceof ByteBuffer
                    || (one instanceof Number number && isWhole(number)));
  }

  /** Whether no two elements are equal, as numbers of different classes may be. */
  private static boolean areDistinct(Collection<Object> all) {
    Set<Object> distinct = new HashSet<>();
    return all.stream()
        .map(one -> one instanceof Number n ? Evaluator.exact(n).stripTrailingZeros() : one)
        .allMatch(distinct::add);
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
}
