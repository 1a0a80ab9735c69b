package dev.tidemark.lab.outbox;

import java.time.Duration;
import java.util.List;

/**
 * What came of one case on one store.
 *
 * @param published how many messages were published
 * @param sent how many arrived, copies included
 * @param lost how many did not arrive
 * @param pending how many are stored still, though there was quiet
 * @param wrong what else is not as it should be
 * @param kills how many relays died or were stopped
 * @param takenOver how many shards were taken over from relays that went silent
 */
record OutboxResult(
    String store,
    Case what,
    int published,
    int sent,
    int distinct,
    int lost,
    int pending,
    List<String> wrong,
    int kills,
    int takenOver,
    Duration took) {

  boolean holds() {
    return lost == 0 && pending == 0 && wrong.isEmpty();
  }

  String line() {
    return String.format(
        "outbox store=%s case=%s published=%d sent=%d copies=%d lost=%d pending=%d wrong=%d"
            + " kills=%d takeovers=%d seconds=%d",
        store,
        what,
        published,
        sent,
        sent - distinct,
        lost,
        pending,
        wrong.size(),
        kills,
        takenOver,
        took.toSeconds());
  }
}
