/**
 * Sends outgoing messages to Kafka: for a {@link dev.tidemark.outbox.Relay} whose messages are read
 * from topics.
 *
 * <pre>{@code
 * var producer =
 *     new KafkaProducer<>(
 *         KafkaSender.requireSafe(settings), new StringSerializer(), new ByteArraySerializer());
 * Relay relay = Relay.builder(records, KafkaSender.of(producer)).sharedBy(leases).build();
 * }</pre>
 */
@NullMarked
package dev.tidemark.kafka;

import org.jspecify.annotations.NullMarked;
