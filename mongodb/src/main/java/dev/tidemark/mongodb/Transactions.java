package dev.tidemark.mongodb;

import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.connection.ClusterType;
import dev.tidemark.ContentionException;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.kernel.Backoff;
import dev.tidemark.kernel.Uninterrupted;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.bson.Document;

/**
 * Runs bodies in transactions until one is committed: again from the start where others came in
 * between, and the commit alone where its answer was lost. The pauses grow from 5 ms by half to 500
 * ms, with jitter, since without them transactions on one document wait for each other for seconds.
 */
final class Transactions {
  /** The server's word for a transaction that it has ended by itself, or never seen. */
  private static final int NO_SUCH_TRANSACTION = 251;

  private static final TransactionOptions MAJORITY =
      TransactionOptions.builder()
          .readConcern(ReadConcern.SNAPSHOT)
          .writeConcern(WriteConcern.MAJORITY)
          .readPreference(ReadPreference.primary())
          .build();

  private final MongoClient client;
  private final Duration patience;
  private volatile boolean checked;

  /**
   * Transactions of a client.
   *
   * @param patience how long to try again
   */
  Transactions(MongoClient client, Duration patience) {
    this.client = client;
    this.patience = patience;
  }

  /**
   * What is done in a transaction.
   *
   * @param <R> what it gives
   * @param <X> what it may throw, by which the transaction is taken back
   */
  @FunctionalInterface
  interface Body<R, X extends Exception> {
    R run(SessionScope scope) throws X;
  }

  /**
   * Runs a body in a transaction, perhaps several times, until it is committed once, or the body
   * has aborted it. The first error of a call in the session ends an attempt also where the body
   * has caught it, or has thrown another exception in its place: where it says that another attempt
   * may do without it, the body runs again.
   *
   * @param settled looks whether it was committed, where no answer came to the commit
   */
  <R, X extends Exception> R run(Body<R, X> body, BooleanSupplier settled) throws X {
    requireTransactions();
    long start = System.nanoTime();
    Pauses pauses = new Pauses();
    try (ClientSession session = client.startSession()) {
      while (true) {
        session.startTransaction(MAJORITY);
        SessionScope scope = new SessionScope(session);
        R value;
        try {
          value = body.run(scope);
          scope.requireAlive();
        } catch (Exception e) {
          scope.abort();
          MongoException passing = scope.passing(e);
          if (passing != null) {
            again(pauses, start, passing);
            continue;
          }
          if (e instanceof MongoException) {
            scope.requireAlive();
          }
          throw e;
        } catch (Throwable e) {
          scope.abort();
          throw e;
        }
        if (!session.hasActiveTransaction() || commit(session, pauses, start, settled)) {
          return value;
        }
      }
    }
  }

  /** Commits, by an interrupted thread too; false if the whole has to run again. */
  private boolean commit(
      ClientSession session, Pauses pauses, long start, BooleanSupplier settled) {
    boolean unknown = false;
    while (true) {
      try {
        Uninterrupted.run(session::commitTransaction);
        return true;
      } catch (MongoException e) {
        boolean stopped = isStopped(e);
        if (e.hasErrorLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL)
            || Errors.isInterruption(e)
            || SessionScope.isUnsent(e)) {
          if (stopped || isLate(start)) {
            return settledOrUnknown(settled, e);
          }
          unknown |= !SessionScope.isUnsent(e);
          pauses.next();
        } else if (SessionScope.isTransient(e)) {
          if (unknown && isSettled(settled, e)) {
            return true;
          }
          again(pauses, start, e);
          return false;
        } else {
          throw e;
        }
      }
    }
  }

  private static boolean settledOrUnknown(BooleanSupplier settled, MongoException e) {
    if (!isSettled(settled, e)) {
      throw new OutcomeUnknownException("no answer came to the commit of a transaction", null, e);
    }
    return true;
  }

  /** Whether an earlier attempt was carried out; who cannot look must not run the whole again. */
  private static boolean isSettled(BooleanSupplier settled, MongoException e) {
    try {
      return Uninterrupted.call(settled::getAsBoolean);
    } catch (MongoException unread) {
      e.addSuppressed(unread);
      throw new OutcomeUnknownException("no answer came to the commit of a transaction", null, e);
    }
  }

  /** Whether the thread was asked to stop: its pauses would be none. */
  private static boolean isStopped(MongoException e) {
    return Errors.isInterruption(e) || Thread.currentThread().isInterrupted();
  }

  private void again(Pauses pauses, long start, MongoException e) {
    if (isLate(start) || isStopped(e)) {
      throw new ContentionException(reason(e), null, e);
    }
    pauses.next();
  }

  private String reason(MongoException e) {
    if (isStopped(e)) {
      return "the thread of a transaction was interrupted";
    }
    return e.getCode() == NO_SUCH_TRANSACTION
        ? "the server ended a transaction before it was committed, for "
            + patience
            + "; a handler has to be faster than its transactionLifetimeLimitSeconds"
        : "other transactions, or failures, outlasted the " + patience + " that this one was tried";
  }

  private boolean isLate(long start) {
    return System.nanoTime() - start > patience.toNanos();
  }

  /** A server that has none would take each write by itself, or fail in the middle. */
  void requireTransactions() {
    if (checked) {
      return;
    }
    if (type() == ClusterType.UNKNOWN) {
      Document ping = new Document("ping", 1);
      var unused =
          ReadTries.read(Calls.MOST_TRIES, () -> client.getDatabase("admin").runCommand(ping));
    }
    if (type() == ClusterType.STANDALONE) {
      throw new IllegalStateException(
          "the MongoDB server is standalone and has no transactions; start it as a replica set,"
              + " of one node if need be");
    }
    checked = true;
  }

  private ClusterType type() {
    return client.getClusterDescription().getType();
  }

  /** The pauses of one transaction. */
  private static final class Pauses {
    private static final Backoff BACKOFF = Backoff.contending(Duration.ofMillis(5));

    private int attempts;

    void next() {
      attempts++;
      LockSupport.parkNanos(BACKOFF.after(attempts).toNanos());
    }
  }
}
