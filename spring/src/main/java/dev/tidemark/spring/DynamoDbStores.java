package dev.tidemark.spring;

import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbRecordStore;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.store.RecordStore;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** Makes the stores of DynamoDB. */
final class DynamoDbStores {
  static final String BEAN = "tidemarkDynamoDbStores";

  private final ObjectProvider<DynamoDbClient> client;
  private final ObjectProvider<DynamoDbStoreCustomizer> customizers;
  private final ObjectProvider<StoreListener> listeners;

  DynamoDbStores(
      ObjectProvider<DynamoDbClient> client,
      ObjectProvider<DynamoDbStoreCustomizer> customizers,
      ObjectProvider<StoreListener> listeners) {
    this.client = client;
    this.customizers = customizers;
    this.listeners = listeners;
  }

  static Class<?> type() {
    return DynamoDbEntityStore.class;
  }

  static boolean hasClient(ListableBeanFactory beans) {
    return beans.getBeanNamesForType(DynamoDbClient.class, true, false).length > 0;
  }

  static boolean hasAsyncClient(ListableBeanFactory beans) {
    return beans.getBeanNamesForType(DynamoDbAsyncClient.class, true, false).length > 0;
  }

  <T> DynamoDbEntityStore<T> store(Class<T> type, String table) {
    DynamoDbEntityStore.Builder<T> builder =
        DynamoDbEntityStore.builder(client.getObject(), table, TableSchema.fromClass(type));
    listeners.orderedStream().reduce(StoreListener::and).ifPresent(builder::listener);
    customizers.orderedStream().forEach(customizer -> customizer.customize(type, builder));
    return builder.build();
  }

  RecordStore recordStore(String table) {
    return DynamoDbRecordStore.of(client.getObject(), table);
  }
}
