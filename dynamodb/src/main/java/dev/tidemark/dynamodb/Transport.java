package dev.tidemark.dynamodb;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.metrics.MetricPublisher;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * The requests of an entity store, on a synchronous or an asynchronous client. On the former every
 * future is complete when it is returned, and the calling thread does all the work.
 */
interface Transport {
  CompletableFuture<GetItemResponse> get(GetItemRequest request);

  CompletableFuture<BatchGetItemResponse> get(BatchGetItemRequest request);

  CompletableFuture<UpdateItemResponse> update(UpdateItemRequest request);

  CompletableFuture<PutItemResponse> put(PutItemRequest request);

  CompletableFuture<DeleteItemResponse> delete(DeleteItemRequest request);

  /** Complete after a pause. */
  CompletableFuture<Void> pause(Duration pause);

  /** Whether the thread that makes the call was asked to stop, so that it no longer pauses. */
  boolean isInterrupted();

  /** Who the client tells its metrics. */
  List<MetricPublisher> metricPublishers();

  /** Starts some work, whose own exception ends the future like any later one. */
  static <R> CompletableFuture<R> start(Supplier<CompletableFuture<R>> work) {
    return CompletableFuture.completedFuture(work).thenCompose(Supplier::get);
  }

  /** Takes turns until one says that it was the last; without recursion where they end at once. */
  static CompletableFuture<Void> loop(Supplier<CompletableFuture<Boolean>> turn) {
    while (true) {
      CompletableFuture<Boolean> again = start(turn);
      if (!again.isDone()) {
        return again.thenCompose(
            more -> more ? loop(turn) : CompletableFuture.<Void>completedFuture(null));
      }
      if (again.isCompletedExceptionally() || !again.join()) {
        return again.thenApply(over -> null);
      }
    }
  }

  /** Gives the error in its plain form to a function, or the result to another. */
  @SuppressWarnings("FutureReturnValueIgnored")
  static <A, B> CompletableFuture<B> then(
      CompletableFuture<A> future,
      Function<A, CompletableFuture<B>> success,
      Function<Throwable, CompletableFuture<B>> failure) {
    return future
        .handle(
            (result, error) ->
                error == null ? success.apply(result) : failure.apply(Errors.unwrap(error)))
        .thenCompose(Function.identity());
  }
}
