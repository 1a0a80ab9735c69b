package dev.tidemark.lab.orders;

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
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.SpendingView;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.bson.codecs.pojo.PojoCodecProvider;

/**
 * Rows in MongoDB that remember nothing: {@code find}, {@code replaceOne}, and {@code $inc} to add,
 * all without a condition, as most handlers do.
 */
final class UntrackedMongo<T> extends ContrastStore<T> {
  private final MongoCollection<T> collection;
  private final BiConsumer<T, String> key;

  private UntrackedMongo(MongoCollection<T> collection, Class<T> type, BiConsumer<T, String> key) {
    super(type);
    this.collection = collection;
    this.key = key;
  }

  static OpenViews views(MongoClient client, String database) {
    return OpenViews.contrast(
        new UntrackedMongo<>(
            orders(client, database), OrderView.class, (row, id) -> row.orderId = id),
        new UntrackedMongo<>(
            spending(client, database), SpendingView.class, (row, id) -> row.id = id),
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
  Outcome<T> change(Message message, String id, Supplier<T> initial, UnaryOperator<T> function) {
    T row = get(id).orElseGet(initial);
    key.accept(row, id);
    var unused =
        collection.replaceOne(
            eq("_id", id), function.apply(row), new ReplaceOptions().upsert(true));
    return applied();
  }

  @Override
  Outcome<T> add(Message message, String id, Map<String, Number> amounts) {
    var unused =
        collection.updateOne(
            eq("_id", id),
            combine(amounts.entrySet().stream().map(a -> inc(a.getKey(), a.getValue())).toList()),
            new UpdateOptions().upsert(true));
    return applied();
  }
}
