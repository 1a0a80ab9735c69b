package dev.tidemark.example.orderhistory.host;

import dev.tidemark.example.orderhistory.OrderQueries.Page;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.SpendingView;
import java.time.YearMonth;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the HTTP API answers: the views, whose rows say themselves what
 * is not for others. Sums are in cents. */
final class Bodies {
  private Bodies() {}

  record Orders(List<OrderView> orders, @Nullable String nextPageToken) {
    static Orders of(Page page) {
      return new Orders(
          page.orders(), page.next().orElse(null));
    }
  }

  record Spending(
      String consumerId, String month, long orders, long spent, long tips, long refunded) {
    static Spending of(String consumerId, YearMonth month, SpendingView row) {
      return new Spending(
              consumerId,
              month.toString(),
              row.orders,
              row.spent,
              row.tips,
              row.refunded);
    }
  }
}
