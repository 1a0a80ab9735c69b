package dev.tidemark.lab.checkout;

import dev.tidemark.example.orderhistory.local.Trap.Moment;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a process dies while it works on an order that has not begun.
 *
 * @param atPayments whether at a request to the payment provider, or to the store
 * @param number of the request among those of this order, from 1 on
 * @param moment before the request or after it
 */
record KillPoint(boolean atPayments, int number, Moment moment) {
  /** The claims of filter and flow, three steps, the end of the flow, the stored response. */
  private static final int STORE_REQUESTS = 7;

  private static final int PAYMENT_REQUESTS = 3;

  /** All of them. */
  static List<KillPoint> all() {
    List<KillPoint> points = new ArrayList<>();
    for (Moment moment : Moment.values()) {
      for (int number = 1; number <= STORE_REQUESTS; number++) {
        points.add(new KillPoint(false, number, moment));
      }
      for (int number = 1; number <= PAYMENT_REQUESTS; number++) {
        points.add(new KillPoint(true, number, moment));
      }
    }
    return points;
  }
}
