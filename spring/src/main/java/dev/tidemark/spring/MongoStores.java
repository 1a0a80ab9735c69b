package dev.tidemark.spring;

import static org.bson.codecs.configuration.CodecRegistries.fromProviders;
import static org.bson.codecs.configuration.CodecRegistries.fromRegistries;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.mongodb.MongoAmbient;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoRecordStore;
import dev.tidemark.store.RecordStore;
import java.util.function.Supplier;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/** Makes the stores of MongoDB. */
final class MongoStores {
  static final String BEAN = "tidemarkMongoStores";

  private final Supplier<MongoDatabase> database;
  private final ObjectProvider<MongoStoreCustomizer> customizers;
  private final ObjectProvider<StoreListener> listeners;
  private final ObjectProvider<MongoAmbient> transactions;

  MongoStores(
      Supplier<MongoDatabase> database,
      ObjectProvider<MongoStoreCustomizer> customizers,
      ObjectProvider<StoreListener> listeners,
      ObjectProvider<MongoAmbient> transactions) {
    this.database = database;
    this.customizers = customizers;
    this.listeners = listeners;
    this.transactions = transactions;
  }

  static Class<?> type() {
    return MongoEntityStore.class;
  }

  static boolean hasClient(ListableBeanFactory beans) {
    return beans.getBeanNamesForType(MongoClient.class, true, false).length > 0;
  }

  /** What the client has no codec for is mapped as a POJO. */
  <T> MongoEntityStore<T> store(Class<T> type, String collection) {
    MongoDatabase mapped = database.get();
    MongoEntityStore.Builder<T> builder =
        MongoEntityStore.builder(
            mapped
                .getCollection(collection, type)
                .withCodecRegistry(
                    fromRegistries(
                        mapped.getCodecRegistry(),
                        fromProviders(PojoCodecProvider.builder().automatic(true).build()))));
    listeners.orderedStream().reduce(StoreListener::and).ifPresent(builder::listener);
    transactions.ifAvailable(builder::joining);
    customizers.orderedStream().forEach(customizer -> customizer.customize(type, builder));
    return builder.build();
  }

  RecordStore recordStore(String collection) {
    return MongoRecordStore.of(database.get().getCollection(collection));
  }
}
