package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.Key;
import dev.tidemark.Outcome;
import dev.tidemark.Tracking;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.PutItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.UpdateItemEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * What it means that a write of the Enhanced Client with {@link TidemarkExtension} was refused: the
 * call of a store goes on from there, with that write's token.
 */
final class DynamoDbRefusedWrites<T> {
  private final String table;
  private final TableSchema<T> schema;
  private final Tracking tracking;
  private final DynamoDbWrites<T> writes;
  private final DynamoDbNativeEdits<T> natives;
  private final DynamoDbCalls<T> calls;

  DynamoDbRefusedWrites(
      String table,
      TableSchema<T> schema,
      Tracking tracking,
      DynamoDbWrites<T> writes,
      DynamoDbNativeEdits<T> natives,
      DynamoDbCalls<T> calls) {
    this.table = table;
    this.schema = schema;
    this.tracking = tracking;
    this.writes = writes;
    this.natives = natives;
    this.calls = calls;
  }

  CompletableFuture<Outcome<T>> update(
      ConditionalCheckFailedException refused, UpdateItemEnhancedRequest<T> request) {
    DynamoDbEdit edit = natives.edit(request, Change.change().createIfMissing());
    DynamoDbWork.Update<T> update = new DynamoDbWork.Update<>(writes, edit);
    T entity = request.item();
    return outcome(
        refused, new DynamoDbRefusedWrite<>(writes, entity, update, false, update.isConditional()));
  }

  CompletableFuture<Outcome<T>> put(
      ConditionalCheckFailedException refused, PutItemEnhancedRequest<T> request) {
    return outcome(refused, new DynamoDbRefusedWrite<>(writes, request.item(), null, true, true));
  }

  private CompletableFuture<Outcome<T>> outcome(
      ConditionalCheckFailedException refused, DynamoDbRefusedWrite<T> write) {
    boolean repeated = new DynamoDbAttempts(List.of()).wereRepeated(refused);
    DynamoDbStored<T> stored = refused.hasItem() ? writes.mapping().stored(refused.item()) : null;
    return resume(write, stored, repeated);
  }

  /** What one write of a cancelled transaction met; empty if it was not what stopped it. */
  CompletableFuture<Optional<Outcome<T>>> transacted(
      TransactionCanceledException cancelled, int index, T entity) {
    List<CancellationReason> reasons = cancelled.cancellationReasons();
    if (index < 0 || index >= reasons.size()) {
      throw new IllegalArgumentException(
          "there is no item " + index + ": the transaction was of " + reasons.size() + " items");
    }
    CancellationReason reason = reasons.get(index);
    String code = String.valueOf(reason.code());
    if (code.equals("None")) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    if (!code.equals("ConditionalCheckFailed")) {
      Throwable fault = DynamoDbErrors.fault(reason, cancelled, key(entity));
      return CompletableFuture.failedFuture(fault);
    }
    DynamoDbStored<T> stored = reason.hasItem() ? writes.mapping().stored(reason.item()) : null;
    return resume(new DynamoDbRefusedWrite<>(writes, entity, null, false, true), stored, false)
        .thenApply(Optional::of);
  }

  private CompletableFuture<Outcome<T>> resume(
      DynamoDbRefusedWrite<T> write, @Nullable DynamoDbStored<T> stored, boolean uncertain) {
    T entity = write.entity();
    Processing processing = processing(entity);
    ByteBuffer token = token(processing);
    return calls.resume(processing.message(), token, key(entity), write, stored, uncertain);
  }

  private Processing processing(T entity) {
    return writes
        .mapping()
        .processing(entity)
        .orElseThrow(() -> new IllegalArgumentException(name() + " has no Processing"));
  }

  /** The token of the write; refused unless it was made under this store's tracking and table. */
  private ByteBuffer token(Processing processing) {
    Class<T> type = schema.itemType().rawClass();
    if (!tracking.equals(Tracking.of(type))) {
      throw new IllegalArgumentException(
          "the extension wrote under the tracking that @Tracked of "
              + name()
              + " says, and this store has another one, "
              + tracking
              + "; ask a store that was made without a tracking of its own");
    }
    return processing
        .note()
        .token(table, type)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the extension has not written this "
                        + name()
                        + " to table '"
                        + table
                        + "' with this Processing"));
  }

  private Key key(T entity) {
    return writes.mapping().keys().keyOf(schema.itemToMap(entity, true));
  }

  private String name() {
    return schema.itemType().rawClass().getSimpleName();
  }
}
