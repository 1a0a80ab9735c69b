package dev.tidemark.dynamodb;

import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.inbox.Handled;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.Put;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** The record of a message in a transaction: a claim, or that the message is handled. */
final class InboxPart implements TransactionPart {
  private final InboxRecords records;
  private final String key;
  private final String nonce;
  private final Put put;

  /** Why nobody tries any more. */
  private @Nullable RuntimeException over;

  /** What decides, empty if nothing is stored; null until then. */
  private @Nullable Map<String, AttributeValue> found;

  InboxPart(InboxRecords records, String key, String nonce, Put put) {
    this.records = records;
    this.key = key;
    this.nonce = nonce;
    this.put = put;
  }

  @Override
  public void advance(DynamoDbClient client) {
    if (over == null || found != null) {
      return;
    }
    lookAgain(client);
    if (!isMade()) {
      throw new OutcomeUnknownException("no answer came to a transaction", null, over);
    }
  }

  @Override
  public boolean hasEnded() {
    return found != null;
  }

  @Override
  public TransactWriteItem item() {
    return TransactWriteItem.builder().put(put).build();
  }

  @Override
  public void accept(DynamoDbClient client) {
    found = put.item();
  }

  @Override
  public boolean tell(
      DynamoDbClient client, CancellationReason reason, TransactionCanceledException error) {
    if (Transactions.isRefusal(reason)) {
      Map<String, AttributeValue> told = Errors.item(reason.item(), InboxRecords.key(key));
      found = told.isEmpty() ? records.read(client, key) : told;
      return true;
    }
    if (!Transactions.isBusy(reason) && !Transactions.isNone(reason)) {
      throw error;
    }
    return false;
  }

  @Override
  public void fail(RuntimeException error) {
    Errors.Kind kind = Errors.kind(error);
    if (kind == Errors.Kind.ABANDONED || kind == Errors.Kind.FAULT) {
      over = error;
    }
  }

  @Override
  public void lookAgain(DynamoDbClient client) {
    try {
      found = records.read(client, key);
    } catch (RuntimeException unread) {
      found = Map.of();
      if (over != null && over != unread) {
        over.addSuppressed(unread);
      }
    }
  }

  /** Whether what is stored is this very record. */
  @Override
  public boolean isMade() {
    return found != null
        && nonce.equals(InboxRecords.nonce(found))
        && InboxRecords.isClaim(found) == InboxRecords.isClaim(put.item());
  }

  /** What is stored says to those who come later. */
  <R> Handled<R> answer() {
    return records.answer(Objects.requireNonNull(found));
  }
}
