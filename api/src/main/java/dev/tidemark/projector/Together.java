package dev.tidemark.projector;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.kernel.Faults;
import dev.tidemark.transaction.Committed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A batch with transactions in it, taken in pieces: the deliveries between two transactions are a
 * batch of their own. Nothing is tried behind a piece that is not done as a whole, since what is
 * left of it may come before the rest in its source.
 */
final class Together<T> {
  private final Handlers<T> handlers;
  private final List<Delivery> deliveries;
  private final List<Result<T>> results = new ArrayList<>();

  Together(Handlers<T> handlers, List<Delivery> deliveries) {
    this.handlers = handlers;
    this.deliveries = List.copyOf(deliveries);
  }

  /** One piece of a batch: a transaction, or deliveries without one. */
  record Piece<T>(List<Delivery> deliveries, @Nullable Supplier<Outcome<T>> transaction) {}

  /** The next piece; null if there is nothing left to try. */
  @Nullable Piece<T> next() {
    int from = results.size();
    if (from == deliveries.size() || undone() != null) {
      return null;
    }
    Supplier<Outcome<T>> first = transaction(deliveries.get(from));
    int to = from + 1;
    while (first == null && to < deliveries.size() && transaction(deliveries.get(to)) == null) {
      to++;
    }
    return new Piece<>(deliveries.subList(from, to), first);
  }

  /** The transaction of a delivery; what else it does, its own batch tells, faults too. */
  private @Nullable Supplier<Outcome<T>> transaction(Delivery delivery) {
    try {
      return handlers.handler(delivery.event().getClass()).transacts()
          ? handlers.doing(delivery).transaction()
          : null;
    } catch (Throwable e) {
      var unused = Faults.unchecked(e);
      return null;
    }
  }

  /** Takes what became of a piece. */
  void done(List<Result<T>> piece) {
    results.addAll(piece);
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
    Message undone = undone();
    List<Result<T>> all = new ArrayList<>(results);
    while (undone != null && all.size() < deliveries.size()) {
      all.add(new Result.HeldBack<>(undone));
    }
    return new BatchOutcome<>(deliveries, all);
  }

  private @Nullable Message undone() {
    for (int i = 0; i < results.size(); i++) {
      if (!results.get(i).isDone()) {
        return deliveries.get(i).message();
      }
    }
    return null;
  }

  /** What is not done is told before a refusal that is, and both before all else. */
  private static int weight(Outcome<?> outcome) {
    return !outcome.isDone() ? 2 : outcome instanceof Outcome.Refused ? 1 : 0;
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
    if (told == null || (told.isDone() && !committed.isDone())) {
      throw committed.refused().isEmpty()
          ? new CorruptRecordException(
              "some entities of a transaction remember its message and others do not: one was"
                  + " written outside of the transaction, and a person has to correct its marks",
              null,
              null)
          : new IllegalStateException(
              "writes " + committed.refused() + " of a transaction's own were refused");
    }
    return (Outcome<T>) told;
  }
}
