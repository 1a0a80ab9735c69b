/**
 * The calls of entity stores, executions under idempotency keys, and relays of outgoing messages,
 * as Micrometer's meters: for who watches handlers at work.
 *
 * <pre>{@code
 * DynamoDbEntityStore<OrderView> orders =
 *     DynamoDbEntityStore.builder(client, table).listener(new TidemarkMetrics(registry)).build();
 * Executions checkouts =
 *     Executions.builder("checkout", records).listener(new TidemarkMetrics(registry)).build();
 * Relay relay = Relay.builder(outbox, sender).listener(new TidemarkMetrics(registry)).build();
 * }</pre>
 *
 * <table>
 * <caption>Meters</caption>
 * <tr><th>name</th><th>type</th><th>tags</th><th>what</th></tr>
 * <tr><td>{@code tidemark.calls}</td><td>timer</td><td>{@code store}, {@code call}</td>
 *   <td>calls and how long they took, by the method's name</td></tr>
 * <tr><td>{@code tidemark.messages}</td><td>counter</td>
 *   <td>{@code store}, {@code outcome}</td>
 *   <td>messages by the arm of their outcome ({@code Applied}, {@code Duplicate}), the class of
 *   their fault ({@code ContentionException}), or {@code HeldBack}; reads that wait for a message
 *   by {@code Fresh} or {@code NotYet}</td></tr>
 * <tr><td>{@code tidemark.requests}</td><td>counter</td><td>{@code store}, {@code kind}</td>
 *   <td>requests of kind {@code read} or {@code write}, and by {@code repeat} those that the
 *   store's client sent again by itself, where it tells</td></tr>
 * <tr><td>{@code tidemark.units}</td><td>counter</td><td>{@code store}, {@code kind}</td>
 *   <td>capacity units that DynamoDB reported for requests of kind {@code read} or {@code write};
 *   it reports none for refused writes</td></tr>
 * <tr><td>{@code tidemark.mark.bytes}</td><td>distribution summary</td><td>{@code store}</td>
 *   <td>what is stored of marks in an entity, where a call saw it</td></tr>
 * <tr><td>{@code tidemark.cache.lookups}</td><td>counter</td>
 *   <td>{@code store}, {@code result}</td>
 *   <td>messages that the cache of marks answered ({@code hit}) or did not ({@code miss}), of the
 *   caches that {@code watch} was given</td></tr>
 * <tr><td>{@code tidemark.executions}</td><td>timer</td><td>{@code scope}, {@code event}</td>
 *   <td>what happened to executions under idempotency keys ({@code claimed}, {@code taken_over},
 *   {@code completed}, {@code parked}, as {@link dev.tidemark.execution.ExecutionEvent.Kind} has
 *   them), and the time since the call began</td></tr>
 * <tr><td>{@code tidemark.relay.messages}</td><td>counter</td>
 *   <td>{@code store}, {@code outcome}</td>
 *   <td>outgoing messages that a relay {@code sent}, that {@code failed} or were {@code parked},
 *   and by {@code prevented} those that it did not send a second time</td></tr>
 * <tr><td>{@code tidemark.relay.pending}</td><td>gauge</td><td>{@code store}</td>
 *   <td>outgoing messages that wait, as far as the last pass has seen</td></tr>
 * <tr><td>{@code tidemark.relay.oldest}</td><td>gauge</td><td>{@code store}</td>
 *   <td>for how many seconds the oldest of them has waited: a relay that is behind shows it</td></tr>
 * <tr><td>{@code tidemark.relay.shards}</td><td>gauge</td><td>{@code store}</td>
 *   <td>shards that the relay works on; those of all instances are those of the index</td></tr>
 * <tr><td>{@code tidemark.relay.takeovers}</td><td>counter</td><td>{@code store}</td>
 *   <td>shards that were taken over from instances that went silent</td></tr>
 * <tr><td>{@code tidemark.relay.errors}</td><td>counter</td><td>{@code store}</td>
 *   <td>passes that met an error of the sender or of the store</td></tr>
 * <tr><td>{@code tidemark.relay.passes}</td><td>timer</td><td>{@code store}</td>
 *   <td>passes and how long they took; a relay that makes none is dead</td></tr>
 * </table>
 *
 * <p>{@code store} is the name of the table or collection, {@code scope} that of the executions. No
 * tag has a value that grows with messages or entities. A meter is there from the first thing on
 * that it counts.
 */
@NullMarked
package dev.tidemark.micrometer;

import org.jspecify.annotations.NullMarked;
