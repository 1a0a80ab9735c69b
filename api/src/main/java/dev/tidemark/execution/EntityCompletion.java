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
import dev.tidemark.kernel.Misuse;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/** The tracked write of one entity, whose mark says that the work of a key is done. */
final class EntityCompletion<T, R> implements Completion<EntityUpdate, R> {
  private final EntityStore<T> store;
  private final EntityKey key;
  private final Function<Optional<T>, R> result;
  private final boolean asksForEntity;

  private EntityCompletion(
      EntityStore<T> store, EntityKey key, Function<Optional<T>, R> result, boolean asksForEntity) {
    this.store = Misuse.given("store", store);
    this.key = Misuse.given("key", key);
    this.result = result;
    this.asksForEntity = asksForEntity;
    IdPolicy ids = store.tracking().messageIds();
    if (ids.last() > 0) {
      throw new Misuse.Argument(
          "a completion needs an entity that keeps message IDs for a time or for ever, but it"
              + " keeps "
              + ids
              + "; use IdPolicy.keptFor() or forEver()");
    }
  }

  static <T, R> EntityCompletion<T, R> telling(
      EntityStore<T> store, EntityKey key, Function<? super T, ? extends R> result) {
    Misuse.given("result", result);
    return new EntityCompletion<>(store, key, entity -> told(entity, key, result), true);
  }

  static <T> EntityCompletion<T, Boolean> silent(EntityStore<T> store, EntityKey key) {
    return new EntityCompletion<>(store, key, entity -> Boolean.TRUE, false);
  }

  @Override
  public Optional<Duration> toldFor() {
    return store.tracking().messageIds().keptFor();
  }

  @Override
  public Optional<Duration> toldIfDeletedFor() {
    Duration tombstone = store.tracking().tombstonesKeptFor();
    return toldFor().filter(ids -> ids.compareTo(tombstone) < 0).or(() -> Optional.of(tombstone));
  }

  @Override
  public Optional<R> find(MessageId message) {
    Freshness<T> found = store.find(key, NotBefore.notBefore(message));
    return found.isFresh() ? Optional.of(result.apply(found.entity())) : Optional.empty();
  }

  @Override
  public Optional<Made<R>> make(MessageId message, EntityUpdate prepared) {
    if (prepared.rules().skipsOtherwise()) {
      throw new Misuse.Argument(
          "the update of a completion must not have otherwiseSkip(): its mark would say of a"
              + " refused update that the work is done; leave otherwiseSkip() out");
    }
    EntityUpdate update =
        asksForEntity && prepared instanceof Change change ? change.returning() : prepared;
    Outcome<T> outcome = store.update(message, key, update);
    if (outcome instanceof Outcome.Missing) {
      throw new Misuse.State(
          "the entity that the completion of a key writes is not there: nothing was written, and a"
              + " later call tries again; let it be created first, or use createIfMissing()");
    }
    boolean now = outcome instanceof Outcome.Applied || outcome instanceof Outcome.Recorded;
    if (!now && !(outcome instanceof Outcome.Duplicate)) {
      return Optional.empty();
    }
    Optional<T> entity =
        asksForEntity ? outcome.entity().or(() -> store.find(key)) : Optional.empty();
    return Optional.of(new Made<>(result.apply(entity), !now));
  }

  private static <T, R> R told(
      Optional<T> entity, EntityKey key, Function<? super T, ? extends R> result) {
    R told = entity.map(result).orElse(null);
    if (told == null) {
      throw new CorruptRecordException(
          "the work of a key is done, and the entity that tells its result is deleted", key, null);
    }
    return told;
  }
}
