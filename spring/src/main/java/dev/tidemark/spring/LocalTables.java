package dev.tidemark.spring;

import dev.tidemark.Tracking.AttributeNames;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbInbox;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.dynamodb.DynamoDbRecordStore;
import java.util.ArrayList;
import java.util.List;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;

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
    if (bean instanceof DynamoDbEntityStore<?> made && beans.containsBeanDefinition(name)) {
      BeanDefinition store = beans.getBeanDefinition(name);
      if (DynamoDbStores.BEAN.equals(store.getFactoryBeanName())) {
        create(TrackedStores.type(store), TrackedStores.table(store), made.tracking().names());
      }
    } else if (name.equals(TidemarkRecordsAutoConfiguration.EXECUTIONS)
        && bean instanceof DynamoDbRecordStore) {
      DynamoDbRecordStore.createTable(
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

  private void create(Class<?> type, String table, AttributeNames names) {
    ProxyFactory client = new ProxyFactory(client());
    client.addAdvice(
        (MethodInterceptor)
            call -> {
              @Nullable Object[] arguments = call.getArguments();
              if (arguments.length == 1 && arguments[0] instanceof CreateTableRequest request) {
                arguments[0] = publishing(request, names);
              }
              return call.proceed();
            });
    DynamoDbEnhancedClient.builder()
        .dynamoDbClient((DynamoDbClient) client.getProxy())
        .build()
        .table(table, TableSchema.fromClass(type))
        .createTable();
  }

  /**
   * With the index of outgoing messages, whether the store publishes or not. DynamoDB Local fails
   * writes while an index is added to a table that is there.
   */
  private static CreateTableRequest publishing(CreateTableRequest table, AttributeNames names) {
    List<AttributeDefinition> attributes = new ArrayList<>(table.attributeDefinitions());
    attributes.addAll(DynamoDbOutbox.indexAttributes(names));
    List<GlobalSecondaryIndex> indexes = new ArrayList<>(table.globalSecondaryIndexes());
    indexes.add(DynamoDbOutbox.index(names));
    return table.toBuilder()
        .attributeDefinitions(attributes)
        .globalSecondaryIndexes(indexes)
        .build();
  }
}
