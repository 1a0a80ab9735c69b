package dev.tidemark.spring;

import dev.tidemark.dynamodb.DynamoDbEntityStore;

/**
 * Sets what a store of a tracked class needs beside the defaults, such as a clock, a cache of marks
 * or a tracking of its own. Beans of this type are asked in their order, before the store is made.
 */
@FunctionalInterface
public interface DynamoDbStoreCustomizer {
  /**
   * Changes the settings of one store.
   *
   * @param type the entity's class
   * @param builder of its store. It has the listeners that are beans; another one takes their place
   */
  void customize(Class<?> type, DynamoDbEntityStore.Builder<?> builder);
}
