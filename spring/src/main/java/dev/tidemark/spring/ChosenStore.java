package dev.tidemark.spring;

import dev.tidemark.spring.TidemarkProperties.Store;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** The store of records that are no entities: the one that there is, or that the settings say. */
final class ChosenStore {
  private ChosenStore() {}

  static Store of(ConfigurableListableBeanFactory beans, @Nullable Store asked) {
    boolean dynamoDb =
        beans.containsBeanDefinition(DynamoDbStores.BEAN) && DynamoDbStores.hasClient(beans);
    boolean mongoDb =
        beans.containsBeanDefinition(MongoStores.BEAN) && MongoStores.hasClient(beans);
    if (asked == null && dynamoDb && mongoDb) {
      throw new SetupException(
          "tidemark.executions.table could be in DynamoDB or in MongoDB: there are clients of both.",
          "Say which: tidemark.executions.store=dynamodb or =mongodb.");
    }
    Store store = asked != null ? asked : dynamoDb ? Store.DYNAMODB : Store.MONGODB;
    if (store == Store.DYNAMODB ? !dynamoDb : !mongoDb) {
      throw new SetupException(
          "tidemark.executions.table is set, but there is no client of its store, or no module of"
              + " Tidemark for it.",
          "Add tidemark-dynamodb and a bean of type DynamoDbClient, or tidemark-mongodb and a bean"
              + " of type MongoClient.");
    }
    return store;
  }
}
