package dev.tidemark.lab.storm;

import java.util.List;

/**
 * What one worker takes at a time.
 *
 * @param events one for a single call, more for a batch; each is one delivery
 * @param way how they reach the store
 */
record Parcel(List<Event> events, Way way) {
  /** How deliveries reach a store. */
  enum Way {
    /** One portable change. */
    UPDATE,
    /** One function. */
    APPLY,
    /** One update in the store's own words. */
    NATIVE,
    /** A batch of writes, of which those that are not done come again by themselves. */
    QUEUE,
    /** A batch through a projector, of which all comes again from the first that is not done. */
    LOG
  }

  Parcel {
    events = List.copyOf(events);
  }

  /** The same way, with other deliveries. */
  Parcel of(List<Event> others) {
    return new Parcel(others, way);
  }
}
