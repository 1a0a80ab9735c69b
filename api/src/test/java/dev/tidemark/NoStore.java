package dev.tidemark;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** A store without entities, of which a test has the calls that it is about. */
abstract class NoStore<T> implements EntityStore<T> {
  private static UnsupportedOperationException unused() {
    return new UnsupportedOperationException("not of this test");
  }

  @Override
  public Tracking tracking() {
    return Tracking.defaults();
  }

  @Override
  public Outcome<T> update(Message message, EntityKey key, Change change) {
    throw unused();
  }

  @Override
  public Outcome<T> decide(Message message, EntityKey key, Function<T, Decision<T>> function) {
    throw unused();
  }

  @Override
  public Outcome<T> decide(
      Message message, EntityKey key, Supplier<T> initial, Function<T, Decision<T>> function) {
    throw unused();
  }

  @Override
  public Outcome<T> delete(Message message, EntityKey key) {
    throw unused();
  }

  @Override
  public Outcome<T> deleteExisting(Message message, EntityKey key) {
    throw unused();
  }

  @Override
  public Outcome<T> forget(Message message, EntityKey key) {
    throw unused();
  }

  @Override
  public List<Result<T>> writeAll(List<Write<T>> writes) {
    throw unused();
  }

  @Override
  public Optional<T> find(EntityKey key) {
    throw unused();
  }

  @Override
  public Freshness<T> find(EntityKey key, NotBefore notBefore) {
    throw unused();
  }
}
