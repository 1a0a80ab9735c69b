package dev.tidemark.dynamodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.ContentionException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.MessageId;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import software.amazon.awssdk.core.exception.ApiCallTimeoutException;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.PutItemResponse;

@DisplayName("Plain records on DynamoDB")
final class DynamoDbRecordStoreTest {
  private static DynamoDbClient client;
  private static String table;

  private final String key = UUID.randomUUID().toString();
  private final AtomicInteger acted = new AtomicInteger();

  @BeforeAll
  static void open() {
    client = DynamoDbTables.client();
    table = "executions-" + UUID.randomUUID();
    DynamoDbRecordStore.createTable(client, table);
  }

  @AfterAll
  static void close() {
    client.close();
  }

  private Execution<Integer> run(DynamoDbClient by) {
    return Executions.of("orders", DynamoDbRecordStore.of(by, table))
        .run(key, null, Integer.class, steps -> acted.incrementAndGet());
  }

  @Test
  @DisplayName("are corrupt where an attribute cannot be read, and what it holds is not shown")
  void corrupt() {
    assertEquals(new Execution.Executed<>(1), run(client));
    Map<String, AttributeValue> id =
        Map.of("key", AttributeValue.fromS(MessageId.of("orders", key).value()));
    Map<String, AttributeValue> sound =
        client.getItem(r -> r.tableName(table).key(id).consistentRead(true)).item();
    for (Map<String, AttributeValue> wrong :
        List.of(
            Map.of("fence", AttributeValue.fromN("4711.5")),
            Map.of("state", AttributeValue.fromS("4711")),
            Map.of(
                "state",
                AttributeValue.fromS("RELEASED"),
                "revision",
                AttributeValue.fromN("4711")))) {
      Map<String, AttributeValue> item = new HashMap<>(sound);
      item.putAll(wrong);
      client.putItem(r -> r.tableName(table).item(item));
      CorruptRecordException fault = assertThrows(CorruptRecordException.class, () -> run(client));
      StringWriter text = new StringWriter();
      fault.printStackTrace(new PrintWriter(text));
      assertFalse(text.toString().contains("4711"), text::toString);
      assertTrue(
          Executions.of("orders", DynamoDbRecordStore.of(client, table)).forget(key),
          wrong::toString);
    }
    assertEquals(1, acted.get());
  }

  @Test
  @DisplayName("are unknown where the client's own time limit ended a write that was made")
  void givenUp() {
    assertThrows(OutcomeUnknownException.class, () -> run(impatient()));
    assertEquals(0, acted.get());
  }

  @Test
  @DisplayName("are contention for whoever looks for them while DynamoDB throttles reads")
  void throttledLooks() {
    DynamoDbFaults http = DynamoDbTables.faults();
    try (DynamoDbClient slow = DynamoDbTables.client(http, new DynamoDbTables.Capacity(), 2)) {
      DynamoDbRecordStore records = DynamoDbRecordStore.of(slow, table);
      List<Executable> looks =
          List.of(
              () -> records.due("flow", 0, 1, 1),
              () -> records.pending("flow", "", 1),
              () -> records.list("", null, 1));
      for (Executable look : looks) {
        http.throttleReads(2);
        assertThrows(ContentionException.class, look);
      }
    }
  }

  @Test
  @DisplayName("are contention for whoever waits while DynamoDB throttles reads")
  void throttled() {
    DynamoDbFaults http = DynamoDbTables.faults();
    try (DynamoDbClient slow = DynamoDbTables.client(http, new DynamoDbTables.Capacity(), 2)) {
      Executions waiting =
          Executions.builder("orders", DynamoDbRecordStore.of(slow, table))
              .waitingUpTo(Duration.ofMinutes(1))
              .build();
      Executions.of("orders", DynamoDbRecordStore.of(client, table))
          .run(
              key,
              null,
              Integer.class,
              steps -> {
                http.throttleReads(2);
                assertThrows(
                    ContentionException.class,
                    () -> waiting.run(key, null, Integer.class, any -> acted.incrementAndGet()));
                return 1;
              });
    }
    assertEquals(0, acted.get());
  }

  /** Carries a write out, and does not wait for the answer. */
  private static DynamoDbClient impatient() {
    return (DynamoDbClient)
        Proxy.newProxyInstance(
            DynamoDbClient.class.getClassLoader(),
            new Class<?>[] {DynamoDbClient.class},
            (proxy, method, arguments) -> {
              try {
                if (method.invoke(client, arguments) instanceof PutItemResponse) {
                  throw ApiCallTimeoutException.create(10);
                }
                throw new AssertionError("nothing else is sent");
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
