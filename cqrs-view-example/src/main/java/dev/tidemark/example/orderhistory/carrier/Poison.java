package dev.tidemark.example.orderhistory.carrier;

import com.mongodb.MongoException;
import dev.tidemark.Result;
import dev.tidemark.TidemarkException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import software.amazon.awssdk.core.exception.SdkException;

/** Tells messages that no attempt will ever handle from those that only want another one. */
public final class Poison {
  private static final List<String> CLIENTS =
      List.of("software.amazon.awssdk.", "org.apache.http.", "org.apache.hc.", "com.mongodb.");

  private Poison() {}

  /**
   * Why a message is for the dead letters.
   *
   * @param result what became of it
   * @return the fault's class and text; empty if it is done, or may be once it comes again: because
   *     the store could not be reached, something before it is missing, or others were writing
   */
  public static Optional<String> reason(Result<?> result) {
    return result instanceof Result.Failed<?> failed && isPoison(failed.fault())
        ? Optional.of(reason(failed.fault()))
        : Optional.empty();
  }

  /**
   * A fault as a reason.
   *
   * @param fault what handling the message threw
   * @return its class, and its text as far as it quotes no values
   */
  public static String reason(Exception fault) {
    String type = fault.getClass().getSimpleName();
    return fault instanceof TidemarkException || fault instanceof IllegalArgumentException
        ? type + ": " + fault.getMessage()
        : type;
  }

  private static boolean isPoison(RuntimeException fault) {
    if (fault instanceof TidemarkException tidemark) {
      return !tidemark.isRetryable();
    }
    return !(fault instanceof SdkException || fault instanceof MongoException || isClosed(fault));
  }

  /** Clients that were closed, as at a shutdown, say so by an exception that is not their own. */
  private static boolean isClosed(RuntimeException fault) {
    return fault instanceof IllegalStateException
        && Stream.of(fault.getStackTrace())
            .limit(1)
            .map(StackTraceElement::getClassName)
            .anyMatch(thrower -> CLIENTS.stream().anyMatch(thrower::startsWith));
  }
}
