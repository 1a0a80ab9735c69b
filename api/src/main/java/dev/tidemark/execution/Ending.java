package dev.tidemark.execution;

import dev.tidemark.MessageId;
import dev.tidemark.execution.Completion.Made;
import dev.tidemark.kernel.Misuse;
import dev.tidemark.kernel.Uninterrupted;
import java.time.Duration;
import java.util.Comparator;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * How the work of a key ends, and what knows that it has.
 *
 * @param <V> what the work gives
 * @param <R> the result
 */
sealed interface Ending<V, R> {
  /**
   * The point of a record whose work ends in a write elsewhere, which may have been made; its value
   * is the message of that write. Steps cannot have its name.
   */
  String BY_WRITE = "!completion";

  /** What gives a result, where it has no name of its own. */
  String WORK = "the work";

  /** The type by which a result is stored. */
  Class<R> type();

  /** The result, where something else than the record knows it, by the message of the write. */
  Optional<R> told(MessageId message);

  /** Whether something else than the record may know the result. */
  boolean isByWrite();

  /** For how long something else than the record knows the result; 0 if not at all, or for ever. */
  Duration toldFor();

  /** Whether what else knows the result may have forgotten it after so much time. */
  boolean mayForgetIn(Duration time);

  /** Ends the work with what it gave. */
  Execution<R> end(Owner owner, @Nullable V value);

  /** Ends work that has failed for good, unless something else than the record knows a result. */
  Execution<R> fail(Owner owner, String code);

  /**
   * By the owner's last write, which stores the result.
   *
   * @param what gives the result, for the text of a fault
   */
  record ByRecord<R>(Class<R> type, String what) implements Ending<R, R> {
    ByRecord(Class<R> type) {
      this(type, WORK);
    }

    @Override
    public Optional<R> told(MessageId message) {
      return Optional.empty();
    }

    @Override
    public boolean isByWrite() {
      return false;
    }

    @Override
    public Duration toldFor() {
      return Duration.ZERO;
    }

    @Override
    public boolean mayForgetIn(Duration time) {
      return false;
    }

    @Override
    public Execution<R> end(Owner owner, @Nullable R value) {
      return new Execution.Executed<>(owner.complete(type, owner.given(what, value)));
    }

    @Override
    public Execution<R> fail(Owner owner, String code) {
      return new Execution.Failed<>(owner.fail(code), false);
    }
  }

  /** By a write of what the work gives, which tells of itself. */
  record ByWrite<C, R>(Class<R> type, Completion<C, R> completion) implements Ending<C, R> {
    /** What is stored where the write was refused. */
    private static final String REFUSED = "refused";

    @Override
    public Optional<R> told(MessageId message) {
      return completion.find(message);
    }

    @Override
    public boolean isByWrite() {
      return true;
    }

    @Override
    public Duration toldFor() {
      return completion.toldFor().orElse(Duration.ZERO);
    }

    @Override
    public boolean mayForgetIn(Duration time) {
      return surelyTold().filter(told -> told.compareTo(time) < 0).isPresent();
    }

    /** For how long the write is told, whatever becomes of it; empty if for ever. */
    private Optional<Duration> surelyTold() {
      return Stream.of(completion.toldFor(), completion.toldIfDeletedFor())
          .flatMap(Optional::stream)
          .min(Comparator.naturalOrder());
    }

    /** Requires that the write is told while a record may be without it. */
    void requireTold(Duration unfinishedFor) {
      Optional<Duration> told = surelyTold();
      if (told.isPresent() && told.get().compareTo(unfinishedFor) < 0) {
        throw new Misuse.Argument(
            "the write of a completion can be found for "
                + told.get()
                + " only, and unfinished executions are kept for "
                + unfinishedFor
                + "; let the entity keep message IDs and tombstones for at least as long, or shorten"
                + " unfinishedFor");
      }
    }

    @Override
    public Execution<R> end(Owner owner, @Nullable C prepared) {
      C given = owner.given(WORK, prepared);
      if (!owner.stillHolds()) { // and who has the key may have made the write
        return Uninterrupted.call(() -> completion.find(owner.message()))
            .<Execution<R>>map(found -> new Execution.Replayed<>(owner.readBack(type, found)))
            .orElseGet(owner::stopped);
      }
      MessageId message = owner.beginWrite();
      Optional<Made<R>> made = asked(owner, () -> completion.make(message, given));
      if (made.isEmpty()) {
        return new Execution.Failed<>(owner.fail(REFUSED), false);
      }
      R result = owner.told(type, made.get().result());
      return made.get().before()
          ? new Execution.Replayed<>(result)
          : new Execution.Executed<>(result);
    }

    @Override
    public Execution<R> fail(Owner owner, String code) {
      Optional<R> made =
          owner.isTried() ? asked(owner, () -> completion.find(owner.message())) : Optional.empty();
      return made.isPresent()
          ? new Execution.Replayed<>(owner.told(type, made.get()))
          : new Execution.Failed<>(owner.fail(code), false);
    }

    /** What it throws is no failure of the work: the write may have been made. */
    private static <T> T asked(Owner owner, Supplier<T> completion) {
      try {
        return Uninterrupted.call(completion::get);
      } catch (Throwable e) {
        owner.release(e);
        throw e;
      }
    }
  }
}
