package dev.tidemark.dynamodb;

import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/** Puts another key's item into each refusal, as DynamoDB Local does at times. */
final class MixedUpRefusals implements ExecutionInterceptor {
  private volatile Map<String, AttributeValue> other = Map.of();
  private final AtomicInteger count = new AtomicInteger();

  /** Tells that item from now on; the server's own if it is empty. */
  void tell(Map<String, AttributeValue> item) {
    other = item;
    count.set(0);
  }

  /** How many refusals were given the other item. */
  int count() {
    return count.get();
  }

  private boolean mixesUp(boolean refusal) {
    return refusal && !other.isEmpty() && count.incrementAndGet() > 0;
  }

  @Override
  public Throwable modifyException(Context.FailedExecution context, ExecutionAttributes all) {
    Throwable error = context.exception();
    if (error instanceof TransactionCanceledException cancelled) {
      return Cancellations.edited(cancelled, (place, reason) -> edited(reason));
    }
    return error instanceof ConditionalCheckFailedException refused && mixesUp(true)
        ? refused.toBuilder().item(other).build()
        : error;
  }

  private CancellationReason edited(CancellationReason reason) {
    return mixesUp(Transactions.isRefusal(reason))
        ? reason.toBuilder().item(other).build()
        : reason;
  }
}
