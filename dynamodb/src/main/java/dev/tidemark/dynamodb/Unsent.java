package dev.tidemark.dynamodb;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which attempts of the SDK ended before a byte of the request was sent: there was no connection.
 * What the HTTP clients throw is told by its class, or by its name where the client is the user's
 * choice.
 */
final class Unsent {
  /** Of Apache's two clients; and of what comes before any request. */
  private static final Set<String> NAMES =
      Set.of(
          "SSLHandshakeException",
          "ConnectTimeoutException",
          "ConnectionPoolTimeoutException",
          "ConnectionRequestTimeoutException");

  private static final String CONNECT_TIMED_OUT = "connect timed out";

  /** Netty's client says so of its pool. */
  private static final String NO_CONNECTION = "Acquire operation took longer than";

  private static final String HISTORY = " failure: ";

  /** What messages say that only connections which were not made have. */
  private static final List<String> SAYINGS =
      List.of(
          "connection refused",
          CONNECT_TIMED_OUT,
          "connection timed out after",
          NO_CONNECTION.toLowerCase(Locale.ROOT));

  private Unsent() {}

  /** Whether the last attempt that an error is of was not sent. */
  static boolean isUnsent(@Nullable Throwable error) {
    for (Throwable e = error; e != null; e = e.getCause()) {
      if (e instanceof ConnectException
          || e instanceof UnknownHostException
          || e instanceof NoRouteToHostException
          || NAMES.contains(e.getClass().getSimpleName())
          || says(e)) {
        return true;
      }
    }
    return false;
  }

  private static boolean says(Throwable e) {
    String message = String.valueOf(e.getMessage());
    return message.contains(NO_CONNECTION)
        || (e instanceof SocketTimeoutException
            && message.toLowerCase(Locale.ROOT).startsWith(CONNECT_TIMED_OUT));
  }

  /**
   * Whether an earlier attempt was not sent either. The SDK keeps no more of it than its message:
   * that of the last attempt if it ended alike, or one that says so.
   *
   * @param attempt counted from 0
   */
  static boolean wasUnsent(@Nullable Throwable error, int attempt) {
    if (error == null || !isUnsent(error) || attempt >= error.getSuppressed().length) {
      return false;
    }
    String history = String.valueOf(error.getSuppressed()[attempt].getMessage());
    int from = history.indexOf(HISTORY);
    String message = from < 0 ? "" : history.substring(from + HISTORY.length());
    boolean tells = !message.isEmpty() && !message.endsWith("null");
    String said = message.toLowerCase(Locale.ROOT);
    return tells
        && (String.valueOf(error.getMessage()).startsWith(message)
            || SAYINGS.stream().anyMatch(said::contains));
  }
}
