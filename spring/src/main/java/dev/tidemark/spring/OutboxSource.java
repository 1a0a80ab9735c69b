package dev.tidemark.spring;

import dev.tidemark.outbox.OutboxRecords;
import java.util.Collection;

/**
 * Names records whose relays come and go with them, such as the tables of tenants or of generations
 * of a view. Beans of this type are asked every few seconds; each of the records has a relay for as
 * long as it is named. Of one name there is one relay, and a name that comes again has its next one
 * once the last one has ended. Two records of one name, by all sources and {@code OutboxRecords}
 * beans together, count as a source that throws. So do stored records beside the {@link
 * dev.tidemark.outbox.ClusteredRecords} that are made of them.
 */
@FunctionalInterface
public interface OutboxSource {
  /**
   * The records that have a relay now. What this throws leaves the relays as they are, of other
   * sources too. Health is down once it has thrown for {@code tidemark.outbox.stale-after}.
   *
   * @return those that were there before are known by their name
   */
  Collection<? extends OutboxRecords> outboxes();
}
