package dev.tidemark.dynamodb;

import dev.tidemark.AsyncEntityStore;
import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Freshness;
import dev.tidemark.Message;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** An asynchronous store whose futures are waited for, so that contracts can be run on it. */
record JoinedStore<T>(AsyncEntityStore<T> store) implements EntityStore<T> {
  @Override
  public Tracking tracking() {
    return store.tracking();
  }

  @Override
  public Outcome<T> update(Message message, EntityKey key, Change change) {
    return Transport.join(store.update(message, key, change));
  }

  @Override
  public Outcome<T> decide(Message message, EntityKey key, Function<T, Decision<T>> function) {
    return Transport.join(store.decide(message, key, function));
  }

  @Override
  public Outcome<T> decide(
      Message message, EntityKey key, Supplier<T> initial, Function<T, Decision<T>> function) {
    return Transport.join(store.decide(message, key, initial, function));
  }

  @Override
  public Outcome<T> apply(Message message, EntityKey key, UnaryOperator<T> function) {
    return Transport.join(store.apply(message, key, function));
  }

  @Override
  public Outcome<T> apply(
      Message message, EntityKey key, Supplier<T> initial, UnaryOperator<T> function) {
    return Transport.join(store.apply(message, key, initial, function));
  }

  @Override
  public Outcome<T> skip(Message message, EntityKey key) {
    return Transport.join(store.skip(message, key));
  }

  @Override
  public Outcome<T> delete(Message message, EntityKey key) {
    return Transport.join(store.delete(message, key));
  }

  @Override
  public Outcome<T> deleteExisting(Message message, EntityKey key) {
    return Transport.join(store.deleteExisting(message, key));
  }

  @Override
  public Outcome<T> forget(Message message, EntityKey key) {
    return Transport.join(store.forget(message, key));
  }

  @Override
  public List<Result<T>> writeAll(List<Write<T>> writes) {
    return Transport.join(store.writeAll(writes));
  }

  @Override
  public Optional<T> find(EntityKey key) {
    return Transport.join(store.find(key));
  }

  @Override
  public Freshness<T> find(EntityKey key, NotBefore notBefore) {
    return Transport.join(store.find(key, notBefore));
  }
}
