/**
 * Where the changes of statuses go that rows have published: {@link
 * dev.tidemark.example.orderhistory.relay.StatusSender} sends them to Kafka, to SQS, or to both.
 */
@NullMarked
package dev.tidemark.example.orderhistory.relay;

import org.jspecify.annotations.NullMarked;
