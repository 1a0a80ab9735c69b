package dev.tidemark.benchmarks.dynamodb;

import static dev.tidemark.EntityKey.key;

import dev.tidemark.benchmarks.measure.Event;
import dev.tidemark.dynamodb.DynamoDbAsyncEntityStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;

/** The same change on the SDK's asynchronous client, by hand and through Tidemark's store. */
final class Asynchronous {
  private final DynamoDbAsyncClient client;
  private final DynamoDbAsyncEntityStore<Order> orders;

  Asynchronous(DynamoDbAsyncClient client) {
    this.client = client;
    this.orders =
        DynamoDbAsyncEntityStore.of(client, Tables.ORDERS, TableSchema.fromBean(Order.class));
  }

  CompletableFuture<Boolean> byHand(Event event) {
    return client
        .updateItem(ByHand.marked(event).build())
        .handle(
            (reply, error) -> {
              if (error == null) {
                return true;
              }
              if (error.getCause() instanceof ConditionalCheckFailedException) {
                return false;
              }
              throw new CompletionException(error);
            });
  }

  CompletableFuture<Boolean> nativeUpdate(Event event) {
    return orders
        .update(WithTidemark.source(event), key(event.entity()), WithTidemark.nativeChange(event))
        .thenApply(outcome -> outcome.isApplied())
        .toCompletableFuture();
  }
}
