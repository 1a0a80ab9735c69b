package dev.tidemark.example.orderhistory.demo;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static org.bson.codecs.configuration.CodecRegistries.fromProviders;
import static org.bson.codecs.configuration.CodecRegistries.fromRegistries;

import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.UpdateOptions;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.SpendingView;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.bson.codecs.pojo.PojoCodecProvider;

/** Untracked rows in MongoDB: {@code find}, {@code replaceOne}, and {@code $inc} to add. */
final class UntrackedMongo<T> extends UntrackedStore<T> {
  private final MongoCollection<T> collection;

  private UntrackedMongo(
      MongoCollection<T> collection,
      Class<T> type,
      BiConsumer<T, String> key,
      Consumer<Map<String, Long>> counts) {
    super(type, key, counts);
    this.collection = collection;
  }

  static OpenViews views(MongoClient client, String database, Consumer<Map<String, Long>> counts) {
    return OpenViews.untracked(
        new UntrackedMongo<>(
            orders(client, database), OrderView.class, OrderView::setOrderId, counts),
        new UntrackedMongo<>(
            spending(client, database), SpendingView.class, SpendingView::setId, c -> {}),
        client::close);
  }

  static MongoCollection<OrderView> orders(MongoClient client, String database) {
    return database(client, database).getCollection("order-history-1", OrderView.class);
  }

  static MongoCollection<SpendingView> spending(MongoClient client, String database) {
    return database(client, database).getCollection("consumer-spending-1", SpendingView.class);
  }

  private static MongoDatabase database(MongoClient client, String name) {
    return client
        .getDatabase(name)
        .withCodecRegistry(
            fromRegistries(
                MongoClientSettings.getDefaultCodecRegistry(),
                fromProviders(PojoCodecProvider.builder().automatic(true).build())));
  }

  @Override
  Optional<T> get(String id) {
    return Optional.ofNullable(collection.find(eq("_id", id)).first());
  }

  @Override
  void put(String id, T row) {
    var unused = collection.replaceOne(eq("_id", id), row, new ReplaceOptions().upsert(true));
  }

  @Override
  void add(String id, Map<String, Number> amounts) {
    var unused =
        collection.updateOne(
            eq("_id", id),
            combine(amounts.entrySet().stream().map(a -> inc(a.getKey(), a.getValue())).toList()),
            new UpdateOptions().upsert(true));
  }
}
