package dev.tidemark.tck;

import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Freshness;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

/** A sound store, of which a mutant gets one thing wrong. */
class MutantStore implements EntityStore<View> {
  final EntityStore<View> sound;

  MutantStore(EntityStore<View> sound) {
    this.sound = sound;
  }

  /** An id under which a write is made that no delivery asked for. */
  static MessageId unasked() {
    return MessageId.of(UUID.randomUUID());
  }

  /** What a mutant takes a message for. */
  Message read(Message message) {
    return message;
  }

  /** What a mutant takes an outcome for. */
  Outcome<View> read(Outcome<View> outcome) {
    return outcome;
  }

  @Override
  public Tracking tracking() {
    return sound.tracking();
  }

  @Override
  public Outcome<View> update(Message message, EntityKey key, Change change) {
    return read(sound.update(read(message), key, change));
  }

  @Override
  public Outcome<View> decide(
      Message message, EntityKey key, Function<View, Decision<View>> function) {
    return read(sound.decide(read(message), key, function));
  }

  @Override
  public Outcome<View> decide(
      Message message,
      EntityKey key,
      Supplier<View> initial,
      Function<View, Decision<View>> function) {
    return read(sound.decide(read(message), key, initial, function));
  }

  @Override
  public Outcome<View> delete(Message message, EntityKey key) {
    return read(sound.delete(read(message), key));
  }

  @Override
  public Outcome<View> deleteExisting(Message message, EntityKey key) {
    return read(sound.deleteExisting(read(message), key));
  }

  @Override
  public Outcome<View> forget(Message message, EntityKey key) {
    return read(sound.forget(read(message), key));
  }

  @Override
  public List<Result<View>> writeAll(List<Write<View>> writes) {
    return sound.writeAll(writes);
  }

  @Override
  public Optional<View> find(EntityKey key) {
    return sound.find(key);
  }

  @Override
  public Freshness<View> find(EntityKey key, NotBefore notBefore) {
    return sound.find(key, new NotBefore(read(notBefore.message()), notBefore.timeout()));
  }
}
