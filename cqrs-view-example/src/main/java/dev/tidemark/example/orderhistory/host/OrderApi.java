package dev.tidemark.example.orderhistory.host;

import static dev.tidemark.EntityKey.key;
import static org.springframework.http.HttpStatus.CONFLICT;
import static org.springframework.http.HttpStatus.NOT_FOUND;

import dev.tidemark.EntityKey;
import dev.tidemark.Freshness;
import dev.tidemark.NotBefore;
import dev.tidemark.SourceEvent;
import dev.tidemark.example.orderhistory.ConsumerSpending;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderFilter;
import dev.tidemark.example.orderhistory.OrderQueries;
import dev.tidemark.example.orderhistory.OrderQueries.Page;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.PageToken;
import dev.tidemark.example.orderhistory.SpendingView;
import dev.tidemark.example.orderhistory.ViewStore;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.Pattern;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The views over HTTP. Errors are problem details (RFC 9457). */
@RestController
record OrderApi(
    Generations generations,
    @Qualifier("promptReads") StoreReads reads,
    @Qualifier("waitingReads") StoreReads waitingReads,
    Clock clock) {
  static final String ID = "[^\\p{Cntrl}]{1,200}";
  static final String ID_RULE = "must have 1 to 200 characters, none of them control";
  private static final Duration WAIT = Duration.ofSeconds(2);

  /**
   * Some of a consumer's orders.
   *
   * @param orders newest first
   * @param nextPageToken where to go on, if there are more
   */
  record Orders(List<OrderView> orders, @Nullable String nextPageToken) {}

  /** A page of a consumer's orders, newest first. The index may lag behind the table a little. */
  @GetMapping("/api/consumers/{consumerId}/orders")
  Orders orders(
      @PathVariable @Pattern(regexp = ID, message = ID_RULE) String consumerId,
      @RequestParam(required = false) @Nullable Instant since,
      @RequestParam(required = false)
          @Pattern(regexp = "[A-Z_]{0,40}", message = "must be a status, such as DELIVERED")
          @Nullable String status,
      @RequestParam(required = false)
          @Pattern(
              regexp = "[^\\p{Cntrl}]{0,100}",
              message = "must have at most 100 characters, none of them control")
          @Nullable String keyword,
      @RequestParam(defaultValue = "20") @Min(1) @Max(OrderQueries.MAX_LIMIT) int limit,
      @RequestParam(required = false) @Nullable PageToken pageToken) {
    OrderFilter filter = new OrderFilter(since, status, keyword);
    if (pageToken != null && !pageToken.isIn(filter)) {
      throw Problem.badParameter(
          "pageToken", pageToken, "must be one that a page of this list gave");
    }
    Page page =
        reads.read(
            () -> generations.current().queries().ofConsumer(consumerId, filter, limit, pageToken));
    return new Orders(page.orders(), page.next().map(PageToken::toString).orElse(null));
  }

  /**
   * What a consumer spent in a month, in cents.
   *
   * @param orders how many were placed
   * @param spent what they came to, without tips
   */
  record Spending(
      String consumerId, YearMonth month, long orders, long spent, long tips, long refunded) {
    static Spending of(ViewStore views, String consumerId, YearMonth month) {
      EntityKey key = ConsumerSpending.row(consumerId, month);
      SpendingView row = views.spending().find(key).orElseGet(SpendingView::new);
      return new Spending(consumerId, month, row.orders, row.spent, row.tips, row.refunded);
    }
  }

  /** What a consumer spent in a month, in UTC; this month if none is given. */
  @GetMapping("/api/consumers/{consumerId}/spending")
  Spending spending(
      @PathVariable @Pattern(regexp = ID, message = ID_RULE) String consumerId,
      @RequestParam(required = false) @Nullable YearMonth month) {
    YearMonth chosen = month == null ? YearMonth.now(clock) : month;
    return reads.read(() -> Spending.of(generations.current(), consumerId, chosen));
  }

  /**
   * One order. With {@code notBefore}, such as {@code Order/7/3}, the answer has seen that event:
   * it waits for it up to 2 seconds, and is 409 with the problem {@code not-yet} if it did not
   * come. An error, since a caller that looks at nothing but the status would take any 2xx for the
   * order.
   */
  @GetMapping("/api/orders/{orderId}")
  OrderView order(
      @PathVariable @Pattern(regexp = ID, message = ID_RULE) String orderId,
      @RequestParam(required = false) @Nullable SourceEvent notBefore) {
    Optional<OrderView> row =
        notBefore == null
            ? reads.read(() -> generations.current().orders().find(key(orderId)))
            : seen(orderId, notBefore);
    return row.filter(order -> order.consumerId != null) // else not created yet
        .orElseThrow(
            () ->
                Problem.of(
                    NOT_FOUND, "no-such-order", "there is no such order", "orderId", orderId));
  }

  private Optional<OrderView> seen(String orderId, SourceEvent event) {
    NotBefore wait = NotBefore.notBefore(event).within(WAIT);
    Freshness<OrderView> found =
        waitingReads.read(() -> generations.current().orders().find(key(orderId), wait));
    if (found instanceof Freshness.Fresh<OrderView> fresh) {
      return fresh.entity();
    }
    String place = event.source().type() + "/" + event.source().id() + "/" + event.position();
    throw Problem.of(
        CONFLICT, "not-yet", "the order has not seen that event yet", "notBefore", place);
  }
}
