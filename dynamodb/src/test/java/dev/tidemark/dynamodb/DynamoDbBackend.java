package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EntityUpdate;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Source;
import dev.tidemark.Tracking;
import dev.tidemark.marks.MarkCache;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.store.RecordStore;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.BackendFactory;
import dev.tidemark.tck.Capability;
import dev.tidemark.tck.Transactions;
import dev.tidemark.tck.View;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.EnhancedType;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticAttributeTags;
import software.amazon.awssdk.enhanced.dynamodb.mapper.StaticTableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** DynamoDB, wherever tests find it. */
final class DynamoDbBackend implements Backend {
  /** Opens {@link DynamoDbBackend}. */
  static final class Factory implements BackendFactory {
    @Override
    public Backend open() {
      return new DynamoDbBackend(false);
    }
  }

  /** Opens {@link DynamoDbBackend} with stores on the asynchronous client. */
  static final class AsyncFactory implements BackendFactory {
    @Override
    public Backend open() {
      return new DynamoDbBackend(true);
    }
  }

  private static final TableSchema<View> VIEWS = schema(false);
  private static final TableSchema<View> COMPOSITE_VIEWS = schema(true);

  private final DynamoDbFaults faults = DynamoDbTables.faults();
  private final DynamoDbTables.Capacity capacity = new DynamoDbTables.Capacity();
  private final DynamoDbClient client = DynamoDbTables.client(faults, capacity, 3);
  private final @Nullable DynamoDbAsyncClient asyncClient;
  private final String views = DynamoDbTables.createWithOutbox(client, VIEWS);
  private final String compositeViews = DynamoDbTables.create(client, COMPOSITE_VIEWS);
  private final String executions = "executions-" + UUID.randomUUID();
  private final TransactionsUnderTest.Tables transactions =
      TransactionsUnderTest.Tables.create(client, views);

  private DynamoDbBackend(boolean async) {
    this.asyncClient =
        async ? DynamoDbTables.asyncClient(new AsyncFaults(faults), capacity, 3) : null;
    DynamoDbRecordStore.createTable(client, executions);
  }

  static TableSchema<View> schema(boolean composite) {
    StaticTableSchema.Builder<View> schema =
        TableSchema.builder(View.class)
            .newItemSupplier(View::new)
            .addAttribute(
                String.class,
                a ->
                    a.name("id")
                        .getter(View::getId)
                        .setter(View::setId)
                        .tags(StaticAttributeTags.primaryPartitionKey()));
    schema.addAttribute(
        String.class,
        a -> {
          a.name("sort").getter(View::getSort).setter(View::setSort);
          if (composite) {
            a.tags(StaticAttributeTags.primarySortKey());
          }
        });
    return schema
        .addAttribute(
            String.class, a -> a.name("status").getter(View::getStatus).setter(View::setStatus))
        .addAttribute(String.class, a -> a.name("note").getter(View::getNote).setter(View::setNote))
        .addAttribute(
            Long.class, a -> a.name("total").getter(View::getTotal).setter(View::setTotal))
        .addAttribute(
            EnhancedType.listOf(String.class),
            a -> a.name("lines").getter(View::getLines).setter(View::setLines))
        .addAttribute(
            EnhancedType.setOf(String.class),
            a -> a.name("tags").getter(View::getTags).setter(View::setTags))
        .addAttribute(
            EnhancedType.mapOf(String.class, String.class),
            a -> a.name("address").getter(View::getAddress).setter(View::setAddress))
        .build();
  }

  @Override
  public String name() {
    return DynamoDbEndpoint.get().name() + (asyncClient == null ? "" : ", async");
  }

  @Override
  public boolean isSecond() {
    return asyncClient != null;
  }

  @Override
  public Map<Capability, String> missing() {
    return Map.of();
  }

  @Override
  public EntityStore<View> views(Tracking tracking, Clock clock) {
    return store(views, VIEWS, tracking, clock, null);
  }

  @Override
  public EntityStore<View> views(Tracking tracking, Clock clock, MarkCache cache) {
    return store(views, VIEWS, tracking, clock, cache);
  }

  @Override
  public EntityStore<View> compositeViews(Tracking tracking, Clock clock) {
    return store(compositeViews, COMPOSITE_VIEWS, tracking, clock, null);
  }

