/**
 * Messages that leave because entities changed: where they wait, and the relay that sends them.
 * What waits is stored in the entity, by the write that changed it; see {@link
 * dev.tidemark.Change#publish(dev.tidemark.OutgoingMessage)}.
 */
@NullMarked
package dev.tidemark.outbox;

import org.jspecify.annotations.NullMarked;
