package dev.tidemark.dynamodb;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import software.amazon.awssdk.metrics.MetricPublisher;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
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

/** Requests that complete on the SDK's threads. */
final class AsyncTransport implements Transport {
  private final DynamoDbAsyncClient client;
  private final List<MetricPublisher> metricPublishers;

  AsyncTransport(DynamoDbAsyncClient client) {
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

  private static <Q, R> CompletableFuture<R> call(
      Function<Q, CompletableFuture<R>> method, Q request) {
    try {
      return method.apply(request);
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
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
    return metricPublishers;
  }

  private static List<MetricPublisher> publishers(DynamoDbAsyncClient client) {
    try {
      return client.serviceClientConfiguration().overrideConfiguration().metricPublishers();
    } catch (UnsupportedOperationException e) {
      return List.of(); // not a client that the SDK built: a decorator, or DynamoDB Local's own
    }
  }
}
