package dev.tidemark.example.orderhistory;

import dev.tidemark.EntityStore;

/** One generation of both views, in DynamoDB or MongoDB. For any number of threads. */
public interface ViewStore {
  /**
   * The rows of the order history.
   *
   * @return a tracked store
   */
  EntityStore<OrderView> orders();

  /**
   * The sums of the consumers.
   *
   * @return a tracked store
   */
  EntityStore<SpendingView> spending();

  /**
   * The questions that consumers ask.
   *
   * @return answers from the index
   */
  OrderQueries queries();
}
