package dev.tidemark.lab.storm;

import dev.tidemark.Outcome;
import java.time.Duration;

/**
 * What came of one storm.
 *
 * @param undone how many events had a delivery that was not done in the end
 * @param wrong how many events had other effects than they were told
 * @param requests of all clients
 */
record StormResult(
    String store,
    Settings settings,
    Tally tally,
    int undone,
    int wrong,
    Weather weather,
    long requests,
    Duration took) {

  /** Whether everything was done in the end, and nothing is wrong. */
  boolean holds() {
    return undone == 0 && wrong == 0;
  }

  /** One line that says it all. */
  String line() {
    return String.format(
        "storm store=%s deliveries=%d applied=%d unknown=%d undone=%d wrong=%d"
            + " duplicates=%d stale=%d gaps=%d lost=%d stepdowns=%d requests=%d seconds=%d seed=%d",
        store,
        tally.deliveries(),
        tally.applied(),
        tally.unknown(),
        undone,
        wrong,
        tally.count(Outcome.Duplicate.class),
        tally.count(Outcome.Stale.class),
        tally.count(Outcome.Gap.class),
        weather.lost(),
        weather.stepDowns(),
        requests,
        took.toSeconds(),
        settings.seed());
  }
}
