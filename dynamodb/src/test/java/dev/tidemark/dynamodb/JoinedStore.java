package dev.tidemark.dynamodb;

import dev.tidemark.AsyncEntityStore;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Freshness;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.util.List;
import java.util.Optional;

/** An asynchronous store whose futures are waited for, so that contracts can be run on it. */
record JoinedStore<T>(AsyncEntityStore<T> store) implements EntityStore<T> {
  @Override
  public Tracking tracking() {
    return store.tracking();
  }

  @Override
  public Outcome<T> write(Write<T> write) {
    return Transport.join(store.write(write));
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
