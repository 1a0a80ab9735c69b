package dev.tidemark.dynamodb;

import dev.tidemark.EntityKey;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.dynamodb.Transport.Turn;
import dev.tidemark.kernel.Outbox;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/** One tracked write of a transaction: a run whose requests others send. */
final class TrackedPart<T> implements TransactionPart {
  private final Calls<T> calls;
  private final EntityKey key;
  private final Message message;
  private final Runner<T> runner;
  private @Nullable DynamoDbRequest form;
  private boolean accepted;
  private @Nullable TrackedPart<T> skip;

  /** That it ended as refused says nothing: nothing had refused it, it was only read again. */
  private boolean untold;

  /** A deleted entity takes no part in what others do, so nothing is recorded on it. */
  private boolean deleted;

  TrackedPart(Calls<T> calls, Write<T> write) {
    this.calls = calls;
    this.message = write.message();
    this.runner = calls.runner(write);
    this.key = runner.key();
  }

  TransactionWrites.Target target() {
    return new TransactionWrites.Target(calls.writes().table(), itemKey(), false);
  }

  /** The cluster in which it is written; empty where there is one. */
  String cluster() {
    return calls.tracking().cluster();
  }

  /** An outgoing message's ID, which no other transaction's has: this write is made once. */
  String outgoingId(String outbox, int place) {
    String subscriber = calls.tracking().subscriber();
    String writer = MessageId.of(calls.writes().table(), subscriber).value();
    return Outbox.id(outbox, writer, key, message, place);
  }

  private Map<String, AttributeValue> itemKey() {
    return calls.mapping().keys().of(key);
  }

  @Override
  public void advance(DynamoDbClient client) {
    form = null;
    for (Turn turn = runner.next(); turn != null; turn = runner.next()) {
      if (turn instanceof Turn.Pause pause) {
        Transactions.pause(pause.time());
      } else if (((Turn.Ask) turn).request() instanceof GetItemRequest get) {
        read(client, get);
      } else {
        deleted = runner.recordsOnTombstone();
        form = deleted ? null : ((Turn.Ask) turn).request();
        return;
      }
    }
  }

  private void read(DynamoDbClient client, GetItemRequest get) {
    DynamoDbResponse reply;
    try {
      reply = client.getItem(get);
    } catch (RuntimeException e) {
      runner.failed(e);
      return;
    }
    runner.replied(reply);
  }

  @Override
  public boolean hasEnded() {
    return form == null;
  }

  @Override
  public TransactWriteItem item() {
    DynamoDbRequest request = Objects.requireNonNull(form);
    if (request instanceof PutItemRequest whole) {
      return TransactWriteItem.builder()
          .put(
              put ->
                  put.tableName(whole.tableName())
                      .item(whole.item())
                      .conditionExpression(whole.conditionExpression())
                      .expressionAttributeNames(names(whole.expressionAttributeNames()))
                      .expressionAttributeValues(values(whole.expressionAttributeValues()))
                      .returnValuesOnConditionCheckFailure(
                          whole.returnValuesOnConditionCheckFailureAsString()))
          .build();
    }
    if (request instanceof DeleteItemRequest removal) {
      return TransactWriteItem.builder()
          .delete(
              delete ->
                  delete
                      .tableName(removal.tableName())
                      .key(removal.key())
                      .conditionExpression(removal.conditionExpression())
                      .expressionAttributeNames(names(removal.expressionAttributeNames()))
                      .expressionAttributeValues(values(removal.expressionAttributeValues()))
                      .returnValuesOnConditionCheckFailure(
                          removal.returnValuesOnConditionCheckFailureAsString()))
          .build();
    }
    UpdateItemRequest change = (UpdateItemRequest) request;
    return TransactWriteItem.builder()
        .update(
            update ->
                update
                    .tableName(change.tableName())
                    .key(change.key())
                    .updateExpression(change.updateExpression())
                    .conditionExpression(change.conditionExpression())
                    .expressionAttributeNames(names(change.expressionAttributeNames()))
                    .expressionAttributeValues(values(change.expressionAttributeValues()))
                    .returnValuesOnConditionCheckFailure(
                        change.returnValuesOnConditionCheckFailureAsString()))
        .build();
  }

