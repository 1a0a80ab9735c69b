package dev.tidemark.execution;

import dev.tidemark.Change;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EntityUpdate;
import dev.tidemark.Freshness;
import dev.tidemark.IdPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** The tracked write of one entity, whose mark says that the work of a key is done. */
final class EntityCompletion<T, R> implements Completion<EntityUpdate, R> {
  private final EntityStore<T> store;
  private final EntityKey key;
  private final Function<? super T, ? extends R> result;

  EntityCompletion(EntityStore<T> store, EntityKey key, Function<? super T, ? extends R> result) {
    this.store = Objects.requireNonNull(store, "store");
    this.key = Objects.requireNonNull(key, "key");
    this.result = Objects.requireNonNull(result, "result");
    IdPolicy ids = store.tracking().messageIds();
    if (ids.last() > 0) {
      throw new IllegalArgumentException(
          "an entity that keeps " + ids + " cannot tell for how long a key's work is known");
    }
  }

  @Override
  public Optional<Duration> toldFor() {
    return store.tracking().messageIds().keptFor();
  }

  @Override
  public Optional<R> find(MessageId message) {
    Freshness<T> found = store.find(key, NotBefore.notBefore(message));
    return found.isFresh() ? Optional.of(told(found.entity())) : Optional.empty();
  }

  @Override
  public Optional<Made<R>> make(MessageId message, EntityUpdate prepared) {
    EntityUpdate update = prepared instanceof Change change ? change.returning() : prepared;
    Outcome<T> outcome = store.update(message, key, update);
    boolean now = outcome instanceof Outcome.Applied || outcome instanceof Outcome.Recorded;
    if (!now && !(outcome instanceof Outcome.Duplicate)) {
      return Optional.empty();
    }
    R told = told(outcome.entity().or(() -> store.find(key)));
    return Optional.of(new Made<>(told, !now));
  }

  private R told(Optional<T> entity) {
    R told = entity.map(result).orElse(null);
    if (told == null) {
      throw new CorruptRecordException(
          "the work of a key is done, and the entity that tells its result is deleted", key, null);
    }
    return told;
  }
}
