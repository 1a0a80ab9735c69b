package dev.tidemark.dynamodb;

import static software.amazon.awssdk.services.dynamodb.model.ReturnConsumedCapacity.TOTAL;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.awscore.AwsServiceClientConfiguration;
import software.amazon.awssdk.metrics.MetricPublisher;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemResponse;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemResponse;

/**
 * The requests of an entity store, on a blocking or an asynchronous client. On the former every
 * future is complete when it is returned, and the calling thread does all the work.
 */
interface Transport {
  /**
   * A kind of request.
   *
   * @param blocking sends it
   * @param asynchronous sends it
   * @param measured the same request, asking for the capacity that it consumes
   */
  record Verb<Q extends DynamoDbRequest, R>(
      BiFunction<DynamoDbClient, Q, R> blocking,
      BiFunction<DynamoDbAsyncClient, Q, CompletableFuture<R>> asynchronous,
      UnaryOperator<Q> measured) {}

  Verb<GetItemRequest, GetItemResponse> GET =
      new Verb<>(
          DynamoDbClient::getItem,
          DynamoDbAsyncClient::getItem,
          get -> get.toBuilder().returnConsumedCapacity(TOTAL).build());

  Verb<BatchGetItemRequest, BatchGetItemResponse> BATCH_GET =
      new Verb<>(
          DynamoDbClient::batchGetItem,
          DynamoDbAsyncClient::batchGetItem,
          get -> get.toBuilder().returnConsumedCapacity(TOTAL).build());

  Verb<UpdateItemRequest, UpdateItemResponse> UPDATE =
      new Verb<>(
          DynamoDbClient::updateItem,
          DynamoDbAsyncClient::updateItem,
          update -> update.toBuilder().returnConsumedCapacity(TOTAL).build());

  Verb<PutItemRequest, PutItemResponse> PUT =
      new Verb<>(
          DynamoDbClient::putItem,
          DynamoDbAsyncClient::putItem,
          put -> put.toBuilder().returnConsumedCapacity(TOTAL).build());

  Verb<DeleteItemRequest, DeleteItemResponse> DELETE =
      new Verb<>(
          DynamoDbClient::deleteItem,
          DynamoDbAsyncClient::deleteItem,
          delete -> delete.toBuilder().returnConsumedCapacity(TOTAL).build());

  <Q extends DynamoDbRequest, R> CompletableFuture<R> send(Verb<Q, R> verb, Q request);

  /** Complete after a pause. */
  CompletableFuture<Void> pause(Duration pause);

  /** Whether the thread that makes the call was asked to stop, so that it no longer pauses. */
  boolean isInterrupted();

  /** Who the client tells its metrics. */
  List<MetricPublisher> metricPublishers();

  /** Sends an update, put or delete; the result is the item after it, empty if that is deleted. */
  default CompletableFuture<Map<String, AttributeValue>> write(DynamoDbRequest request) {
    if (request instanceof UpdateItemRequest update) {
      return send(UPDATE, update).thenApply(UpdateItemResponse::attributes);
    }
    return request instanceof PutItemRequest put
        ? send(PUT, put).thenApply(reply -> put.item())
        : send(DELETE, (DeleteItemRequest) request).thenApply(reply -> Map.of());
  }

  /** Requests on the calling thread. */
  record Blocking(DynamoDbClient client) implements Transport {
    @Override
    public <Q extends DynamoDbRequest, R> CompletableFuture<R> send(Verb<Q, R> verb, Q request) {
      try {
        return CompletableFuture.completedFuture(verb.blocking().apply(client, request));
      } catch (RuntimeException e) {
        return CompletableFuture.failedFuture(e);
      }
    }

    /** An interrupted thread does not pause; it stays interrupted. */
    @Override
    public CompletableFuture<Void> pause(Duration pause) {
      long end = System.nanoTime() + pause.toNanos();
      long left = pause.toNanos();
      while (left > 0 && !Thread.currentThread().isInterrupted()) {
        LockSupport.parkNanos(this, left);
        left = end - System.nanoTime();
      }
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public boolean isInterrupted() {
      return Thread.currentThread().isInterrupted();
    }

    @Override
    public List<MetricPublisher> metricPublishers() {
      return publishers(client::serviceClientConfiguration);
    }
  }

  /** Requests on the threads of the client. */
  record Asynchronous(DynamoDbAsyncClient client) implements Transport {
    @Override
    public <Q extends DynamoDbRequest, R> CompletableFuture<R> send(Verb<Q, R> verb, Q request) {
      return start(() -> verb.asynchronous().apply(client, request));
    }

    @Override
    public CompletableFuture<Void> pause(Duration pause) {
      return CompletableFuture.runAsync(
          () -> {}, CompletableFuture.delayedExecutor(pause.toNanos(), TimeUnit.NANOSECONDS));
    }

    /** No thread waits for the call. */
    @Override
    public boolean isInterrupted() {
      return false;
    }

    @Override
    public List<MetricPublisher> metricPublishers() {
      return publishers(client::serviceClientConfiguration);
    }
  }

  private static List<MetricPublisher> publishers(
      Supplier<? extends AwsServiceClientConfiguration> client) {
    try {
      return client.get().overrideConfiguration().metricPublishers();
    } catch (UnsupportedOperationException e) {
      return List.of(); // not a client that the SDK built: a decorator, or DynamoDB Local's own
    }
  }

  /** Starts some work, whose own exception ends the future like any later one. */
  static <R> CompletableFuture<R> start(Supplier<CompletableFuture<R>> work) {
    try {
      return work.get();
    } catch (Throwable e) {
      return CompletableFuture.failedFuture(e);
    }
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

  /** The result of a future that is complete, or its plain exception. */
  static <R> R join(CompletableFuture<R> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw Transport.<RuntimeException>plain(Errors.unwrap(e));
    }
  }

  /** Whatever a caller's own function threw reaches the caller as it is. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E plain(Throwable error) throws E {
    throw (E) error;
  }
}
