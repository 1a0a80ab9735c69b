package dev.tidemark.benchmarks.dynamodb;

import static dev.tidemark.Key.key;

import dev.tidemark.benchmarks.measure.AsyncTechnique;
import dev.tidemark.benchmarks.measure.Event;
import dev.tidemark.dynamodb.DynamoDbAsyncEntityStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

/** Native updates through Tidemark's asynchronous store, many on their way at once. */
final class InFlight implements AsyncTechnique {
  private final DynamoDbAsyncEntityStore<Order> orders;
  private final int count;

  InFlight(DynamoDbAsyncClient client, int count) {
    this.orders =
        DynamoDbAsyncEntityStore.of(client, Tables.ORDERS, TableSchema.fromBean(Order.class));
    this.count = count;
  }

  @Override
  public String name() {
    return "Tidemark async";
  }

  @Override
  public int inFlight() {
    return count;
  }

  @Override
  public CompletableFuture<Integer> start(List<Event> events) {
    Event event = events.get(0);
    return orders
        .update(WithTidemark.source(event), key(event.entity()), WithTidemark.nativeChange(event))
        .thenApply(outcome -> outcome.isApplied() ? 1 : 0)
        .toCompletableFuture();
  }
}
