package dev.tidemark.example.orderhistory.store;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Indexes.ascending;
import static com.mongodb.client.model.Indexes.compoundIndex;
import static com.mongodb.client.model.Indexes.descending;
import static com.mongodb.client.model.Updates.setOnInsert;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexModel;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.ReturnDocument;
import dev.tidemark.EntityStore;
import dev.tidemark.Tracking;
import dev.tidemark.example.orderhistory.BoardView;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.ResumableViews;
import dev.tidemark.example.orderhistory.ViewStore;
import dev.tidemark.execution.ExecutionRecords;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.mongodb.MongoExecutionRecords;
import dev.tidemark.mongodb.MongoOutbox;
import dev.tidemark.outbox.OutboxRecords;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** The generations in MongoDB: two collections each, and one document that says which serves. */
public final class MongoGenerations implements Generations {
  private static final String EXECUTIONS = "executions";

  private final MongoClient client;
  private final MongoDatabase database;
  private final @Nullable StoreListener listener;
  private final boolean announces;
  private final ServingNumber serving;
  private final EntityStore<BoardView> board;
  private final ConcurrentMap<Integer, ViewStore> stores = new ConcurrentHashMap<>();

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
    this.client = client;
    this.announces = announces;
    this.database = client.getDatabase(database).withCodecRegistry(MongoViews.codecs());
    this.listener = listener;
    this.board =
        MongoViews.store(MongoViews.board(this.database), Tracking.of(BoardView.class), listener);
    this.serving = new ServingNumber(this::stored, clock);
  }

  @Override
  public int serving() {
    return serving.get();
  }

  private int stored() {
    Document found = pointers().find(eq("_id", "serving")).first();
    return found == null ? 1 : found.getInteger("number");
  }

  @Override
  public ViewStore generation(int number) {
    return stores.computeIfAbsent(number, n -> views(n, false));
  }

  @Override
  public ViewStore rebuilding(int number) {
    return views(number, true);
  }

  private ViewStore views(int number, boolean rebuilding) {
    ViewStore views = MongoViews.of(database, number, rebuilding, listener);
    return AnnouncingOrders.in(views, number, rebuilding, announces);
  }

  @Override
  public void prepare(int number) {
    MongoCollection<OrderView> orders = MongoViews.orders(database, number);
    var unused =
        orders.createIndexes(
            List.of(
                new IndexModel(
                    compoundIndex(ascending("consumerId"), descending("createdAt", "_id")),
                    new IndexOptions()
                        .name(OrderView.BY_CONSUMER)
                        .partialFilterExpression(exists("consumerId"))),
                new IndexModel(
                    descending("resumeToken"),
                    new IndexOptions().partialFilterExpression(exists("resumeToken")))));
    expire(orders);
    MongoOutbox.of(orders).createIndex();
    expire(MongoViews.spending(database, number));
  }

  /** Collects tombstones. */
  private static void expire(MongoCollection<?> collection) {
    var unused =
        collection.createIndex(
            ascending(DynamoDbTables.TTL), new IndexOptions().expireAfter(0L, TimeUnit.SECONDS));
  }

  @Override
  public void serve(int number) {
    var unused =
        pointers()
            .replaceOne(
                eq("_id", "serving"),
                new Document("number", number),
                new ReplaceOptions().upsert(true));
    serving.forget();
  }

  @Override
  public int beginRebuild() {
    Document rebuild =
        pointers()
            .findOneAndUpdate(
                eq("_id", "rebuild"),
                setOnInsert("number", stored() + 1),
                new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER));
    return Objects.requireNonNull(rebuild).getInteger("number");
  }

  @Override
  public void endRebuild() {
    var unused = pointers().deleteOne(eq("_id", "rebuild"));
  }

  @Override
  public ResumableViews resumable() {
    return new MongoResumableViews(database, pointers(), this);
  }

  private MongoCollection<Document> pointers() {
    return database.getCollection("generations");
  }

  @Override
  public boolean announces() {
    return announces;
  }

  @Override
  public EntityStore<BoardView> board() {
    return board;
  }

  @Override
  public List<BoardView> restaurants() {
    return MongoViews.board(database).find().into(new ArrayList<>());
  }

  @Override
  public void prepareBoard() {
    expire(MongoViews.board(database));
  }

  @Override
  public List<OutboxRecords> outboxes() {
    int now = serving();
    List<String> there = database.listCollectionNames().into(new ArrayList<>());
    return IntStream.rangeClosed(Math.max(1, now - 1), now)
        .mapToObj(number -> MongoViews.orders(database, number))
        .filter(orders -> there.contains(orders.getNamespace().getCollectionName()))
        .<OutboxRecords>map(MongoOutbox::of)
        .toList();
  }

  @Override
  public ExecutionRecords executions() {
    return MongoExecutionRecords.of(database.getCollection(EXECUTIONS));
  }

  @Override
  public void prepareExecutions() {
    MongoExecutionRecords.createIndexes(database.getCollection(EXECUTIONS));
  }

  @Override
  public void close() {
    client.close();
  }
}
