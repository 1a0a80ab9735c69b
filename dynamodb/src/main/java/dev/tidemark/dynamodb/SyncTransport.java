package dev.tidemark.dynamodb;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import software.amazon.awssdk.metrics.MetricPublisher;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
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

/** Requests on the calling thread. */
final class SyncTransport implements Transport {
  private final DynamoDbClient client;
  private final List<MetricPublisher> metricPublishers;

  SyncTransport(DynamoDbClient client) {
    this.client = client;
    this.metricPublishers = publishers(client);
  }

  @Override
  public CompletableFuture<GetItemResponse> get(GetItemRequest request) {
    return call(client::getItem, request);
  }

  @Override
  public CompletableFuture<BatchGetItemResponse> get(BatchGetItemRequest request) {
    return call(client::batchGetItem, request);
  }

  @Override
  public CompletableFuture<UpdateItemResponse> update(UpdateItemRequest request) {
    return call(client::updateItem, request);
  }

  @Override
  public CompletableFuture<PutItemResponse> put(PutItemRequest request) {
    return call(client::putItem, request);
  }

  @Override
  public CompletableFuture<DeleteItemResponse> delete(DeleteItemRequest request) {
    return call(client::deleteItem, request);
  }

  private static <Q, R> CompletableFuture<R> call(Function<Q, R> method, Q request) {
    try {
      return CompletableFuture.completedFuture(method.apply(request));
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
    return metricPublishers;
  }

  private static List<MetricPublisher> publishers(DynamoDbClient client) {
    try {
      return client.serviceClientConfiguration().overrideConfiguration().metricPublishers();
    } catch (UnsupportedOperationException e) {
      return List.of(); // not a client that the SDK built: a decorator, or DynamoDB Local's own
    }
  }

  /** The result of a future that is complete, or its plain exception. */
  static <R> R join(CompletableFuture<R> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw SyncTransport.<RuntimeException>plain(Errors.unwrap(e));
    }
  }

  /** Whatever a caller's own function threw reaches the caller as it is. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
  private static <E extends Throwable> E plain(Throwable error) throws E {
    throw (E) error;
  }
}