  /** An empty map is refused where none is not. */
  private static @Nullable Map<String, String> names(Map<String, String> names) {
    return names.isEmpty() ? null : names;
  }

  private static @Nullable Map<String, AttributeValue> values(Map<String, AttributeValue> values) {
    return values.isEmpty() ? null : values;
  }

  /** The transaction is committed: what this write still has to say is sent by itself. */
  @Override
  public void accept(DynamoDbClient client) {
    accepted = true;
    runner.replied(
        form instanceof PutItemRequest
            ? PutItemResponse.builder().build()
            : form instanceof DeleteItemRequest
                ? DeleteItemResponse.builder().build()
                : UpdateItemResponse.builder().build());
    Transport.join(new Transport.Blocking(client).carry(runner));
    form = null;
  }

  @Override
  public void fail(RuntimeException error) {
    runner.failed(error);
  }

  @Override
  public boolean tell(
      DynamoDbClient client, CancellationReason reason, TransactionCanceledException cancelled) {
    if (Transactions.isRefusal(reason)) {
      runner.failed(
          ConditionalCheckFailedException.builder()
              .item(reason.hasItem() ? reason.item() : null)
              .build());
      return true;
    }
    if (Transactions.isInvalid(reason)) {
      runner.failed(alone("ValidationException", reason, cancelled));
      return true;
    }
    if (Transactions.isBusy(reason)) {
      runner.failed(alone("TransactionConflictException", reason, cancelled));
    } else if (!Transactions.isNone(reason)) {
      throw Transport.<RuntimeException>plain(Faults.of(reason, cancelled, key));
    }
    return false;
  }

  /** The error that the write would have met by itself. */
  private static DynamoDbException alone(
      String code, CancellationReason reason, TransactionCanceledException cancelled) {
    return (DynamoDbException)
        DynamoDbException.builder()
            .awsErrorDetails(
                AwsErrorDetails.builder().errorCode(code).errorMessage(reason.message()).build())
            .message(reason.message())
            .statusCode(400)
            .cause(cancelled)
            .build();
  }

  @Override
  public boolean isMade() {
    Outcome<T> outcome = hasEnded() ? judged() : null;
    return outcome instanceof Outcome.Applied
        || outcome instanceof Outcome.Recorded
        || hasRecordedRefusal();
  }

  @Override
  public boolean recordsRefusal() {
    return !hasEnded() && runner.recordsRefusal();
  }

  /** Whether it has ended as a refusal that is recorded. */
  boolean hasRecordedRefusal() {
    return hasEnded() && judged() instanceof Outcome.Refused<T> refused && refused.recorded();
  }

  /** Whether it has ended, and neither its change nor its message is to be stored. */
  boolean hasNothingToRecord() {
    return hasEnded() && !(judged() instanceof Outcome.Refused);
  }

  /** The write of the same message that changes nothing, in place of this one; always the same. */
  TrackedPart<T> skipping() {
    if (skip == null) {
      skip = new TrackedPart<>(calls, Write.skip(message, key));
      skip.skip = skip;
    }
    return skip;
  }

  /** Whether an earlier delivery has done it. */
  boolean isDone() {
    Outcome<T> outcome = judged();
    return outcome != null && outcome.isDone();
  }

  @Override
  public void lookAgain(DynamoDbClient client) {
    if (!hasEnded()) {
      runner.failed(ConditionalCheckFailedException.builder().build());
      advance(client);
      untold = hasEnded() && judged() instanceof Outcome.Refused<T> refused && !refused.recorded();
    }
  }

  /** Throws what ended it, if that was a fault. */
  void requireNoFault() {
    if (hasEnded() && !deleted && result() instanceof Result.Failed<T> failed) {
      throw Transport.<RuntimeException>plain(Faults.of(failed.fault(), key));
    }
  }

  /** Its outcome, once the transaction has ended. */
  Optional<Outcome<?>> outcome() {
    return !untold && (accepted || hasEnded()) ? Optional.ofNullable(judged()) : Optional.empty();
  }

  private @Nullable Outcome<T> judged() {
    if (deleted) {
      return new Outcome.Deleted<>();
    }
    return result() instanceof Result.Judged<T> judged ? judged.outcome() : null;
  }

  private Result<T> result() {
    return runner.ended().results().get(0);
  }
}
