package dev.tidemark.example.orderhistory.store;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Indexes.ascending;
import static com.mongodb.client.model.Indexes.compoundIndex;
import static com.mongodb.client.model.Indexes.descending;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.setOnInsert;
import static org.bson.codecs.configuration.CodecRegistries.fromProviders;
import static org.bson.codecs.configuration.CodecRegistries.fromRegistries;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.UpdateOptions;
import dev.tidemark.EntityStore;
import dev.tidemark.Tracking;
import dev.tidemark.example.orderhistory.BoardView;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.SpendingView;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoOutbox;
import dev.tidemark.mongodb.MongoRecordStore;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.store.RecordStore;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.jspecify.annotations.Nullable;

/** The generations in MongoDB: two collections each, and one document that says which serves. */
public final class MongoGenerations extends StoredGenerations {
  private static final String EXECUTIONS = "executions";
  private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

  /** Maps rows by their public fields, and what lists in them hold by the components of records. */
  static final CodecRegistry CODECS =
      fromRegistries(
          MongoClientSettings.getDefaultCodecRegistry(),
          fromProviders(PojoCodecProvider.builder().automatic(true).build()));

  private final MongoClient client;
  private final MongoDatabase database;
  private final @Nullable StoreListener listener;
  private final EntityStore<BoardView> board;

  /**
   * The generations of one deployment.
   *
   * @param client closed with this
   * @param database the database's name
   * @param listener told of every tracked call, or null
   * @param clock times the moment for which the serving generation is remembered
   * @param announces whether rows publish the changes of their statuses
   */
  public MongoGenerations(
      MongoClient client,
      String database,
      @Nullable StoreListener listener,
      Clock clock,
      boolean announces) {
    super(clock, announces);
    this.client = client;
    this.database = client.getDatabase(database).withCodecRegistry(CODECS);
    this.listener = listener;
    this.board = store(boards(), Tracking.of(BoardView.class));
  }

  private MongoCollection<OrderView> orders(int number) {
    return database.getCollection("order-history-" + number, OrderView.class);
  }

  private MongoCollection<SpendingView> spending(int number) {
    return database.getCollection("consumer-spending-" + number, SpendingView.class);
  }

  private MongoCollection<BoardView> boards() {
    return database.getCollection("restaurant-board", BoardView.class);
  }

  private <T> EntityStore<T> store(MongoCollection<T> collection, Tracking tracking) {
    var store = MongoEntityStore.builder(collection).tracking(tracking);
    return (listener == null ? store : store.listener(listener)).build();
  }

  @Override
  OptionalInt number(String name) {
    Document found = pointers().find(eq("_id", name)).first();
    return found == null ? OptionalInt.empty() : OptionalInt.of(found.getInteger("number"));
  }

  @Override
  void put(String name, int number) {
    var unused = pointers().updateOne(eq("_id", name), set("number", number), UPSERT);
  }

  @Override
  int putIfAbsent(String name, int number) {
    var unused = pointers().updateOne(eq("_id", name), setOnInsert("number", number), UPSERT);
    return number(name).orElse(number);
  }

  @Override
  void remove(String name) {
    var unused = pointers().deleteOne(eq("_id", name));
  }

  private MongoCollection<Document> pointers() {
    return database.getCollection("generations");
  }

  @Override
  ViewStore views(int number, Tracking spending) {
    return new ViewStore(
        store(orders(number), Tracking.of(OrderView.class)),
        store(spending(number), spending),
        new MongoQueries(orders(number)));
  }

  @Override
  Optional<OutboxRecords> outbox(int number) {
    MongoCollection<OrderView> orders = orders(number);
    return database
            .listCollectionNames()
            .into(new ArrayList<>())
            .contains(orders.getNamespace().getCollectionName())
        ? Optional.of(MongoOutbox.of(orders))
        : Optional.empty();
  }

  @Override
  public void prepare(int number) {
    MongoCollection<OrderView> orders = orders(number);
    var unused =
        orders.createIndex(
            compoundIndex(ascending("consumerId"), descending("createdAt", "_id")),
            new IndexOptions()
                .name(OrderView.BY_CONSUMER)
                .partialFilterExpression(exists("consumerId")));
    expire(orders);
    MongoOutbox.of(orders).createIndex();
    expire(spending(number));
  }

  /** Collects tombstones. */
  private static void expire(MongoCollection<?> collection) {
    var unused =
        collection.createIndex(
            ascending(DynamoDbTables.TTL), new IndexOptions().expireAfter(0L, TimeUnit.SECONDS));
  }

  @Override
  public EntityStore<BoardView> board() {
    return board;
  }

  @Override
  public List<BoardView> restaurants() {
    return boards().find().into(new ArrayList<>());
  }

  @Override
  public void prepareBoard() {
    expire(boards());
  }

  @Override
  public RecordStore executions() {
    return MongoRecordStore.of(database.getCollection(EXECUTIONS));
  }

  @Override
  public void prepareExecutions() {
    MongoRecordStore.createIndexes(database.getCollection(EXECUTIONS));
  }

  @Override
  public void close() {
    client.close();
  }
}
