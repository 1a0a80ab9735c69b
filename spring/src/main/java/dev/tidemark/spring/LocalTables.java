package dev.tidemark.spring;

import dev.tidemark.Tracking.AttributeNames;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbInbox;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.dynamodb.DynamoDbRecordStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.aopalliance.intercept.MethodInterceptor;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.CreateTableRequest;
import software.amazon.awssdk.services.dynamodb.model.CreateTableResponse;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndex;
import software.amazon.awssdk.services.dynamodb.model.LocalSecondaryIndex;

/**
 * Makes the table of each bean of Tidemark's auto-configuration in DynamoDB Local, when the bean is
 * made. See {@link AutoConfigureLocalDynamoDb}.
 */
final class LocalTables implements BeanPostProcessor {
  private final ConfigurableListableBeanFactory beans;
  private final Set<String> tables = ConcurrentHashMap.newKeySet();

  LocalTables(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String name) {
    if (bean instanceof DynamoDbEntityStore<?> made && beans.containsBeanDefinition(name)) {
      BeanDefinition store = beans.getBeanDefinition(name);
      if (isStore(store)) {
        create(TrackedStores.table(store), made.tracking().names());
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

  /** Once, with what each class needs that is in this table. */
  private void create(String table, AttributeNames names) {
    if (tables.contains(table)) {
      return;
    }
    Map<String, AttributeDefinition> attributes = new LinkedHashMap<>();
    Map<String, GlobalSecondaryIndex> indexes = new LinkedHashMap<>();
    Map<String, LocalSecondaryIndex> locals = new LinkedHashMap<>();
    CreateTableRequest.Builder request = CreateTableRequest.builder();
    for (CreateTableRequest one : requests(table)) {
      request = one.toBuilder();
      one.attributeDefinitions().forEach(a -> attributes.put(a.attributeName(), a));
      one.globalSecondaryIndexes().forEach(index -> indexes.put(index.indexName(), index));
      one.localSecondaryIndexes().forEach(index -> locals.put(index.indexName(), index));
    }
    // Whether the stores publish or not: DynamoDB Local fails writes while an index is added later.
    DynamoDbOutbox.indexAttributes(names).forEach(a -> attributes.put(a.attributeName(), a));
    indexes.put(DynamoDbOutbox.index(names).indexName(), DynamoDbOutbox.index(names));
    request.attributeDefinitions(attributes.values()).globalSecondaryIndexes(indexes.values());
    if (!locals.isEmpty()) {
      request.localSecondaryIndexes(locals.values());
    }
    var unused = client().createTable(request.build());
    tables.add(table);
  }

  /** What the Enhanced Client would send for each class. */
  private List<CreateTableRequest> requests(String table) {
    List<CreateTableRequest> requests = new ArrayList<>();
    ProxyFactory client = new ProxyFactory(client());
    client.addAdvice(
        (MethodInterceptor)
            call -> {
              requests.add((CreateTableRequest) Objects.requireNonNull(call.getArguments()[0]));
              return CreateTableResponse.builder().build();
            });
    DynamoDbEnhancedClient enhanced =
        DynamoDbEnhancedClient.builder().dynamoDbClient((DynamoDbClient) client.getProxy()).build();
    for (String name : beans.getBeanDefinitionNames()) {
      BeanDefinition store = beans.getBeanDefinition(name);
      if (isStore(store) && TrackedStores.table(store).equals(table)) {
        enhanced.table(table, TableSchema.fromClass(TrackedStores.type(store))).createTable();
      }
    }
    return requests;
  }

  private static boolean isStore(BeanDefinition bean) {
    return DynamoDbStores.BEAN.equals(bean.getFactoryBeanName());
  }
}
