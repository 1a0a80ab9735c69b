/**
 * Kafka on both sides: {@link dev.tidemark.kafka.KafkaSender} sends the outgoing messages of a
 * {@link dev.tidemark.outbox.Relay}, and {@link dev.tidemark.kafka.KafkaIntakeLoop} hands the
 * records of topics to a projector.
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
