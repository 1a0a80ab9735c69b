package dev.tidemark.example.orderhistory.store;

import dev.tidemark.example.orderhistory.OrderQueries;
import dev.tidemark.example.orderhistory.OrderQueries.Page;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.PageToken;
import java.util.List;
import java.util.Optional;

/** What pages of both stores have in common. */
final class Limits {
  private Limits() {}

  static void check(int limit) {
    if (limit < 1 || limit > OrderQueries.MAX_LIMIT) {
      throw new IllegalArgumentException(
          "limit must be 1 to " + OrderQueries.MAX_LIMIT + ", was " + limit);
    }
  }

  static Page page(List<OrderView> orders, boolean more) {
    return new Page(
        orders,
        more
            ? Optional.of(PageToken.of(orders.get(orders.size() - 1)).toString())
            : Optional.empty());
  }
}
