package dev.tidemark.example.orderhistory;

import dev.tidemark.EntityStore;

/**
 * One generation of both views, in DynamoDB or MongoDB. For any number of threads.
 *
 * @param orders the rows of the order history
 * @param spending the sums of the consumers
 * @param queries the questions that consumers ask, answered from the index
 */
public record ViewStore(
    EntityStore<OrderView> orders, EntityStore<SpendingView> spending, OrderQueries queries) {
  /**
   * The same with another way to the rows.
   *
   * @param other in place of {@link #orders}
   * @return views of the same generation
   */
  public ViewStore withOrders(EntityStore<OrderView> other) {
    return new ViewStore(other, spending, queries);
  }
}
