package dev.tidemark.aws;

import dev.tidemark.outbox.Sent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.ApiCallAttemptTimeoutException;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * What a service of AWS says of a message, by codes. No answer is taken for complete: entries may
 * be missing, without a code, of unknown IDs, or there twice.
 */
final class Answers {
  /** Codes of entries for which the service is to blame, and which tell no sender's fault. */
  private static final Set<String> OF_SERVICE =
      Set.of(
          "InternalFailure",
          "InternalError",
          "InternalException",
          "InternalServerError",
          "ServiceUnavailable",
          "ServiceUnavailableException",
          "RequestTimeout",
          "RequestTimeoutException");

  private Answers() {}

  /**
   * An entry that the service has not taken.
   *
   * @param isSendersFault null if the service does not say
   */
  record Refused(@Nullable String id, @Nullable String code, @Nullable Boolean isSendersFault) {}

  /**
   * The answers of a service that tells them by the entries' IDs. An entry that is told both ways
   * counts as not taken.
   */
  static List<Sent> of(
      String service, List<String> ids, List<String> successful, List<Refused> refused) {
    Map<@Nullable String, Refused> failed = new HashMap<>();
    refused.forEach(one -> failed.put(one.id(), one));
    List<Sent> answers = new ArrayList<>(ids.size());
    for (String id : ids) {
      Refused why = failed.get(id);
      if (why != null) {
        answers.add(notTaken(service, why));
      } else {
        answers.add(successful.contains(id) ? Sent.taken() : untold(service));
      }
    }
    return answers;
  }

  /** An entry of which the service says nothing, which is not the message's fault. */
  static Sent untold(String service) {
    return Sent.deferred(
        new IllegalStateException(service + " has not said whether it has taken the message"));
  }

  static Sent notTaken(String service, Refused refused) {
    String code = refused.code();
    IllegalStateException error =
        new IllegalStateException(
            code == null
                ? service + " has not taken the message, and has not said why"
                : service + " has not taken the message: " + code);
    boolean isOfService =
        Boolean.FALSE.equals(refused.isSendersFault())
            || (code != null && (OF_SERVICE.contains(code) || isThrottling(code)));
    return isOfService ? Sent.deferred(error) : Sent.failed(error);
  }

  private static boolean isThrottling(String code) {
    return code.contains("hrottl")
        || AwsServiceException.builder()
            .awsErrorDetails(AwsErrorDetails.builder().errorCode(code).build())
            .build()
            .isThrottlingException();
  }

  /** The answer for each message of a request that failed. */
  static Sent.Failed failed(Throwable error) {
    return isAway(error) ? Sent.deferred(error) : Sent.failed(error);
  }

  /** Whether the service, or the way to it, is to blame for a request that failed. */
  static boolean isAway(Throwable error) {
    if (error instanceof AwsServiceException service) {
      return service.statusCode() >= 500
          || service.isThrottlingException()
          || service.isClockSkewException();
    }
    return error instanceof SdkException client
        && (client.retryable()
            || client instanceof ApiCallTimeoutException
            || client instanceof ApiCallAttemptTimeoutException
            || hasNoAnswer(client));
  }

  private static boolean hasNoAnswer(Throwable error) {
    for (Throwable e = error.getCause(); e != null; e = e.getCause()) {
      if (e instanceof IOException) {
        return true;
      }
    }
    return false;
  }
}
