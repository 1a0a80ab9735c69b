package dev.tidemark.spring;

import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbExecutionRecords;
import dev.tidemark.dynamodb.DynamoDbInbox;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

/**
 * Makes the table of each bean of Tidemark's auto-configuration in DynamoDB Local, when the bean is
 * made. See {@link AutoConfigureLocalDynamoDb}.
 */
final class LocalTables implements BeanPostProcessor {
  private final ConfigurableListableBeanFactory beans;

  LocalTables(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (bean instanceof DynamoDbEntityStore && beans.containsBeanDefinition(name)) {
      BeanDefinition store = beans.getBeanDefinition(name);
      if (DynamoDbStores.BEAN.equals(store.getFactoryBeanName())) {
        create(TrackedStores.type(store), TrackedStores.table(store));
      }
    } else if (name.equals(TidemarkRecordsAutoConfiguration.EXECUTIONS)
        && bean instanceof DynamoDbExecutionRecords) {
      DynamoDbExecutionRecords.createTable(
          client(),
          Settings.required("tidemark.executions.table", properties().executions().table()));
    } else if (name.equals(TidemarkRecordsAutoConfiguration.DYNAMODB_INBOX)) {
      DynamoDbInbox.createTable(
          client(), Settings.required("tidemark.inbox.table", properties().inbox().table()));
    }
    return bean;
  }

  private DynamoDbClient client() {
    return beans.getBean(DynamoDbClient.class);
  }

  private TidemarkProperties properties() {
    return beans.getBean(TidemarkProperties.class);
  }

  private void create(Class<?> type, String table) {
    DynamoDbEnhancedClient.builder()
        .dynamoDbClient(client())
        .build()
        .table(table, TableSchema.fromClass(type))
        .createTable();
  }
}
