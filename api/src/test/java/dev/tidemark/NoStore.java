package dev.tidemark;

import java.util.List;
import java.util.Optional;

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
  public Outcome<T> write(Write<T> write) {
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
