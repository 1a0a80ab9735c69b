package dev.tidemark.dynamodb;

import dev.tidemark.intake.StoreFaults;
import java.util.List;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * Tells an {@link dev.tidemark.intake.Intake} which exceptions of the AWS SDK mean that DynamoDB is
 * away. An intake finds this class by itself.
 */
public final class DynamoDbOutages implements StoreFaults {
  /** What DynamoDB says of a request that no time will mend. */
  private static final Set<String> REQUESTS_OWN =
      Set.of(
          "ValidationException",
          "SerializationException",
          "ItemCollectionSizeLimitExceededException",
          "ConditionalCheckFailedException",
          "TransactionCanceledException",
          "DuplicateItemException",
          "IdempotentParameterMismatchException");

  /** How the SDK's exception begins where it could not make a request. */
  private static final String UNMADE = "Unable to marshall";

  /** For {@link java.util.ServiceLoader}. */
  public DynamoDbOutages() {}

  /**
   * No answer, a fault of the server, throttling, and DynamoDB's refusal of every request: no
   * rights, no such table. A transaction that was cancelled counts if nothing but throttling or
   * conflicts with others cancelled it. The first exception of the SDK among the causes decides,
   * since a framework may have translated it; none behind a fault of Tidemark's own does. A request
   * that the SDK could not make, such as one with an empty key for S3, is no outage.
   */
  @Override
  public boolean isOutage(RuntimeException fault) {
    Throwable inner = dev.tidemark.kernel.Faults.decisive(fault, SdkException.class);
    if (inner instanceof TransactionCanceledException cancelled) {
      return isBusy(cancelled);
    }
    if (inner instanceof DynamoDbException service) {
      return !REQUESTS_OWN.contains(Errors.code(service));
    }
    if (inner instanceof AwsServiceException service) { // of a service that a handler calls
      return service.statusCode() >= 500 || service.isThrottlingException();
    }
    return inner instanceof SdkException && !String.valueOf(inner.getMessage()).startsWith(UNMADE);
  }

  private static boolean isBusy(TransactionCanceledException cancelled) {
    List<CancellationReason> reasons =
        cancelled.cancellationReasons().stream()
            .filter(reason -> !Transactions.isNone(reason))
            .toList();
    return !reasons.isEmpty() && reasons.stream().allMatch(Transactions::isBusy);
  }
}
