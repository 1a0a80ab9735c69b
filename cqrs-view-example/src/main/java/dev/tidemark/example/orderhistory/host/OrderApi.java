package dev.tidemark.example.orderhistory.host;

import static dev.tidemark.EntityKey.key;

import dev.tidemark.Freshness;
import dev.tidemark.NotBefore;
import dev.tidemark.SourceEvent;
import dev.tidemark.example.orderhistory.ConsumerSpending;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderFilter;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.SpendingView;
import java.time.Clock;
import java.time.Duration;
import java.time.YearMonth;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** The views over HTTP. Errors are problem details (RFC 9457). */
@RestController
final class OrderApi {
  private static final Duration WAIT = Duration.ofSeconds(2);

  private final Generations generations;
  private final StoreReads reads;
  private final StoreReads waitingReads;
  private final Clock clock;

  OrderApi(
      Generations generations,
      @Qualifier("promptReads") StoreReads reads,
      @Qualifier("waitingReads") StoreReads waitingReads,
      Clock clock) {
    this.generations = generations;
    this.reads = reads;
    this.waitingReads = waitingReads;
    this.clock = clock;
  }

  /** A page of a consumer's orders, newest first. The index may lag behind the table a little. */
  @GetMapping("/api/consumers/{consumerId}/orders")
  Bodies.Orders orders(
      @PathVariable String consumerId,
      @RequestParam(required = false) @Nullable String since,
      @RequestParam(required = false) @Nullable String status,
      @RequestParam(required = false) @Nullable String keyword,
      @RequestParam(required = false) @Nullable String limit,
      @RequestParam(required = false) @Nullable String pageToken) {
    String consumer = Parameters.id("consumerId", consumerId);
    OrderFilter filter = Parameters.filter(since, status, keyword);
    int most = Parameters.limit(limit);
    String from = Parameters.pageToken(pageToken, filter);
    return reads.read(
        () ->
            Bodies.Orders.of(
                generations.current().queries().ofConsumer(consumer, filter, most, from)));
  }

  /** What a consumer spent in a month, in UTC; this month if none is given. */
  @GetMapping("/api/consumers/{consumerId}/spending")
  Bodies.Spending spending(
      @PathVariable String consumerId, @RequestParam(required = false) @Nullable String month) {
    String consumer = Parameters.id("consumerId", consumerId);
    YearMonth chosen = Parameters.month(month, YearMonth.now(clock));
    return reads.read(
        () ->
            Bodies.Spending.of(
                consumer,
                chosen,
                generations
                    .current()
                    .spending()
                    .find(ConsumerSpending.row(consumer, chosen))
                    .orElseGet(SpendingView::new)));
  }

  /**
   * One order. With {@code notBefore}, such as {@code Order/7/3}, the answer has seen that event:
   * it waits for it up to 2 seconds, and is 409 with the problem {@code not-yet} if it did not
   * come. An error, since a caller that looks at nothing but the status would take any 2xx for the
   * order.
   */
  @GetMapping("/api/orders/{orderId}")
  OrderView order(
      @PathVariable String orderId, @RequestParam(required = false) @Nullable String notBefore) {
    String id = Parameters.id("orderId", orderId);
    Optional<OrderView> row =
        notBefore == null || notBefore.isEmpty()
            ? reads.read(() -> generations.current().orders().find(key(id)))
            : seen(id, Parameters.place(notBefore), notBefore);
    return row.filter(order -> order.consumerId != null) // else not created yet
        .orElseThrow(() -> new NoSuchOrder(id));
  }

  private Optional<OrderView> seen(String id, SourceEvent event, String notBefore) {
    Freshness<OrderView> found =
        waitingReads.read(
            () ->
                generations
                    .current()
                    .orders()
                    .find(key(id), NotBefore.notBefore(event).within(WAIT)));
    if (found instanceof Freshness.Fresh<OrderView> fresh) {
      return fresh.entity();
    }
    throw new NotYet(notBefore);
  }

  /** There is no such order. */
  static final class NoSuchOrder extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String id;

    NoSuchOrder(String id) {
      super("there is no such order");
      this.id = id;
    }

    String id() {
      return id;
    }
  }

  /** The order has not seen the event that the caller waits for. */
  static final class NotYet extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String notBefore;

    NotYet(String notBefore) {
      super("the order has not seen that event yet");
      this.notBefore = notBefore;
    }

    String notBefore() {
      return notBefore;
    }
  }
}
