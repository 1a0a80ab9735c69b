package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.Key;
import dev.tidemark.Outcome;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Effect;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.model.PutItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.UpdateItemEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * What it means that a write of the Enhanced Client with {@link TidemarkExtension} was refused: the
 * call of a store goes on from there, with that write's token.
 */
final class RefusedWrites<T> {
  private final String table;
  private final TableSchema<T> schema;
  private final Tracking tracking;
  private final Writes<T> writes;
  private final NativeEdits<T> natives;
  private final Calls<T> calls;

  RefusedWrites(
      String table,
      TableSchema<T> schema,
      Tracking tracking,
      Writes<T> writes,
      NativeEdits<T> natives,
      Calls<T> calls) {
    this.table = table;
    this.schema = schema;
    this.tracking = tracking;
    this.writes = writes;
    this.natives = natives;
    this.calls = calls;
  }

  CompletableFuture<Outcome<T>> update(
      ConditionalCheckFailedException refused, UpdateItemEnhancedRequest<T> request) {
    Edit edit = natives.edit(request, Change.change().createIfMissing());
    return outcome(
        refused, new RefusedWrite<>(writes, request.item(), edit, false), edit.conditional());
  }

  CompletableFuture<Outcome<T>> put(
      ConditionalCheckFailedException refused, PutItemEnhancedRequest<T> request) {
    return outcome(refused, new RefusedWrite<>(writes, request.item(), null, true), true);
  }

  private CompletableFuture<Outcome<T>> outcome(
      ConditionalCheckFailedException refused, RefusedWrite<T> write, boolean hasRule) {
    boolean repeated = new Attempts(List.of()).wereRepeated(refused);
    return resume(write, hasRule, refused.hasItem() ? refused.item() : null, repeated);
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
      Throwable fault = Errors.fault(reason, cancelled, key(entity));
      return CompletableFuture.failedFuture(fault);
    }
    RefusedWrite<T> write = new RefusedWrite<>(writes, entity, null, false);
    return resume(write, true, reason.hasItem() ? reason.item() : null, false)
        .thenApply(Optional::of);
  }

  private CompletableFuture<Outcome<T>> resume(
      RefusedWrite<T> write,
      boolean hasRule,
      @Nullable Map<String, AttributeValue> item,
      boolean uncertain) {
    Processing processing = processing(write.entity());
    ByteBuffer token = token(processing);
    Key key = key(write.entity());
    Item<T> stored = item == null ? null : writes.mapping().stored(key, item);
    Effect.Own<T> own =
        new Effect.Own<>(write, Change.change().createIfMissing(), hasRule, false, false);
    return calls.resume(processing.message(), token, key, own, stored, uncertain);
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
