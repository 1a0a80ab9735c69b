package dev.tidemark.dynamodb;

import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * A write of the library's own in a transaction: it knows what the store's answers mean for it, and
 * whether it was made by an attempt whose reply was lost.
 */
sealed interface TransactionPart permits TrackedPart, InboxPart {
  /** Goes on until there is a write to send, or nothing more; reads are sent at once. */
  void advance(DynamoDbClient client);

  /** Whether it is decided, so that there is nothing to send. */
  boolean hasEnded();

  /** Whether the write to send records that the caller's rule refused the message. */
  default boolean recordsRefusal() {
    return false;
  }

  /** The write to send. */
  TransactWriteItem item();

  /** The transaction is committed. */
  void accept(DynamoDbClient client);

  /**
   * Takes the reason that a cancelled transaction gives of this write; none says nothing of it.
   *
   * @return whether its condition was false
   */
  boolean tell(
      DynamoDbClient client, CancellationReason reason, TransactionCanceledException error);

  /** The request as a whole met an error. */
  void fail(RuntimeException error);

  /** Reads what became of the write, which is not sent any more. */
  void lookAgain(DynamoDbClient client);

  /** Whether it is known to be made. */
  boolean isMade();
}
