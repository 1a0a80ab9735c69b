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
   * @param from where to go on, from the page before; null for the first page
   * @return a page; it has a token if there may be more
   */
  Page ofConsumer(String consumerId, OrderFilter filter, int limit, @Nullable PageToken from);

  /**
   * Some orders of a consumer.
   *
   * @param orders newest first
   * @param next where the next page begins; empty if this was the last
   */
  record Page(List<OrderView> orders, Optional<PageToken> next) {
    /**
     * A page of what was found.
     *
     * @param found newest first, and one more than fits if there are more
     * @param limit how many fit
     * @return those that fit
     */
    public static Page of(List<OrderView> found, int limit) {
      return found.size() <= limit
          ? new Page(List.copyOf(found), Optional.empty())
          : new Page(
              List.copyOf(found.subList(0, limit)),
              Optional.of(PageToken.of(found.get(limit - 1))));
    }
  }
}
