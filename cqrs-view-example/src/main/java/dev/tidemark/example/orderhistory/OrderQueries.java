package dev.tidemark.example.orderhistory;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The order history of a consumer, newest first. Answers come from an index, which on DynamoDB
 * follows the table after a moment; who waits for an event of their own asks {@link
 * dev.tidemark.EntityStore#find(dev.tidemark.EntityKey, dev.tidemark.NotBefore)}. For any number of
 * threads.
 */
public interface OrderQueries {
  /** The most orders on a page. */
  int MAX_LIMIT = 100;

  /**
   * One page of a consumer's orders.
   *
   * @param consumerId whose
   * @param filter which of them
   * @param limit how many at most, 1 to {@value #MAX_LIMIT}
   * @param pageToken where to go on, from the page before; null for the first page
   * @return a page; it has a token if there may be more
   * @throws IllegalArgumentException if the limit is out of range, or the token of another query's
   */
  Page ofConsumer(String consumerId, OrderFilter filter, int limit, @Nullable String pageToken);

  /**
   * Some orders of a consumer.
   *
   * @param orders newest first
   * @param next where the next page begins; empty if this was the last
   */
  record Page(List<OrderView> orders, Optional<String> next) {
    /**
     * Copies the orders.
     *
     * @param orders newest first
     * @param next where the next page begins; empty if this was the last
     */
    public Page {
      orders = List.copyOf(orders);
    }
  }
}
