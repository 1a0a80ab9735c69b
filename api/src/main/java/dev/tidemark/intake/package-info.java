/**
 * Connects a carrier of messages, such as SQS or Kafka, to a handler: an intake turns the carrier's
 * messages into deliveries, and the results of the deliveries into what to tell the carrier. The
 * modules for carriers build on this package.
 */
@NullMarked
package dev.tidemark.intake;

import org.jspecify.annotations.NullMarked;
