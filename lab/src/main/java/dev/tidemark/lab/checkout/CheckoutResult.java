package dev.tidemark.lab.checkout;

import java.time.Duration;

/**
 * What came of one run.
 *
 * @param kills how many processes died
 * @param points at how many different requests of an order one died, before it or after it
 * @param cuts how often a service's store was cut off, or a reply was lost
 * @param charges how many the payment provider counted
 * @param stuck how many orders did not end, or got no receipt
 * @param wrong how many had other effects than one of each kind, or different receipts
 * @param requests of all clients
 * @param replays how many of them were answered by a replay
 */
record CheckoutResult(
    String store,
    Settings settings,
    int kills,
    int points,
    int cuts,
    int charges,
    int stuck,
    int wrong,
    int requests,
    int replays,
    Duration took) {

  /** Whether every order ended, with one charge. */
  boolean holds() {
    return stuck == 0 && wrong == 0 && charges == settings.keys();
  }

  /** One line that says it all. */
  String line() {
    return String.format(
        "checkout store=%s keys=%d kills=%d charges=%d stuck=%d wrong=%d"
            + " points=%d cuts=%d requests=%d replays=%d seconds=%d seed=%d",
        store,
        settings.keys(),
        kills,
        charges,
        stuck,
        wrong,
        points,
        cuts,
        requests,
        replays,
        took.toSeconds(),
        settings.seed());
  }
}
