package dev.tidemark.mongodb;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import dev.failsafe.RetryPolicy;
import dev.tidemark.ContentionException;
import dev.tidemark.Key;
import dev.tidemark.TooLargeException;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.TrackedCall;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the rounds of one call until one has an answer, with growing pauses and jitter. */
final class MongoRetries {
  private static final int ROUNDS = 40;

  private static final RetryPolicy<Object> POLICY =
      RetryPolicy.builder()
          .handle(AgainException.class)
          .withMaxAttempts(ROUNDS)
          .withBackoff(Duration.ofMillis(2), Duration.ofMillis(500), 1.5)
          .withJitter(0.5)
          .build();

  /** A round that has to be run again. */
  private static final class AgainException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AgainException(@Nullable Throwable cause) {
      super(null, cause, false, false);
    }
  }

  /** What a caller's own function threw: the caller gets it as it is. */
  private static final class OwnException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final RuntimeException own;

    OwnException(RuntimeException own) {
      super(null, own, false, false);
      this.own = own;
    }
  }

  private final MongoRun<?> run;
  private final TrackedCall call;
  private boolean uncertain;

  private MongoRetries(MongoRun<?> run) {
    this.run = run;
    this.call = run.call();
  }

  /** Runs a function of the caller's, inside a round. */
  static <R> R own(Supplier<R> function) {
    try {
      return function.get();
    } catch (RuntimeException e) {
      throw new OwnException(e);
    }
  }

  /**
   * Runs rounds.
   *
   * @param run the call that they are of
   * @param round one look and at most one write; empty if another writer came between
   */
  static <R> R run(MongoRun<?> run, Supplier<Optional<R>> round) {
    return new MongoRetries(run).run(round);
  }

  /** A read inside a round: that it fails leaves nothing uncertain. */
  static <R> R reading(Supplier<R> read) {
    try {
      return read.get();
    } catch (MongoException e) {
      MongoErrors.Kind kind = MongoErrors.kind(e);
      boolean again = kind == MongoErrors.Kind.UNCERTAIN || kind == MongoErrors.Kind.CONTENTION;
      throw again && !MongoErrors.isInterruption(e) ? new AgainException(e) : e;
    }
  }

  /**
   * Reads for several calls at once, again after failures that pass.
   *
   * @throws ContentionException if none of the tries had an answer
   */
  static <R> R persistently(Supplier<R> read) {
    try {
      return Failsafe.with(POLICY).get(() -> reading(read));
    } catch (AgainException e) {
      throw outlasted("throttling or failures", null, e.getCause());
    }
  }

  /**
   * Writes for several calls at once, again where the server refused the whole for now.
   *
   * @param refused is told each time
   */
  static <R> R contending(Supplier<R> write, Consumer<RuntimeException> refused) {
    try {
      return Failsafe.with(POLICY).get(() -> unlessContended(write, refused));
    } catch (AgainException e) {
      throw outlasted("throttling or failures", null, e.getCause());
    }
  }

  private static <R> R unlessContended(Supplier<R> write, Consumer<RuntimeException> refused) {
    try {
      return write.get();
    } catch (MongoBulkWriteException e) {
      throw e;
    } catch (MongoException e) {
      if (MongoErrors.kind(e) != MongoErrors.Kind.CONTENTION) {
        throw e;
      }
      refused.accept(e);
      throw new AgainException(e);
    }
  }

  private <R> R run(Supplier<Optional<R>> round) {
    try {
      return Failsafe.with(POLICY).get(() -> once(round));
    } catch (OwnException e) {
      throw e.own;
    } catch (AgainException e) {
      throw atTheEnd(e.getCause());
    } catch (FailsafeException e) {
      if (e.getCause() instanceof InterruptedException) {
        Thread.currentThread().interrupt();
      }
      throw atTheEnd(e);
    }
  }

  private RuntimeException atTheEnd(@Nullable Throwable cause) {
    return uncertain
        ? call.unknown(cause)
        : outlasted("other writers, throttling or failures", call.key(), cause);
  }

  /** What could not be reached at all is the driver's to say. */
  private static RuntimeException outlasted(
      String what, @Nullable Key key, @Nullable Throwable cause) {
    return cause instanceof MongoException unsent && MongoErrors.isUnsent(unsent)
        ? unsent
        : new ContentionException(what + " outlasted " + ROUNDS + " tries", key, cause);
  }

  private <R> R once(Supplier<Optional<R>> round) {
    try {
      return round.get().orElseThrow(() -> new AgainException(null));
    } catch (AgainException | OwnException e) {
      throw e;
    } catch (RuntimeException e) {
      throw decoded(e);
    }
  }

  private RuntimeException decoded(RuntimeException e) {
    switch (MongoErrors.kind(e)) {
      case KEY_TAKEN -> {
        run.requireRouting();
        return new AgainException(Faults.silent(e));
      }
      case CONTENTION -> {
        if (run.transport().mayHideAttempt(e)) {
          call.attemptWasUncertain();
        }
        return new AgainException(e);
      }
      case UNCERTAIN -> {
        call.attemptWasUncertain();
        uncertain = true;
        return MongoErrors.isInterruption(e) ? call.unknown(e) : new AgainException(e);
      }
      case TOO_LARGE -> {
        return new TooLargeException(
            "the document would exceed MongoDB's 16,777,216 bytes, marks included"
                + MongoErrors.size(e)
                + "; store less in it, or keep fewer message IDs and sources",
            call.key(),
            e);
      }
      default -> {
        return uncertain && e instanceof MongoException
            ? call.unknown(e)
            : Faults.withKey(MongoFaults.of(e, call.key()), call.key());
      }
    }
  }
}
