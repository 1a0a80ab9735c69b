package dev.tidemark.spring;

import com.mongodb.client.MongoClient;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.mongodb.MongoAmbient;
import dev.tidemark.mongodb.MongoEntityStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.mongodb.autoconfigure.MongoConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * An {@code EntityStore} for each {@link dev.tidemark.Tracked} class of the application's packages,
 * on the {@code DynamoDbClient} or the {@code MongoClient} that is a bean. See {@link TrackedScan},
 * {@link InTable} and {@link TidemarkProperties}.
 */
@AutoConfiguration
@EnableConfigurationProperties(TidemarkProperties.class)
public final class TidemarkStoresAutoConfiguration {
  TidemarkStoresAutoConfiguration() {}

  @Bean
  static TrackedStores tidemarkTrackedStores(Environment environment, ResourceLoader resources) {
    return new TrackedStores(environment, resources);
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({DynamoDbEntityStore.class, DynamoDbClient.class})
  static class DynamoDb {
    @Bean(DynamoDbStores.BEAN)
    DynamoDbStores stores(
        ObjectProvider<DynamoDbClient> client,
        ObjectProvider<DynamoDbStoreCustomizer> customizers,
        ObjectProvider<StoreListener> listeners) {
      return new DynamoDbStores(client, customizers, listeners);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({MongoEntityStore.class, MongoClient.class})
  static class Mongo {
    @Bean
    MongoDatabases tidemarkMongoDatabases(
        ObjectProvider<MongoClient> client,
        ObjectProvider<MongoDatabases.BootDatabase> boot,
        TidemarkProperties properties) {
      return new MongoDatabases(client, boot, properties.mongodb().database());
    }

    @Bean(MongoStores.BEAN)
    MongoStores stores(
        MongoDatabases databases,
        ObjectProvider<MongoStoreCustomizer> customizers,
        ObjectProvider<StoreListener> listeners,
        ObjectProvider<MongoAmbient> transactions) {
      return new MongoStores(databases::database, customizers, listeners, transactions);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({
    MongoEntityStore.class,
    MongoDatabaseFactory.class,
    TransactionSynchronizationManager.class
  })
  static class SpringData {
    @Bean
    @ConditionalOnMissingBean
    MongoAmbient tidemarkMongoTransactions(
        ObjectProvider<MongoClient> client, ObjectProvider<MongoDatabaseFactory> factories) {
      return new SpringTransactions(client, factories);
    }

    @Bean
    static SpringTransactions.Commits tidemarkCommits() {
      return new SpringTransactions.Commits();
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({MongoClient.class, MongoConnectionDetails.class})
  static class BootMongo {
    @Bean
    MongoDatabases.BootDatabase tidemarkBootDatabase(
        Environment settings, ObjectProvider<MongoConnectionDetails> details) {
      return () -> {
        String named = settings.getProperty("spring.mongodb.database");
        MongoConnectionDetails connection = details.getIfAvailable();
        return named != null || connection == null
            ? named
            : connection.getConnectionString().getDatabase();
      };
    }
  }
}
