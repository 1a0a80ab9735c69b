package dev.tidemark.lab.orders;

import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Freshness;
import dev.tidemark.Message;
import dev.tidemark.NotBefore;
import dev.tidemark.Operation;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * For contrast: a store that runs the same projectors without Tidemark, one delivery after another.
 *
 * @param <T> the row's type
 */
abstract class ContrastStore<T> implements EntityStore<T> {
  private final Tracking tracking;

  /** Knows the tracking because projectors ask for it; nothing else does. */
  ContrastStore(Class<T> type) {
    this.tracking = Tracking.of(type);
  }

  /** Adds to numbers, of a new row if there is none. */
  abstract Outcome<T> add(Message message, String id, Map<String, Number> amounts);

  /** Puts the function's row in the place of what is there. */
  abstract Outcome<T> change(
      Message message, String id, Supplier<T> initial, UnaryOperator<T> function);

  abstract Optional<T> get(String id);

  @Override
  public Tracking tracking() {
    return tracking;
  }

  @Override
  public Outcome<T> write(Write<T> write) {
    if (write.action() instanceof Write.Action.Update<T> update) {
      return add(write.message(), id(write.key()), amounts(update.update().in(Change.class)));
    }
    if (write.action() instanceof Write.Action.Apply<T> apply && apply.initialOrNull() != null) {
      return change(
          write.message(),
          id(write.key()),
          apply.initialOrNull(),
          row -> changed(apply.decide(row)));
    }
    throw unused();
  }

  private static Map<String, Number> amounts(Change change) {
    Map<String, Number> amounts = new LinkedHashMap<>();
    for (Operation operation : change.operations()) {
      if (operation.kind() != Operation.Kind.INCREASE) {
        throw new UnsupportedOperationException("the views only add, and not: " + operation);
      }
      amounts.put(operation.path().toString(), operation.amount());
    }
    return amounts;
  }

  private T changed(Decision<T> decision) {
    if (decision instanceof Decision.To<T> to) {
      return to.entity();
    }
    throw new UnsupportedOperationException("the views refuse no event");
  }

  @Override
  public List<Result<T>> writeAll(List<Write<T>> writes) {
    List<Result<T>> results = new ArrayList<>();
    for (Write<T> write : writes) {
      results.add(new Result.Judged<>(write(write)));
    }
    return results;
  }

  @Override
  public Optional<T> find(EntityKey key) {
    return get(id(key));
  }

  private static String id(EntityKey key) {
    return (String) key.parts().get(0);
  }

  final Outcome<T> applied() {
    return new Outcome.Applied<>(null, false, null);
  }

  final Outcome<T> duplicate() {
    return new Outcome.Duplicate<>(null, null);
  }

  @Override
  public Freshness<T> find(EntityKey key, NotBefore notBefore) {
    throw unused();
  }

  private static UnsupportedOperationException unused() {
    return new UnsupportedOperationException("the views do not ask for that");
  }
}
