package dev.tidemark.example.orderhistory.infra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.RequestHandler;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.infra.Contract.Table;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.example.orderhistory.store.DynamoDbTables;
import dev.tidemark.example.orderhistory.store.Prepare;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.GlobalSecondaryIndexDescription;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.TableDescription;

@DisplayName("What is deployed")
class InfraTest {
  private static final Contract CONTRACT = Contract.read();
  private static final int GENERATION = 3;
  private static LocalDynamoDb server;
  private static DynamoDbClient client;

  @BeforeAll
  static void start() {
    server = new LocalDynamoDb();
    client = server.client();
    new DynamoDbTables(client, "infra-").create(GENERATION);
    new DynamoDbTables(client, "infra-").createBoard();
  }

  @AfterAll
  static void end() {
    client.close();
    server.close();
  }

  private static Stream<Table> views() {
    return CONTRACT.tables().values().stream().filter(table -> table.event() == null);
  }

  private static TableDescription described(Table table) {
    String name = table.name("infra-", GENERATION);
    return client.describeTable(describe -> describe.tableName(name)).table();
  }

  @Test
  @DisplayName("has the tables that the code makes, and no others")
  void tables() {
    assertEquals(
        Set.copyOf(client.listTables().tableNames()),
        views().map(table -> table.name("infra-", GENERATION)).collect(Collectors.toSet()));
    DynamoDbTables named = new DynamoDbTables(client, "p-");
    assertEquals(CONTRACT.table("orderHistory").name("p-", 7), named.orderHistory(7).tableName());
    assertEquals(
        CONTRACT.table("consumerSpending").name("p-", 7), named.consumerSpending(7).tableName());
    assertEquals(CONTRACT.table("generations").name("p-", 7), named.generations().tableName());
    assertEquals(
        CONTRACT.table("restaurantBoard").name("p-", 7), named.restaurantBoard().tableName());
  }

  @Test
  @DisplayName("has their keys, and is on demand")
  void keys() {
    views()
        .forEach(
            table -> {
              TableDescription made = described(table);
              assertEquals(Map.of(KeyType.HASH, table.key()), keys(made.keySchema()));
              Map<String, String> attributes = new HashMap<>(Map.of(table.key(), "S"));
              indexes(table).forEach(index -> attributes.putAll(index.attributes()));
              assertEquals(
                  attributes,
                  made.attributeDefinitions().stream()
                      .collect(
                          Collectors.toMap(
                              AttributeDefinition::attributeName,
                              AttributeDefinition::attributeTypeAsString)));
              assertEquals(BillingMode.PAY_PER_REQUEST, made.billingModeSummary().billingMode());
            });
  }

  private static List<Contract.Index> indexes(Table table) {
    return Stream.of(Optional.ofNullable(table.index()), Optional.ofNullable(table.outbox()))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Map<KeyType, String> keys(List<KeySchemaElement> schema) {
    return schema.stream()
        .collect(Collectors.toMap(KeySchemaElement::keyType, KeySchemaElement::attributeName));
  }

  @Test
  @DisplayName("has the index of the queries, with what a list shows, and that of the outbox")
  void index() {
    Table history = CONTRACT.table("orderHistory");
    Contract.Index wanted = history.index();
    assertNotNull(wanted);
    assertEquals(OrderView.BY_CONSUMER, wanted.name());
    assertNotNull(history.outbox());
    views()
        .forEach(
            table ->
                assertEquals(
                    indexes(table).stream()
                        .map(
                            index ->
                                List.of(
                                    index.name(),
                                    Map.of(
                                        KeyType.HASH, index.key(), KeyType.RANGE, index.sortKey()),
                                    index.projection()))
                        .collect(Collectors.toSet()),
                    described(table).globalSecondaryIndexes().stream()
                        .map(InfraTest::shape)
                        .collect(Collectors.toSet())));
  }

  private static List<Object> shape(GlobalSecondaryIndexDescription index) {
    return List.of(
        index.indexName(), keys(index.keySchema()), index.projection().projectionTypeAsString());
  }

  @Test
  @DisplayName("expires what the code lets expire")
  void expiry() {
    views()
        .forEach(
            table -> {
              String name = table.name("infra-", GENERATION);
              assertEquals(
                  table.ttl(),
                  client
                      .describeTimeToLive(describe -> describe.tableName(name))
                      .timeToLiveDescription()
                      .attributeName());
            });
  }

  @Test
  @DisplayName("gives processes settings that the code knows")
  void settings() {
    Set<String> known =
        Stream.of(Settings.class.getRecordComponents())
            .map(c -> c.getName().replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT))
            .collect(Collectors.toSet());
    CONTRACT
        .processes()
        .forEach(
            (process, program) ->
                program
                    .settings()
                    .forEach(name -> assertTrue(known.contains(name), process + ": " + name)));
  }

  @Test
  @DisplayName("starts classes that are there, and functions that Lambda can make")
  void classes() throws ReflectiveOperationException {
    for (Contract.Program program : CONTRACT.processes().values()) {
      if (program.handler() != null) {
        Class<?> handler = Class.forName(program.handler());
        assertTrue(RequestHandler.class.isAssignableFrom(handler), handler.getName());
        assertNotNull(handler.getConstructor());
      } else {
        assertNotNull(program.main());
        assertNotNull(Class.forName(program.main()).getMethod("main", String[].class));
      }
    }
  }

  @Test
  @DisplayName("starts commands that are there, where the compose file names one")
  void commands() throws IOException, ReflectiveOperationException {
    String compose = Files.readString(Path.of("..", "infra", "compose.yaml"));
    List<String> commands =
        Pattern.compile("dev\\.tidemark\\.[\\w.]+")
            .matcher(compose)
            .results()
            .map(MatchResult::group)
            .toList();
    assertEquals(List.of(Prepare.class.getName()), commands);
    assertNotNull(Prepare.class.getMethod("main", String[].class));
  }

  @Test
  @DisplayName("has rights for every process, and for nothing else")
  void rights() {
    assertEquals(CONTRACT.processes().keySet(), CONTRACT.rights().keySet());
  }
}
