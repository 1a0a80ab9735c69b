/**
 * The calls of entity stores, executions under idempotency keys, and passes of relays as
 * OpenTelemetry's spans: for who follows one message through a system.
 *
 * <pre>{@code
 * TidemarkTracing tracing = new TidemarkTracing(openTelemetry);
 * DynamoDbEntityStore<OrderView> orders =
 *     DynamoDbEntityStore.builder(client, table).listener(tracing).build();
 * Executions checkouts = Executions.builder("checkout", records).listener(tracing).build();
 * Relay relay = Relay.builder(outbox, sender).listener(tracing).build();
 * }</pre>
 *
 * <table>
 * <caption>Spans, all of kind INTERNAL</caption>
 * <tr><th>name</th><th>around</th><th>attributes</th></tr>
 * <tr><td>{@code update orders}: method and store</td><td>a call of a store</td>
 *   <td>{@code db.operation.name}, {@code db.collection.name}; {@code db.operation.batch.size} of a
 *   batch; {@code tidemark.messages.Applied} and so on, messages by the arm of their outcome, by
 *   the class of their fault, or {@code HeldBack}; {@code tidemark.requests.read}, {@code .write}
 *   and {@code .repeat}; {@code tidemark.units.read} and {@code .write} where DynamoDB reported
 *   them</td></tr>
 * <tr><td>{@code execute checkout}: the scope</td>
 *   <td>a call for an idempotency key, with its work</td>
 *   <td>{@code tidemark.execution.scope}, {@code tidemark.execution.event}: what the call came to;
 *   the span has an event {@code claimed} or {@code taken_over} where the work begins</td></tr>
 * <tr><td>{@code relay orders}: the table or collection</td><td>a pass of a relay</td>
 *   <td>{@code tidemark.outbox.records}, {@code .shards}, {@code .pending}, {@code .sent}, {@code
 *   .failed}, {@code .parked}, {@code .prevented}, {@code .refused}, {@code .takeovers}</td></tr>
 * </table>
 *
 * <p>The status is ERROR, with {@code error.type}, where there was a fault: an exception, or {@code
 * Failed} in a batch. An outcome is no error, whichever it is.
 */
@NullMarked
package dev.tidemark.opentelemetry;

import org.jspecify.annotations.NullMarked;
