package dev.tidemark.lab.transfers;

import dev.tidemark.lab.storm.Settings;
import dev.tidemark.lab.storm.Weather;
import java.time.Duration;

/**
 * What came of the transfers in one store.
 *
 * @param deliveries how many there were
 * @param transfers how many there are to make
 * @param unknown how many deliveries ended without an answer
 * @param undone how many transfers were not told done in the end
 * @param wrong how many accounts, entries and answers are not what they have to be
 * @param cuts how often the store could not be reached
 * @param requests of all clients
 */
record TransfersResult(
    String store,
    Settings settings,
    long deliveries,
    int transfers,
    long unknown,
    int undone,
    int wrong,
    Weather weather,
    int cuts,
    long requests,
    Duration took) {

  /** Whether everything was done in the end, and nothing is wrong. */
  boolean holds() {
    return undone == 0 && wrong == 0;
  }

  /** One line that says it all. */
  String line() {
    return String.format(
        "transfers store=%s deliveries=%d transfers=%d unknown=%d undone=%d wrong=%d"
            + " lost=%d cuts=%d stepdowns=%d requests=%d seconds=%d seed=%d",
        store,
        deliveries,
        transfers,
        unknown,
        undone,
        wrong,
        weather.lost(),
        cuts,
        weather.stepDowns(),
        requests,
        took.toSeconds(),
        settings.seed());
  }
}
