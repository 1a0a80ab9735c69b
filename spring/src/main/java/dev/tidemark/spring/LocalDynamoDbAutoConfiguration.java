package dev.tidemark.spring;

import dev.tidemark.dynamodb.DynamoDbEntityStore;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/** The beans of {@link AutoConfigureLocalDynamoDb}. */
@AutoConfiguration
@ConditionalOnClass({DynamoDbEntityStore.class, DynamoDbClient.class})
@ConditionalOnBooleanProperty("tidemark.test.local-dynamodb.enabled")
final class LocalDynamoDbAutoConfiguration {
  LocalDynamoDbAutoConfiguration() {}

  @Bean
  static LocalDynamoDb tidemarkLocalDynamoDb() {
    return new LocalDynamoDb();
  }

  @Bean
  static LocalTables tidemarkLocalTables(ConfigurableListableBeanFactory beans) {
    return new LocalTables(beans);
  }
}
