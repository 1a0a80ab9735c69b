/**
 * Projectors say, for each type of event, which entity an event is for and what the event does to
 * that entity. {@link dev.tidemark.projector.Projector} handles deliveries one at a time or in
 * batches; {@link dev.tidemark.projector.AsyncProjector} does the same by futures. What a batch
 * says to a transport is a {@link dev.tidemark.projector.BatchOutcome}.
 *
 * <pre>{@code
 * Projector<OrderView> views =
 *     Projector.into(orders)
 *         .on(OrderPaid.class, e -> key(e.orderId()), (view, e) -> view.paid(e))
 *         .ignoring(OrderViewed.class)
 *         .build();
 * if (views.handle(Delivery.of(message, event)).isDone()) {
 *   acknowledge();
 * }
 * }</pre>
 */
@NullMarked
package dev.tidemark.projector;

import org.jspecify.annotations.NullMarked;
