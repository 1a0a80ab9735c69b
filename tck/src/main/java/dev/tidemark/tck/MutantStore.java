package dev.tidemark.tck;

import dev.tidemark.Change;
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

  /** What a mutant makes of a change. */
  Outcome<View> updated(Message message, EntityKey key, Change change) {
    return sound.update(message, key, change);
  }

  @Override
  public Outcome<View> write(Write<View> write) {
    Message message = read(write.message());
    Outcome<View> outcome =
        write.action() instanceof Write.Action.Update<View> update
                && update.update() instanceof Change change
            ? updated(message, write.key(), change)
            : sound.write(new Write<>(message, write.key(), write.action(), write.laneOrNull()));
    return read(outcome);
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
