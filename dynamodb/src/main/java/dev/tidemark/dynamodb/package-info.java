/**
 * Entity stores on DynamoDB, for the AWS SDK v2 and its Enhanced Client.
 *
 * <p>Start with {@link dev.tidemark.dynamodb.DynamoDbEntityStore}, or {@link
 * dev.tidemark.dynamodb.DynamoDbAsyncEntityStore} for the asynchronous client; {@link
 * dev.tidemark.dynamodb.DynamoDbNativeUpdate} joins expressions of your own with guard and mark;
 * {@link dev.tidemark.dynamodb.TidemarkExtension} makes existing {@code table.updateItem(bean)}
 * idempotent.
 *
 * <pre>{@code
 * DynamoDbEntityStore<OrderView> orders = DynamoDbEntityStore.of(client, table);
 * Outcome<OrderView> outcome =
 *     orders.update(SourceEvent.of("Order", orderId, 17), key(orderId), change().add("total", 25));
 * }</pre>
 *
 * <p>Stores may be shared by threads.
 */
@NullMarked
package dev.tidemark.dynamodb;

import org.jspecify.annotations.NullMarked;
