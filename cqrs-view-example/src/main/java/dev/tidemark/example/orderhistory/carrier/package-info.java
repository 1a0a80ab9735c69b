/** What brings events to the views: Kafka, SQS and change streams, each in one class. */
@NullMarked
package dev.tidemark.example.orderhistory.carrier;

import org.jspecify.annotations.NullMarked;
