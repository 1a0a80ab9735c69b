package dev.tidemark.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbExtensionContext;
import software.amazon.awssdk.enhanced.dynamodb.OperationContext;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.internal.operations.DefaultOperationContext;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("The extension looks at a class once, not at each item")
final class ExtensionReadTest {
  private final TidemarkExtension extension = TidemarkExtension.create();
  private final AtomicInteger looks = new AtomicInteger();

  @Test
  @DisplayName("items of a query after the first take nothing from the schema but its class")
  void once() {
    TableSchema<?> schema = counting(TableSchema.fromBean(Order.class));
    read(schema);
    assertTrue(looks.getAndSet(0) > 0);
    for (int item = 0; item < 10; item++) {
      read(schema);
    }
    assertEquals(0, looks.get());
    read(counting(TableSchema.fromBean(Order.class)));
    assertTrue(looks.get() > 0, "another schema of the class is looked at for itself");
  }

  private void read(TableSchema<?> schema) {
    extension.afterRead(new Read(schema, Map.of("id", AttributeValue.fromS("4711"))));
  }

  /** A schema that counts what it is asked for, its class excepted. */
  private TableSchema<?> counting(TableSchema<?> schema) {
    return (TableSchema<?>)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {TableSchema.class},
            (proxy, method, arguments) -> {
              if (!method.getName().equals("itemType")) {
                looks.incrementAndGet();
              }
              try {
                return method.invoke(schema, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** One item, as the client shows it to an extension. */
  private record Read(TableSchema<?> tableSchema, Map<String, AttributeValue> items)
      implements DynamoDbExtensionContext.AfterRead {
    @Override
    public OperationContext operationContext() {
      return DefaultOperationContext.create("orders");
    }

    @Override
    public TableMetadata tableMetadata() {
      return tableSchema.tableMetadata();
    }
  }
}
