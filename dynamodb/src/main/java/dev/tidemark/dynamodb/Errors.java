package dev.tidemark.dynamodb;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.core.exception.AbortedException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

/**
 * What the SDK's exceptions say of a request and of the attempts that the SDK made for it: it
 * repeats a write whose reply was lost as if it were new. What the caller gets is told by {@link
 * Faults}.
 */
final class Errors {
  /** What an error says of the request that it ended. */
  enum Kind {
    /** The condition was false; nothing was written. */
    REFUSED,
    /** The store did not carry the request out, and may if asked again. */
    CONTENDED,
    /** Whether the request was carried out is not known; another try may tell. */
    UNCERTAIN,
    /** The same, and the caller does not want another try. */
    ABANDONED,
    /** The request cannot be carried out; nothing was written. */
    FAULT
  }

  private static final Set<String> CONTENDED =
      Set.of(
          "ProvisionedThroughputExceededException",
          "ThrottlingException",
          "Throttling",
          "RequestLimitExceeded",
          "TransactionConflictException",
          "TransactionInProgressException",
          "ReplicatedWriteConflictException");

  /** What Apache's two HTTP clients throw where there is no connection, by name. */
  private static final Set<String> UNSENT =
      Set.of(
          "SSLHandshakeException",
          "ConnectTimeoutException",
          "ConnectionPoolTimeoutException",
          "ConnectionRequestTimeoutException");

  private static final String CONNECT_TIMED_OUT = "connect timed out";

  /** Netty's client says so of its pool. */
  private static final String NO_CONNECTION = "Acquire operation took longer than";

  /** What messages say that only connections which were not made have. */
  private static final List<String> SAYINGS =
      List.of(
          "connection refused",
          CONNECT_TIMED_OUT,
          "connection timed out after",
          NO_CONNECTION.toLowerCase(Locale.ROOT));

  /** The SDK keeps no more of an earlier attempt than a message, which starts so. */
  private static final String HISTORY = " failure: ";

  /** The server has said no, so that nothing was written. */
  private static final Pattern SAID_NO = Pattern.compile("Status Code: 4\\d\\d\\b");

  private Errors() {}

  static Throwable unwrap(Throwable error) {
    Throwable inner = error;
    while ((inner instanceof CompletionException || inner instanceof ExecutionException)
        && inner.getCause() != null) {
      inner = inner.getCause();
    }
    return inner;
  }

  static Kind kind(Throwable error) {
    if (error instanceof ConditionalCheckFailedException) {
      return Kind.REFUSED;
    }
    if (error instanceof DynamoDbException service) {
      return CONTENDED.contains(code(service)) || service.isThrottlingException()
          ? Kind.CONTENDED
          : service.statusCode() >= 500 || service.statusCode() < 400 ? Kind.UNCERTAIN : Kind.FAULT;
    }
    if (error instanceof AbortedException
        || error instanceof ApiCallTimeoutException
        || error instanceof CancellationException) {
      return Kind.ABANDONED;
    }
    boolean attempted = error instanceof SdkException sdk && sdk.numAttempts() != null;
    return (attempted || hasCause(error, Errors::isTransport)) && !hasCause(error, Errors::isUnsent)
        ? Kind.UNCERTAIN
        : Kind.FAULT;
  }

  private static boolean hasCause(@Nullable Throwable error, Predicate<Throwable> kind) {
    return error != null && (kind.test(error) || hasCause(error.getCause(), kind));
  }

  private static boolean isTransport(Throwable error) {
    return error instanceof IOException
        || error instanceof TimeoutException
        || error instanceof RetryableException
        || error instanceof ApiCallAttemptTimeoutException;
  }

  /** Whether an attempt ended before a byte of the request was sent. */
  private static boolean isUnsent(Throwable error) {
    String message = String.valueOf(error.getMessage());
    return error instanceof ConnectException
        || error instanceof UnknownHostException
        || error instanceof NoRouteToHostException
        || UNSENT.contains(error.getClass().getSimpleName())
        || message.contains(NO_CONNECTION)
        || (error instanceof SocketTimeoutException
            && message.toLowerCase(Locale.ROOT).startsWith(CONNECT_TIMED_OUT));
  }

  /** How often the SDK tried again. */
  static int repeats(@Nullable Throwable error) {
    Integer attempts = error instanceof SdkException sdk ? sdk.numAttempts() : null;
    return attempts == null ? 0 : attempts - 1;
  }

  /** Whether an attempt of the SDK's before the last may have been carried out. */
  static boolean wereUncertain(Throwable error) {
    Throwable[] earlier = error.getSuppressed();
    for (int attempt = 0; attempt < repeats(error); attempt++) {
      if (attempt >= earlier.length
          || !isCertain(String.valueOf(earlier[attempt].getMessage()), error)) {
        return true;
      }
    }
    return false;
  }

  /** Whether an earlier attempt was refused, or not sent: like the last, or by what it says. */
  private static boolean isCertain(String history, Throwable last) {
    int from = history.indexOf(HISTORY);
    String message = from < 0 ? "" : history.substring(from + HISTORY.length());
    if (SAID_NO.matcher(message).find()) {
      return true;
    }
    boolean tells = !message.isEmpty() && !message.endsWith("null");
    String said = message.toLowerCase(Locale.ROOT);
    return tells
        && hasCause(last, Errors::isUnsent)
        && (String.valueOf(last.getMessage()).startsWith(message)
            || SAYINGS.stream().anyMatch(said::contains));
  }

  static String code(Throwable error) {
    String code =
        error instanceof DynamoDbException service && service.awsErrorDetails() != null
            ? service.awsErrorDetails().errorCode()
            : null;
    return code == null ? "" : code;
  }

  /** The item that a condition was false of; empty if none was told. */
  static Map<String, AttributeValue> item(Throwable refused, Map<String, AttributeValue> key) {
    return item(((ConditionalCheckFailedException) refused).item(), key);
  }

  /**
   * The item that a refusal tells; empty if it tells none. DynamoDB Local, asked by several
   * threads, tells another key's item at times, which counts as none: what reads then gets the
   * right one.
   *
   * @param told what came with the refusal
   * @param key of what was to be written
   */
  static Map<String, AttributeValue> item(
      Map<String, AttributeValue> told, Map<String, AttributeValue> key) {
    boolean same =
        key.entrySet().stream()
            .allMatch(
                part -> {
                  AttributeValue stored = told.get(part.getKey());
                  return stored != null && Values.isSame(part.getValue(), stored);
                });
    return same ? told : Map.of();
  }
}
