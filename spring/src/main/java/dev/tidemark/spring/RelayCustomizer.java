package dev.tidemark.spring;

import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.RelayBuilder;

/**
 * Sets what a relay needs beside the defaults, such as an interval or a lease. Beans of this type
 * are asked in their order, each time that a relay is made.
 */
@FunctionalInterface
public interface RelayCustomizer {
  /**
   * Changes the settings of one relay.
   *
   * @param records whose messages it sends
   * @param relay its settings. It has the listeners that are beans; another one takes their place,
   *     and the place of what health is told by
   */
  void customize(OutboxRecords records, RelayBuilder relay);
}
