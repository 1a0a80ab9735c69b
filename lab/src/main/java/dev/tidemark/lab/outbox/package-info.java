/**
 * Publishes messages from entities while the processes that relay them are killed, the broker is
 * away, and messages are poisoned; then compares what arrived with what was published: nothing
 * lost, no order broken, and no effect twice at a consumer that drops twins. Run by {@code ./demo
 * --outbox}.
 */
@NullMarked
package dev.tidemark.lab.outbox;

import org.jspecify.annotations.NullMarked;
