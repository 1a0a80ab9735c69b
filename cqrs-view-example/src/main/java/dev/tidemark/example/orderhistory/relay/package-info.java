/**
 * What sends the changes of statuses that rows have published: {@link
 * dev.tidemark.example.orderhistory.relay.StatusRelay} looks for them in the order history and
 * hands them to {@link dev.tidemark.example.orderhistory.relay.StatusSender}, which sends them to
 * Kafka, to SQS, or to both.
 */
@NullMarked
package dev.tidemark.example.orderhistory.relay;

import org.jspecify.annotations.NullMarked;
