/**
 * Marks that live outside the library's own writes: {@link dev.tidemark.marks.Marks} as a property
 * of an entity's class, for a read and a write of the whole entity by the caller; and a {@link
 * dev.tidemark.marks.MarkCache} of what a store has written lately, so that a sure duplicate costs
 * no request.
 *
 * <pre>{@code
 * ConcurrentMap<EntityKey, Object> recent =
 *     Caffeine.newBuilder().maximumSize(10_000).<EntityKey, Object>build().asMap();
 * DynamoDbEntityStore.builder(client, table).markCache(MarkCache.in(recent)).build();
 * }</pre>
 */
@NullMarked
package dev.tidemark.marks;

import org.jspecify.annotations.NullMarked;
