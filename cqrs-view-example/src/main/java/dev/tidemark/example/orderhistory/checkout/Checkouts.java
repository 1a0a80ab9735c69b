package dev.tidemark.example.orderhistory.checkout;

import static dev.tidemark.execution.Doubt.retry;

import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import dev.tidemark.execution.Flow;
import dev.tidemark.execution.Steps;
import dev.tidemark.store.RecordStore;
import java.time.Duration;

/**
 * Runs checkouts once per order, and ends those whose process died. Each is a flow of three steps.
 * The payment provider knows idempotency keys, so a step that is in doubt is asked for once more,
 * by the same key. Safe for use by many threads.
 */
public final class Checkouts {
  /** The name under which unfinished checkouts are found. */
  public static final String FLOW = "checkout-v1";

  /** The scope of their records. */
  public static final String SCOPE = "checkout";

  private static final Duration WAIT = Duration.ofSeconds(10);

  private final Payments payments;
  private final Flow<Order, Receipt> flow;

  /**
   * Checkouts whose records are in a store.
   *
   * @param records where they are
   * @param payments who charges
   * @param lease how long a step may take
   */
  public Checkouts(RecordStore records, Payments payments, Duration lease) {
    this.payments = payments;
    this.flow =
        Executions.builder(SCOPE, records)
            .lease(lease)
            .waitingUpTo(WAIT)
            .build()
            .flow(FLOW, Order.class, Receipt.class, this::pay);
  }

  /**
   * What the steps need to know: it is stored, for whoever goes on.
   *
   * @param id the order's
   * @param checkout what was asked for
   */
  record Order(String id, Checkout checkout) {}

  /**
   * Pays for an order, unless that was done before.
   *
   * @param orderId the order's, and the key of the checkout
   * @param checkout what to pay
   * @return what came of it
   */
  public Execution<Receipt> run(String orderId, Checkout checkout) {
    return flow.run(orderId, new Order(orderId, checkout));
  }

  /**
   * Ends checkouts whose owners went silent.
   *
   * @param most how many at most
   * @return what came of them
   */
  public Flow.Resumed resume(int most) {
    return flow.resume(most);
  }

  private Receipt pay(Order order, Steps steps) {
    String id = order.id();
    long cents = order.checkout().cents();
    String held =
        steps.step("reserve", String.class, retry(), key -> payments.reserve(key, id, cents));
    String charge =
        steps.step("charge", String.class, retry(), key -> payments.charge(key, id, held, cents));
    steps.act("confirm", retry(), key -> payments.confirm(key, id, charge));
    return new Receipt(id, charge, cents);
  }
}
