/**
 * Tidemark in a Spring Boot application: stores of the classes that are {@link
 * dev.tidemark.Tracked}, listeners of Kafka and SQS, relays, idempotency keys, meters and health as
 * beans. Each is there only where the application has what it needs, and steps back behind a bean
 * of the application's own.
 *
 * <pre>{@code
 * tidemark.tables.order-view=orders
 * }</pre>
 *
 * <pre>{@code
 * @Component
 * class Orders {
 *   Orders(EntityStore<OrderView> orders) { … }
 * }
 * }</pre>
 */
@NullMarked
package dev.tidemark.spring;

import org.jspecify.annotations.NullMarked;
