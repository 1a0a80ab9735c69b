package dev.tidemark.dynamodb;

import dev.tidemark.intake.StoreFaults;
import java.util.Set;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;

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

  /** For {@link java.util.ServiceLoader}. */
  public DynamoDbOutages() {}

  /**
   * No answer, a fault of the server, throttling, and DynamoDB's refusal of every request: no
   * rights, no such table.
   */
  @Override
  public boolean isOutage(RuntimeException fault) {
    Throwable inner = Errors.unwrap(fault);
    if (inner instanceof DynamoDbException service) {
      return !REQUESTS_OWN.contains(Errors.code(service));
    }
    if (inner instanceof AwsServiceException service) { // of a service that a handler calls
      return service.statusCode() >= 500 || service.isThrottlingException();
    }
    return inner instanceof SdkException;
  }
}
