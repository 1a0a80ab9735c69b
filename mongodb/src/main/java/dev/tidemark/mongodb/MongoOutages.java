package dev.tidemark.mongodb;

import com.mongodb.MongoException;
import com.mongodb.MongoSecurityException;
import dev.tidemark.intake.StoreFaults;
import dev.tidemark.kernel.Faults;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Tells an {@link dev.tidemark.intake.Intake} which exceptions of the MongoDB driver mean that
 * MongoDB is away. An intake finds this class by itself.
 */
public final class MongoOutages implements StoreFaults {
  /** Unauthorized, AuthenticationFailed. */
  private static final Set<Integer> NO_RIGHTS = Set.of(13, 18);

  private static final String CLOSED = "state should be: open";
  private static final String NO_SESSIONS = "state should be: server session pool is open";
  private static final String CONNECTIONS = "com.mongodb.internal.connection.";

  /** For {@link java.util.ServiceLoader}. */
  public MongoOutages() {}

  /**
   * No server or no connection, no answer or none that lasts, a server that is overloaded or steps
   * down, a transaction that may simply be tried again, no right to the collection, a client that
   * is closed, and a thread that was interrupted while it waited for the server. The first
   * exception of the driver among the causes decides, since a framework may have translated it, as
   * Spring Data does; none behind a fault of Tidemark's own does.
   */
  @Override
  public boolean isOutage(RuntimeException fault) {
    Throwable decisive = Faults.decisive(fault, MongoException.class);
    if (decisive instanceof MongoException failure) {
      return Errors.isUnsent(failure)
          || Errors.isTransient(failure)
          || Errors.isInterruption(failure)
          || failure.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)
          || failure instanceof MongoSecurityException
          || NO_RIGHTS.contains(failure.getCode());
    }
    return decisive == null && isOfClosedClient(Faults.last(fault));
  }

  /** The driver has no class for that; a session that is closed says the same of itself. */
  private static boolean isOfClosedClient(Throwable error) {
    return error instanceof IllegalStateException
        && (NO_SESSIONS.equals(error.getMessage())
            || (CLOSED.equals(error.getMessage())
                && Stream.of(error.getStackTrace())
                    .limit(2)
                    .anyMatch(frame -> frame.getClassName().startsWith(CONNECTIONS))));
  }
}
