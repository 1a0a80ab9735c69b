/**
 * AWS on both sides: {@link dev.tidemark.aws.SqsIntake} hands the messages of queues to a
 * projector, and senders take the outgoing messages of a {@link dev.tidemark.outbox.Relay} to
 * queues, topics and event buses. The clients of the services are optional dependencies: have the
 * one that you use.
 *
 * <pre>{@code
 * Relay relay =
 *     Relay.builder(records, SqsSender.of(client, queueUrls::get)).sharedBy(leases).build();
 * }</pre>
 *
 * <p>All senders put at most 10 messages into a request, all to one destination, and make one
 * request after the other on the caller's thread. A message counts as sent once the service has
 * confirmed it by its entry. Where a request fails as a whole, its messages are sent one by one, so
 * that one of them does not hold back the others. Where a destination cannot be reached, throttles,
 * or refuses all, the rest of the call to it is not tried. What the service or the way to it is to
 * blame for ({@code senderFault} is false, throttling, a status from 500 on, no answer), and what
 * was not tried, is not the message's fault ({@link dev.tidemark.outbox.Sent#deferred}). The
 * clients' own timeouts and retries bound a request; set them so that a call is shorter than the
 * lease of the relay. Senders retry nothing themselves, log nothing, and name no payload in an
 * error. The caller closes the clients. Threads may share a sender.
 */
@NullMarked
package dev.tidemark.aws;

import org.jspecify.annotations.NullMarked;
