package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.Freshness;
import dev.tidemark.Key;
import dev.tidemark.Message;
import dev.tidemark.NotBefore;
import dev.tidemark.Outcome;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Names;
import java.time.Clock;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/** The entities of one table under one tracking: what both entity stores do, as futures. */
final class DynamoDbEntities<T> {
  private final DynamoDbTransport transport;
  private final String table;
  private final TableSchema<T> schema;
  private final Tracking tracking;
  private final Clock clock;
  private final DynamoDbWrites<T> writes;
  private final DynamoDbCalls<T> calls;
  private final DynamoDbReads<T> reads;

  DynamoDbEntities(
      DynamoDbTransport transport,
      String table,
      TableSchema<T> schema,
      Tracking tracking,
      Clock clock) {
    this.transport = transport;
    this.table = Objects.requireNonNull(table, "table");
    this.schema = schema;
    this.tracking = Objects.requireNonNull(tracking, "tracking");
    this.clock = Objects.requireNonNull(clock, "clock");
    DynamoDbItems<T> items = new DynamoDbItems<>(schema, tracking);
    this.writes = new DynamoDbWrites<>(transport, table, items, Names.flat(tracking));
    this.calls = new DynamoDbCalls<>(writes, tracking, clock);
    this.reads = new DynamoDbReads<>(writes, tracking, clock);
  }

  static <T> DynamoDbEntities<T> of(
      DynamoDbTransport transport, String table, TableSchema<T> schema) {
    Tracking tracking = Tracking.of(schema.itemType().rawClass());
    return new DynamoDbEntities<>(transport, table, schema, tracking, Clock.systemUTC());
  }

  Tracking tracking() {
    return tracking;
  }

  DynamoDbEntities<T> tracking(Tracking other) {
    return new DynamoDbEntities<>(transport, table, schema, other, clock);
  }

  DynamoDbEntities<T> clock(Clock other) {
    return new DynamoDbEntities<>(transport, table, schema, tracking, other);
  }

  CompletableFuture<Outcome<T>> update(Message message, Key key, Change change) {
    DynamoDbEdit edit = DynamoDbEdit.of(change, writes.items().attributes());
    return calls.run(message, key, new DynamoDbWork.Update<>(writes, edit));
  }

  CompletableFuture<Outcome<T>> apply(
      Message message, Key key, @Nullable Supplier<T> initial, UnaryOperator<T> function) {
    return calls.run(message, key, new DynamoDbWork.Apply<>(writes, initial, function));
  }

  CompletableFuture<Outcome<T>> delete(Message message, Key key, boolean mustExist) {
    return calls.run(message, key, new DynamoDbWork.Delete<>(writes, mustExist));
  }

  CompletableFuture<Outcome<T>> forget(Message message, Key key) {
    return calls.run(message, key, new DynamoDbWork.Forget<>(writes));
  }

  CompletableFuture<Optional<T>> find(Key key) {
    return reads.find(key);
  }

  CompletableFuture<Freshness<T>> find(Key key, NotBefore notBefore) {
    return reads.find(key, notBefore);
  }

  Expression live() {
    return Expression.builder()
        .expression("attribute_not_exists(#tidemarkTombstone)")
        .expressionNames(Map.of("#tidemarkTombstone", tracking.attributeNames().tombstone()))
        .build();
  }

  /** Names the table, the class and the tracking. */
  String describe() {
    return table + ", " + schema.itemType().rawClass().getSimpleName() + ", " + tracking;
  }
}
