package dev.tidemark.example.orderhistory.demo;

import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.EntityStore;
import dev.tidemark.Freshness;
import dev.tidemark.Key;
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
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * For contrast: a store that runs the same projectors and remembers nothing. It reads and writes as
 * most handlers do, without a condition, so every delivery is applied.
 *
 * @param <T> the row's type
 */
abstract class UntrackedStore<T> implements EntityStore<T> {
  private final Tracking tracking;
  private final BiConsumer<T, String> key;
  private final Consumer<Map<String, Long>> counts;

  /**
   * Knows the tracking because projectors ask for it; nothing else does.
   *
   * @param key puts a row's key in
   * @param counts told how many writes were made
   */
  UntrackedStore(Class<T> type, BiConsumer<T, String> key, Consumer<Map<String, Long>> counts) {
    this.tracking = Tracking.of(type);
    this.key = key;
    this.counts = counts;
  }

  /** Puts a row in the place of what is there. */
  abstract void put(String id, T row);

  /** Adds to numbers, of a new row if there is none. */
  abstract void add(String id, Map<String, Number> amounts);

  abstract Optional<T> get(String id);

  @Override
  public Tracking tracking() {
    return tracking;
  }

  @Override
  public Outcome<T> update(Message message, Key key, Change change) {
    Map<String, Number> amounts = new LinkedHashMap<>();
    for (Operation operation : change.operations()) {
      if (!(operation instanceof Operation.Increase increase)) {
        throw new UnsupportedOperationException("the views only add, and not: " + operation);
      }
      amounts.put(increase.path().toString(), increase.amount());
    }
    add(id(key), amounts);
    return applied();
  }

  @Override
  public Outcome<T> decide(
      Message message, Key key, Supplier<T> initial, Function<T, Decision<T>> function) {
    T row = get(id(key)).orElseGet(initial);
    this.key.accept(row, id(key));
    if (function.apply(row) instanceof Decision.To<T> to) {
      put(id(key), to.entity());
    }
    return applied();
  }

  @Override
  public List<Result<T>> writeAll(List<Write<T>> writes) {
    List<Result<T>> results = new ArrayList<>();
    for (Write<T> write : writes) {
      results.add(new Result.Done<>(write.madeBy(this)));
      counts.accept(Map.of("Applied", 1L));
    }
    return results;
  }

  @Override
  public Optional<T> find(Key key) {
    return get(id(key));
  }

  private static String id(Key key) {
    return (String) key.parts().get(0);
  }

  private Outcome<T> applied() {
    return new Outcome.Applied<>(null, false, null);
  }

  @Override
  public Outcome<T> decide(Message message, Key key, Function<T, Decision<T>> function) {
    throw unused();
  }

  @Override
  public Outcome<T> delete(Message message, Key key) {
    throw unused();
  }

  @Override
  public Outcome<T> deleteExisting(Message message, Key key) {
    throw unused();
  }

  @Override
  public Outcome<T> forget(Message message, Key key) {
    throw unused();
  }

  @Override
  public Freshness<T> find(Key key, NotBefore notBefore) {
    throw unused();
  }

  private static UnsupportedOperationException unused() {
    return new UnsupportedOperationException("the views do not ask for that");
  }
}
