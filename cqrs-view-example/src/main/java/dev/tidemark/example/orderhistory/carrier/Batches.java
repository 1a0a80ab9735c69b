package dev.tidemark.example.orderhistory.carrier;

import dev.tidemark.Result;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Hands a carrier's records to the views, and takes poison out: a record that cannot be read, or
 * that no attempt will handle, goes to the dead letters with the reason, and what was held back
 * behind it goes on. For any number of threads.
 *
 * @param <R> the carrier's records
 */
public final class Batches<R> {
  private final Function<R, Delivery> decoder;
  private final Function<List<Delivery>, BatchOutcome<?>> handler;
  private final BiConsumer<R, String> deadLetters;

  /**
   * The way of one carrier.
   *
   * @param decoder makes the delivery of a record; throws {@code IllegalArgumentException} if it
   *     cannot be read
   * @param handler the views
   * @param deadLetters keeps a record and the reason, durably before it returns; what it throws
   *     reaches the caller of {@link #handle}
   */
  public Batches(
      Function<R, Delivery> decoder,
      Function<List<Delivery>, BatchOutcome<?>> handler,
      BiConsumer<R, String> deadLetters) {
    this.decoder = decoder;
    this.handler = handler;
    this.deadLetters = deadLetters;
  }

  private record Read<R>(R record, Delivery delivery) {}

  /**
   * Handles a batch.
   *
   * @param records in the order in which they came
   * @return those that may be acknowledged, the dead letters among them, told apart by identity
   */
  public Set<R> handle(List<R> records) {
    Set<R> done = Collections.newSetFromMap(new IdentityHashMap<>());
    List<Read<R>> left = read(records, done);
    boolean again = true;
    while (again && !left.isEmpty()) {
      List<Read<R>> undone = new ArrayList<>();
      again = handle(left, undone, done);
      left = undone;
    }
    return done;
  }

  private List<Read<R>> read(List<R> records, Set<R> done) {
    List<Read<R>> read = new ArrayList<>();
    for (R record : records) {
      try {
        read.add(new Read<>(record, decoder.apply(record)));
      } catch (IllegalArgumentException e) {
        deadLetters.accept(record, Poison.reason(e));
        done.add(record);
      }
    }
    return read;
  }

  /** Tells whether poison was taken out, so that the rest is worth another attempt. */
  private boolean handle(List<Read<R>> left, List<Read<R>> undone, Set<R> done) {
    List<? extends Result<?>> results =
        handler.apply(left.stream().map(Read::delivery).toList()).results();
    boolean poisoned = false;
    for (int i = 0; i < left.size(); i++) {
      Optional<String> poison = Poison.reason(results.get(i));
      if (poison.isPresent()) {
        deadLetters.accept(left.get(i).record(), poison.get());
        poisoned = true;
      }
      if (poison.isPresent() || results.get(i).isDone()) {
        done.add(left.get(i).record());
      } else {
        undone.add(left.get(i));
      }
    }
    return poisoned;
  }
}
