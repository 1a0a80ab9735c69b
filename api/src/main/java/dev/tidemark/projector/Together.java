package dev.tidemark.projector;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.EntityKey;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Holds;
import dev.tidemark.kernel.Turns;
import dev.tidemark.transaction.Committed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A batch with transactions in it, taken in pieces: the deliveries between two transactions are a
 * batch of their own. Events of one source stand by position, as in every batch.
 *
 * <p>Nobody knows of which entities a transaction is, and which of them drop what is late. So it
 * waits for all earlier events of its source, and later ones of its source wait for it, as they do
 * for a delivery that fails before its entity is known. Nothing else waits: what is not done may
 * need what is behind it.
 */
final class Together<T> {
  private final Handlers<T> handlers;
  private final List<Delivery> deliveries;
  private final List<Told<T>> told;

  /** Writes of the unknown entity, by which deliveries are ordered and wait. */
  private final List<Write<T>> shown;

  private final List<Integer> turns;
  private final List<@Nullable Result<T>> results;
  private final Holds ofEntities;
  private final Holds ofAny;
  private final Holds ofUnknown;
  private List<Integer> piece = List.of();
  private int turn;

  Together(Tracking tracking, Handlers<T> handlers, List<Delivery> deliveries) {
    this.handlers = handlers;
    this.deliveries = List.copyOf(deliveries);
    this.told = handlers.told(this.deliveries);
    EntityKey unknown = Told.nobodys();
    this.shown = told.stream().map(one -> shown(one, unknown)).toList();
    this.turns = Turns.of(shown);
    this.results = new ArrayList<>(Collections.nCopies(turns.size(), null));
    this.ofEntities = new Holds(tracking);
    this.ofAny = Holds.ofAll(tracking);
    this.ofUnknown = Holds.ofAll(tracking);
  }

  /** In its source nothing waits for what is ignored, nor for what may be of another source. */
  private Write<T> shown(Told<T> one, EntityKey unknown) {
    Message message = one.message();
    return handlers.inItsLane(
        one.delivery(),
        message == null || one.isIgnored() ? one.alone() : Write.skip(message, unknown));
  }

  /** One piece of a batch: a transaction, or deliveries without one. */
  record Piece<T>(List<Told<T>> told, @Nullable Supplier<Outcome<T>> transaction) {}

  /** The next piece; null if there is nothing left to try. */
  @Nullable Piece<T> next() {
    piece = new ArrayList<>();
    for (; turn < turns.size(); turn++) {
      int index = turns.get(turn);
      Handlers.Doing<T> doing = told.get(index).doing();
      Supplier<Outcome<T>> transaction = doing == null ? null : doing.transaction();
      boolean counts = ofEntities.countedBy(write(index)) != null;
      if (!piece.isEmpty() && (transaction != null || counts)) {
        break;
      }
      Message awaited = doing == null ? null : awaited(index, transaction != null);
      if (awaited != null) {
        end(index, new Result.HeldBack<>(awaited));
        continue;
      }
      piece.add(index);
      if (transaction != null) {
        turn++;
        return new Piece<>(List.of(told.get(index)), transaction);
      }
    }
    return piece.isEmpty() ? null : new Piece<>(piece.stream().map(told::get).toList(), null);
  }

  /** The write that a delivery makes; null where its entities are not known. */
  private @Nullable Write<T> own(int index) {
    Handlers.Doing<T> doing = told.get(index).doing();
    return doing == null || doing.write() == null
        ? null
        : handlers.inItsLane(deliveries.get(index), doing.write());
  }

  /** The same, or that of the unknown entity. */
  private Write<T> write(int index) {
    Write<T> own = own(index);
    return own == null ? shown.get(index) : own;
  }

  private @Nullable Message awaited(int index, boolean transacts) {
    Message awaited = told.get(index).behind();
    if (awaited == null) {
      awaited = (transacts ? ofAny : ofUnknown).awaitedBy(shown.get(index));
    }
    return awaited == null ? ofEntities.awaitedBy(write(index)) : awaited;
  }

  /** Takes what became of a piece. */
  void done(List<Result<T>> ended) {
    for (int i = 0; i < ended.size(); i++) {
      end(piece.get(i), ended.get(i));
    }
  }

  private void end(int index, Result<T> result) {
    results.set(index, result);
    ofEntities.ended(write(index), result);
    ofAny.ended(shown.get(index), result);
    if (own(index) == null) {
      ofUnknown.ended(shown.get(index), result);
    }
  }

  /** What became of a transaction. */
  static <T> Result<T> result(Supplier<Outcome<T>> transaction) {
    try {
      return new Result.Judged<>(transaction.get());
    } catch (Throwable e) {
      return new Result.Failed<>(Faults.unchecked(e));
    }
  }

  BatchOutcome<T> outcome() {
    return new BatchOutcome<>(
        deliveries, results.stream().<Result<T>>map(Objects::requireNonNull).toList());
  }

  /** What is not done is told before a refusal that is, and both before all else. */
  private static int weight(Outcome<?> outcome) {
    return !outcome.isDone() ? 2 : outcome instanceof Outcome.Refused ? 1 : 0;
  }

  private static boolean has(Committed committed, Class<?> outcome) {
    return committed.outcomes().stream().flatMap(Optional::stream).anyMatch(outcome::isInstance);
  }

  /** The one outcome of a delivery that has written several entities, or none. */
  @SuppressWarnings("unchecked") // an outcome without a write has no entity of another type
  static <T> Outcome<T> outcome(Committed committed) {
    Outcome<?> told = null;
    for (Optional<Outcome<?>> one : committed.outcomes()) {
      boolean tells = one.isPresent() && (one.get().isDone() || !committed.isDone());
      if (tells && (told == null || weight(one.get()) > weight(told))) {
        told = one.get();
      }
    }
    if (told != null && told.isDone() == committed.isDone()) {
      return (Outcome<T>) told;
    }
    if (!committed.refused().isEmpty()) {
      throw new IllegalStateException(
          "writes " + committed.refused() + " of a transaction's own were refused");
    }
    if (has(committed, Outcome.Deleted.class) && !has(committed, Outcome.Duplicate.class)) {
      return new Outcome.Missing<>(); // the deleted entity takes no part, and nobody has recorded
    }
    throw new CorruptRecordException(
        "some entities of a transaction remember its message and others do not: one was"
            + " written outside of the transaction, or has forgotten the message since; a"
            + " person has to look, and to correct its marks",
        null,
        null);
  }
}
