/**
 * What calls of a store did and cost. A {@link dev.tidemark.metrics.StoreListener} is told of each
 * call by a {@link dev.tidemark.metrics.StoreCall}: outcomes, faults, requests, time, sizes, and
 * never a key or a value. {@link dev.tidemark.metrics.SizeGuard} is a listener that warns before an
 * entity is too large.
 *
 * <pre>{@code
 * DynamoDbEntityStore.builder(client, table).listener(SizeGuard.of(clock)).build();
 * }</pre>
 */
@NullMarked
package dev.tidemark.metrics;

import org.jspecify.annotations.NullMarked;
