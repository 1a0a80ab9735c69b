package dev.tidemark.benchmarks.outgoing;

import java.util.function.IntConsumer;
import java.util.function.IntSupplier;

/**
 * A way to change an entity and to send a message of it.
 *
 * @param name what it is called in tables
 * @param publish changes the entity of that number, and keeps a message
 * @param send sends what waits, and takes it off; how many messages that were
 */
public record Way(String name, IntConsumer publish, IntSupplier send) {}
