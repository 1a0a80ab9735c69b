package dev.tidemark.mongodb;

import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import dev.tidemark.intake.Taken;
import dev.tidemark.intake.Taken.Fate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * What was read of a stream: what waits to be handled, what was and is not done, and the place up
 * to which everything is done. What is not done goes to the handler again with all that comes, so
 * that nothing of its entity overtakes it. For one thread, but for {@link #held}.
 */
final class StreamProgress {
  /** So many changes are read before they are handled. */
  static final int MOST = 1_000;

  private final ChangeStreamIntakeBuilder settings;
  private final List<StreamedChange> waiting = new ArrayList<>();
  private List<StreamedChange> undone = List.of();
  private @Nullable BsonDocument read;
  private @Nullable BsonDocument place;
  private volatile @Nullable HeldChanges held;
  private long triedAt;

  StreamProgress(ChangeStreamIntakeBuilder settings) {
    this.settings = settings;
  }

  /** Goes on from a place; null if there is none. Forgets what is to be read again. */
  void restart(@Nullable BsonDocument place) {
    waiting.clear();
    undone = List.of();
    held = null;
    moveTo(place, place);
  }

  /**
   * Takes what was read.
   *
   * @param upTo where the stream goes on; null where the collection is read
   * @param kept the same, or a little earlier, as a place that another pipeline takes, too
   */
  void add(List<StreamedChange> changes, @Nullable BsonDocument upTo, @Nullable BsonDocument kept) {
    waiting.addAll(changes);
    moveTo(upTo, kept);
  }

  private void moveTo(@Nullable BsonDocument upTo, @Nullable BsonDocument kept) {
    read = upTo;
    place = kept;
  }

  /** Where the stream goes on; null if it has no place. */
  @Nullable BsonDocument readUpTo() {
    return read;
  }

  /** The same, as a place that another pipeline takes, too. */
  @Nullable BsonDocument place() {
    return place;
  }

  /** The place before everything that is not done; null if there is none. */
  @Nullable BsonDocument doneUpTo() {
    if (!undone.isEmpty()) {
      return undone.get(0).before();
    }
    return waiting.isEmpty() ? place : waiting.get(0).before();
  }

  /** How many changes may be read now. */
  int room() {
    return hasRoom() ? MOST - waiting.size() : 0;
  }

  boolean hasRoom() {
    return undone.size() < settings.mostHeld;
  }

  /** Whether something was read that was not handed over yet. */
  boolean waits() {
    return !waiting.isEmpty();
  }

  Optional<HeldChanges> held() {
    return Optional.ofNullable(held);
  }

  /** How long until there is something to handle; zero if there is now. */
  Duration untilDue() {
    HeldChanges last = held;
    if (last == null) {
      return waiting.isEmpty() ? settings.pauses.first() : Duration.ZERO;
    }
    Duration pause = waiting.isEmpty() ? last.pause() : settings.pauses.first();
    long left = pause.toNanos() - (settings.nanos.getAsLong() - triedAt);
    return Duration.ofNanos(Math.max(0, left));
  }

  /** Handles what waits, behind what is not done. */
  void handle() {
    List<StreamedChange> batch = new ArrayList<>(undone);
    batch.addAll(waiting);
    Taken<StreamedChange> taken = take(batch);
    List<Fate<StreamedChange>> left =
        taken.fates().stream().filter(fate -> !fate.handled()).toList();
    long again = taken.fates().subList(0, undone.size()).stream().filter(f -> !f.handled()).count();
    hold(left, again == undone.size());
    undone = left.stream().map(Fate::message).toList();
    waiting.clear();
    triedAt = settings.nanos.getAsLong();
  }

  private Taken<StreamedChange> take(List<StreamedChange> batch) {
    try {
      return settings.intake.take(batch);
    } catch (MongoInterruptedException e) {
      throw e;
    } catch (MongoException e) { // no answer to the stream
      throw new IllegalStateException("the intake's listener failed by an exception of MongoDB", e);
    }
  }

  private void hold(List<Fate<StreamedChange>> left, boolean standsStill) {
    HeldChanges last = standsStill ? held : null;
    if (left.isEmpty()) {
      held = null;
      return;
    }
    int attempts = last == null ? 1 : last.attempts() + 1;
    Instant since = last == null ? settings.clock.instant() : last.since();
    String reason = left.get(0).reason();
    held = new HeldChanges(left.size(), reason, since, attempts, settings.pauses.after(attempts));
  }
}
