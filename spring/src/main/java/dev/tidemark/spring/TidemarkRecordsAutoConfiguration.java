package dev.tidemark.spring;

import com.mongodb.client.MongoClient;
import dev.tidemark.dynamodb.DynamoDbInbox;
import dev.tidemark.execution.ExecutionListener;
import dev.tidemark.execution.Executions;
import dev.tidemark.mongodb.MongoInbox;
import dev.tidemark.store.RecordStore;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Records of idempotency keys and leases, executions, and inboxes, where properties name their
 * tables: {@code tidemark.executions.table} and {@code tidemark.inbox.table}. Each is there beside
 * others of its type, which may be for other scopes, subscribers or clusters, and gives way to a
 * bean of its own name alone.
 */
@AutoConfiguration(
    after = TidemarkStoresAutoConfiguration.class,
    afterName = {
      "org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration",
      "io.awspring.cloud.autoconfigure.dynamodb.DynamoDbAutoConfiguration"
    })
@EnableConfigurationProperties(TidemarkProperties.class)
public final class TidemarkRecordsAutoConfiguration {
  static final String EXECUTIONS = "tidemarkRecordStore";
  static final String DYNAMODB_INBOX = "tidemarkDynamoDbInbox";

  private static final String MONGODB_INBOX = "tidemarkMongoInbox";
  private static final String SCOPED = "tidemarkExecutions";

  private static final String INBOX = "tidemark.inbox.table";

  TidemarkRecordsAutoConfiguration() {}

  @Bean(EXECUTIONS)
  @ConditionalOnMissingBean(name = EXECUTIONS)
  @ConditionalOnProperty("tidemark.executions.table")
  RecordStore tidemarkRecordStore(
      ConfigurableListableBeanFactory beans, TidemarkProperties properties) {
    String table = Settings.required("tidemark.executions.table", properties.executions().table());
    return switch (ChosenStore.of(beans, properties.executions().store())) {
      case DYNAMODB -> beans.getBean(DynamoDbStores.class).recordStore(table);
      case MONGODB -> beans.getBean(MongoStores.class).recordStore(table);
    };
  }

  /** That of the property, whatever others there are; without it the only one, or none. */
  static @Nullable RecordStore records(BeanFactory beans) {
    return beans.containsBean(EXECUTIONS)
        ? beans.getBean(EXECUTIONS, RecordStore.class)
        : beans.getBeanProvider(RecordStore.class).getIfAvailable();
  }

  @Bean(SCOPED)
  @ConditionalOnMissingBean(name = SCOPED)
  @ConditionalOnProperty("tidemark.executions.scope")
  Executions tidemarkExecutions(
      BeanFactory beans,
      TidemarkProperties properties,
      ObjectProvider<ExecutionListener> listeners,
      ObjectProvider<ExecutionsCustomizer> customizers) {
    String scope = Settings.required("tidemark.executions.scope", properties.executions().scope());
    RecordStore records = records(beans);
    if (records == null) {
      throw new SetupException(
          "tidemark.executions.scope is set, but there is nowhere to keep the keys: no bean of type"
              + " RecordStore.",
          "Set tidemark.executions.table, or make such a bean.");
    }
    return ScopedExecutions.of(scope, records, listeners, customizers);
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({DynamoDbInbox.class, DynamoDbClient.class})
  @ConditionalOnBean(DynamoDbClient.class)
  @ConditionalOnProperty(INBOX)
  static class OnDynamoDb {
    @Bean(DYNAMODB_INBOX)
    @Lazy
    @ConditionalOnMissingBean(name = DYNAMODB_INBOX)
    DynamoDbInbox tidemarkDynamoDbInbox(DynamoDbClient client, TidemarkProperties properties) {
      TidemarkProperties.Inbox inbox = properties.inbox();
      return DynamoDbInbox.of(
          client,
          Settings.required(INBOX, inbox.table()),
          Settings.required("tidemark.inbox.subscriber", inbox.subscriber()));
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({MongoInbox.class, MongoClient.class})
  @ConditionalOnBean(MongoClient.class)
  @ConditionalOnProperty(INBOX)
  static class OnMongoDb {
    @Bean(MONGODB_INBOX)
    @Lazy
    @ConditionalOnMissingBean(name = MONGODB_INBOX)
    MongoInbox tidemarkMongoInbox(MongoDatabases databases, TidemarkProperties properties) {
      TidemarkProperties.Inbox inbox = properties.inbox();
      return MongoInbox.of(
          databases.client(),
          databases.database(),
          Settings.required(INBOX, inbox.table()),
          Settings.required("tidemark.inbox.subscriber", inbox.subscriber()));
    }
  }
}
