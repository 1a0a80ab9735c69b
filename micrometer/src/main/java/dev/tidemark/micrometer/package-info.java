/**
 * The calls of entity stores, executions under idempotency keys, and relays of outgoing messages as
 * Micrometer's meters: for who watches handlers at work.
 *
 * <pre>{@code
 * DynamoDbEntityStore<OrderView> orders =
 *     DynamoDbEntityStore.builder(client, table).listener(new TidemarkMetrics(registry)).build();
 * Executions checkouts =
 *     Executions.builder("checkout", records).listener(new TidemarkMetrics(registry)).build();
 * Relay relay =
 *     Relay.builder(outbox, sender).listener(new TidemarkMetrics(registry).watch(outbox)).build();
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
 * <tr><td>{@code tidemark.intake.messages}</td><td>counter</td>
 *   <td>{@code intake}, {@code fate}</td>
 *   <td>messages that an intake took, of those that {@code intake} was given: {@code done}, to come
 *   {@code again}, or put to the {@code dead} letters</td></tr>
 * <tr><td>{@code tidemark.outbox.pending}</td><td>gauge</td><td>{@code records}</td>
 *   <td>messages that wait, as far as a pass has seen: at most some hundreds for each shard, so it
 *   tells that there is a backlog and not how large it is</td></tr>
 * <tr><td>{@code tidemark.outbox.oldest}</td><td>gauge</td><td>{@code records}</td>
 *   <td>for how many seconds the oldest message waits, counted on between passes: how far the relay
 *   is behind</td></tr>
 * <tr><td>{@code tidemark.outbox.pass.age}</td><td>gauge</td><td>{@code records}</td>
 *   <td>for how many seconds the store has not answered the relay: grows where a call of the store
 *   hangs, or the relay has died or cannot look, and stands still during a call of the sender</td>
 *   </tr>
 * <tr><td>{@code tidemark.outbox.shards}</td><td>gauge</td><td>{@code records}</td>
 *   <td>shards that the relay works on</td></tr>
 * <tr><td>{@code tidemark.outbox.pass}</td><td>timer</td><td>{@code records}</td>
 *   <td>passes, and how long they took</td></tr>
 * <tr><td>{@code tidemark.outbox.sent}</td><td>counter</td><td>{@code records}</td>
 *   <td>messages that the sender has taken</td></tr>
 * <tr><td>{@code tidemark.outbox.failed}</td><td>counter</td><td>{@code records}</td>
 *   <td>tries of messages that could not be sent</td></tr>
 * <tr><td>{@code tidemark.outbox.parked}</td><td>counter</td><td>{@code records}</td>
 *   <td>messages that were parked</td></tr>
 * <tr><td>{@code tidemark.outbox.prevented}</td><td>counter</td><td>{@code records}</td>
 *   <td>messages that were not sent a second time</td></tr>
 * <tr><td>{@code tidemark.outbox.refused}</td><td>counter</td><td>{@code records}</td>
 *   <td>changes of records that were refused, as others changed them meanwhile</td></tr>
 * <tr><td>{@code tidemark.outbox.takeovers}</td><td>counter</td><td>{@code records}</td>
 *   <td>shards that were taken over from instances that went silent</td></tr>
 * <tr><td>{@code tidemark.outbox.errors}</td><td>counter</td><td>{@code records}</td>
 *   <td>passes that met an error, of the sender or of the store</td></tr>
 * <tr><td>{@code tidemark.outbox.ahead}</td><td>counter</td><td>{@code records}</td>
 *   <td>messages of writers whose clock was far ahead of the relay's</td></tr>
 * <tr><td>{@code tidemark.outbox.held.back}</td><td>gauge</td><td>{@code records}</td>
 *   <td>messages that have waited for long, and for their cluster's turn</td></tr>
 * <tr><td>{@code tidemark.outbox.unreadable}</td><td>gauge</td><td>{@code records}</td>
 *   <td>records that cannot be read, as far as a pass has seen</td></tr>
 * <tr><td>{@code tidemark.outbox.stream.behind}</td><td>gauge</td><td>{@code records}</td>
 *   <td>how far a stream that {@code watchStream} was given is behind</td></tr>
 * <tr><td>{@code tidemark.outbox.cluster.takeovers}</td><td>counter</td>
 *   <td>{@code records}, {@code origin}</td>
 *   <td>messages that this cluster sent in place of the one that published them, which {@code
 *   origin} names; there from {@code watchClusters} on</td></tr>
 * <tr><td>{@code tidemark.outbox.cluster.prevented}</td><td>counter</td><td>{@code records}</td>
 *   <td>messages of this cluster that were taken off unsent, since another one had sent them</td>
 * </tr>
 * </table>
 *
 * <p>{@code store} is the name of the table or collection, {@code scope} that of the executions,
 * {@code records} that of the table or collection whose messages a relay sends, {@code intake} the
 * name that its listener was given. No tag has a value that grows with messages or entities. A
 * meter is there from the first thing on that it counts; all of a relay's are there from {@code
 * watch} on, or from its first pass.
 */
@NullMarked
package dev.tidemark.micrometer;

import org.jspecify.annotations.NullMarked;
