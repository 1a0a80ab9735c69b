package dev.tidemark.mongodb;

import com.mongodb.MongoException;
import com.mongodb.MongoSecurityException;
import dev.tidemark.intake.StoreFaults;
import dev.tidemark.kernel.Faults;
import java.util.Set;

/**
 * Tells an {@link dev.tidemark.intake.Intake} which exceptions of the MongoDB driver mean that
 * MongoDB is away. An intake finds this class by itself.
 */
public final class MongoOutages implements StoreFaults {
  /** Unauthorized, AuthenticationFailed. */
  private static final Set<Integer> NO_RIGHTS = Set.of(13, 18);

  /** For {@link java.util.ServiceLoader}. */
  public MongoOutages() {}

  /**
   * No server or no connection, no answer or none that lasts, a server that is overloaded or steps
   * down, a transaction that may simply be tried again, and no right to the collection. The first
   * exception of the driver among the causes decides, since a framework may have translated it, as
   * Spring Data does; none behind a fault of Tidemark's own does.
   */
  @Override
  public boolean isOutage(RuntimeException fault) {
    return Faults.decisive(fault, MongoException.class) instanceof MongoException failure
        && (Errors.isUnsent(failure)
            || Errors.isTransient(failure)
            || failure.hasErrorLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL)
            || failure instanceof MongoSecurityException
            || NO_RIGHTS.contains(failure.getCode()));
  }
}