  private EntityStore<View> store(
      String table,
      TableSchema<View> schema,
      Tracking tracking,
      Clock clock,
      @Nullable MarkCache cache) {
    if (asyncClient == null) {
      DynamoDbEntityStore.Builder<View> sync =
          DynamoDbEntityStore.builder(client, table, schema)
              .unmappedAttributes()
              .tracking(tracking)
              .clock(clock);
      return cache == null ? sync.build() : sync.markCache(cache).build();
    }
    DynamoDbAsyncEntityStore.Builder<View> async =
        DynamoDbAsyncEntityStore.builder(asyncClient, table, schema)
            .unmappedAttributes()
            .tracking(tracking)
            .clock(clock);
    return new JoinedStore<>(cache == null ? async.build() : async.markCache(cache).build());
  }

  @Override
  public EntityUpdate counting(EntityUpdate.Rules rules, @Nullable String status) {
    DynamoDbNativeUpdate update =
        DynamoDbNativeUpdate.of("ADD #t :one").name("#t", "total").value(":one", 1);
    update =
        status == null ? update : update.name("#s", "status").value(":s", status).onlyIf("#s = :s");
    update = rules.creates() ? update.createIfMissing() : update;
    update = rules.revives() ? update.recreate() : update;
    update = rules.skipsOtherwise() ? update.otherwiseSkip() : update;
    update = rules.returns() ? update.returning() : update;
    for (Source source : rules.retired()) {
      update = update.retire(source);
    }
    for (OutgoingMessage message : rules.published()) {
      update = update.publish(message);
    }
    return update;
  }

  @Override
  public RecordStore recordStore(Clock clock) {
    return DynamoDbRecordStore.of(client, executions, clock);
  }

  @Override
  public OutboxRecords outboxRecords(Clock clock) {
    return DynamoDbOutbox.of(client, views, Tracking.defaults(), clock);
  }

  @Override
  public Transactions transactions(Clock clock) {
    return new TransactionsUnderTest(transactions, clock);
  }

  private static Map<String, AttributeValue> attributes(EntityKey key) {
    boolean composite = key.parts().size() > 1;
    return new Keys(composite ? COMPOSITE_VIEWS : VIEWS).of(key);
  }

  private String table(EntityKey key) {
    return key.parts().size() > 1 ? compositeViews : views;
  }

  @Override
  public Optional<EntityUpdate> inOwnWords(Change change) {
    return NativeChanges.of(change);
  }

  @Override
  public Optional<Map<String, Object>> raw(EntityKey key) {
    Map<String, AttributeValue> attributes = attributes(key);
    Map<String, AttributeValue> item =
        new HashMap<>(
            client
                .getItem(r -> r.tableName(table(key)).key(attributes).consistentRead(true))
                .item());
    if (item.isEmpty()) {
      return Optional.empty();
    }
    item.keySet().removeAll(attributes.keySet());
    return Optional.of(Values.toNeutral(item));
  }

  @Override
  public void putRaw(EntityKey key, Map<String, Object> record) {
    Map<String, AttributeValue> item = new HashMap<>(Values.toNative(record));
    item.putAll(attributes(key));
    client.putItem(r -> r.tableName(table(key)).item(item));
  }

  @Override
  public void putNull(EntityKey key, Set<String> marks) {
    Map<String, AttributeValue> item =
        new HashMap<>(client.getItem(r -> r.tableName(table(key)).key(attributes(key))).item());
    marks.forEach(name -> item.put(name, AttributeValue.fromNul(true)));
    client.putItem(r -> r.tableName(table(key)).item(item));
  }

  @Override
  public void putJson(String json) {
    client.putItem(r -> r.tableName(views).item(DynamoDbJson.item(json)));
  }

  @Override
  public void putRecordJson(String json) {
    client.putItem(r -> r.tableName(executions).item(DynamoDbJson.item(json)));
  }

  @Override
  public Optional<String> recordBeside(String json) {
    return DynamoDbJson.beside(client, executions, json);
  }

  @Override
  public String format() {
    return "dynamodb";
  }

  @Override
  public Cost measure(Runnable action) {
    int reads = faults.reads();
    int writes = faults.writes();
    double units = capacity.units();
    action.run();
    return new Cost(faults.reads() - reads, faults.writes() - writes, capacity.units() - units);
  }

  @Override
  public Faults faults() {
    return faults;
  }

  @Override
  public void close() {
    if (asyncClient != null) {
      asyncClient.close();
    }
    client.close();
    faults.close();
  }
}
