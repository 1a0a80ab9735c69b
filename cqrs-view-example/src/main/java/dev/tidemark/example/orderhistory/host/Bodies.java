package dev.tidemark.example.orderhistory.host;

import dev.tidemark.example.orderhistory.OrderLine;
import dev.tidemark.example.orderhistory.OrderQueries.Page;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.SpendingView;
import dev.tidemark.example.orderhistory.TimelineStep;
import java.time.YearMonth;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What the HTTP API answers: the views without what only the service needs. Sums are in cents. */
final class Bodies {
  private Bodies() {}

  record Line(String name, int quantity, long cents) {
    static Line of(OrderLine line) {
      return new Line(line.getName(), line.getQuantity(), line.getCents());
    }
  }

  record Step(String status, String at) {
    static Step of(TimelineStep step) {
      return new Step(step.getStatus(), step.getAt());
    }
  }

  record Order(
      String orderId,
      String consumerId,
      String createdAt,
      String restaurant,
      String status,
      List<Line> lines,
      long total,
      long tips,
      long refunded,
      @Nullable String courier,
      List<Step> timeline) {

    /** Takes rows that are listed, which have a consumer. */
    static Order of(OrderView row) {
      return new Order(
          row.getOrderId(),
          Objects.requireNonNull(row.getConsumerId(), "consumerId"),
          Objects.requireNonNull(row.getCreatedAt(), "createdAt"),
          Objects.requireNonNullElse(row.getRestaurant(), ""),
          row.getStatus(),
          row.getLines().stream().map(Line::of).toList(),
          row.getTotal(),
          row.getTips(),
          row.getRefunded(),
          row.getCourier(),
          row.getTimeline().stream().map(Step::of).toList());
    }
  }

  record Orders(List<Order> orders, @Nullable String nextPageToken) {
    static Orders of(Page page) {
      return new Orders(page.orders().stream().map(Order::of).toList(), page.next().orElse(null));
    }
  }

  record Spending(
      String consumerId, String month, long orders, long spent, long tips, long refunded) {
    static Spending of(String consumerId, YearMonth month, @Nullable SpendingView row) {
      return row == null
          ? new Spending(consumerId, month.toString(), 0, 0, 0, 0)
          : new Spending(
              consumerId,
              month.toString(),
              row.getOrders(),
              row.getSpent(),
              row.getTips(),
              row.getRefunded());
    }
  }
}
