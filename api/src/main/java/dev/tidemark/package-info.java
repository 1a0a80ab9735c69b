/**
 * Idempotent message handling for code that writes to DynamoDB or MongoDB: the duplicate check, the
 * mark that remembers the message and the business change are one conditional write on one entity.
 *
 * <p>Start with {@link dev.tidemark.EntityStore}, which a backend implements, or with {@link
 * dev.tidemark.projector.Projector}, which turns deliveries into calls of it. A message is
 * identified by a {@link dev.tidemark.MessageId} or a {@link dev.tidemark.SourceEvent}; what an
 * entity remembers of its messages is chosen by {@link dev.tidemark.Tracking}; what a delivery did
 * is an {@link dev.tidemark.Outcome}.
 *
 * <pre>{@code
 * Outcome<OrderView> outcome =
 *     orders.update(
 *         SourceEvent.of("Order", orderId, 17),
 *         key(orderId),
 *         change().set("status", "PAID").add("total", 25).onlyIf(attribute("status").is("PLACED")));
 * if (outcome.isDone()) {
 *   acknowledge();
 * }
 * }</pre>
 *
 * <p>A {@link dev.tidemark.metrics.StoreListener} is told what each call did and cost.
 *
 * <p>All types here are immutable values or stateless interfaces and may be shared between threads
 * unless their own page says otherwise.
 */
@NullMarked
package dev.tidemark;

import org.jspecify.annotations.NullMarked;
