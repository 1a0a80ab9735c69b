/**
 * Entity stores on MongoDB, for the synchronous Java driver and the collection's own codecs.
 *
 * <p>Start with {@link dev.tidemark.mongodb.MongoEntityStore}; {@link
 * dev.tidemark.mongodb.MongoNativeUpdate} joins operators of your own with guard and mark; {@link
 * dev.tidemark.mongodb.MongoMarksCodec} and {@link dev.tidemark.mongodb.MongoMarks} let classes
 * carry their marks through whole-document writes; {@link dev.tidemark.mongodb.ChangeStreamIntake}
 * brings the changes of a collection to a projector.
 *
 * <pre>{@code
 * MongoEntityStore<OrderRow> orders = MongoEntityStore.of(collection);
 * Outcome<OrderRow> outcome =
 *     orders.update(SourceEvent.of("Order", orderId, 17), key(orderId), change().add("total", 25));
 * }</pre>
 *
 * <p>Stores may be shared by threads.
 */
@NullMarked
package dev.tidemark.mongodb;

import org.jspecify.annotations.NullMarked;
