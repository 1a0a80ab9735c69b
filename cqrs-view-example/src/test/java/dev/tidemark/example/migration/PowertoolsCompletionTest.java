package dev.tidemark.example.migration;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tidemark.MessageId;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbRecordStore;
import dev.tidemark.execution.Executions;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

@DisplayName("A migration from Powertools to work that ends in a change of an item")
class PowertoolsCompletionTest {
  @SuppressWarnings("NullAway.Init")
  private static AmazonDynamoDBLocal server;

  @SuppressWarnings("NullAway.Init")
  private static DynamoDbClient client;

  private final Checkout request =
      new Checkout(UUID.randomUUID().toString(), UUID.randomUUID().toString(), 2500);
  private final Provider provider = new Provider();
  private final DynamoDbTable<Order> table =
      DynamoDbEnhancedClient.builder()
          .dynamoDbClient(client)
          .build()
          .table("orders", TableSchema.fromBean(Order.class));
  private final ChargeFunction function = new ChargeFunction(provider, client, table);

  @BeforeAll
  static void start() {
    server = DynamoDBEmbedded.create();
    client = server.dynamoDbClient();
    Tables.create(client, "idempotency", "id");
    Tables.create(client, "orders", "id");
    DynamoDbRecordStore.createTable(client, "executions");
  }

  @AfterAll
  static void stop() {
    server.shutdown();
  }

  private Receipt idempotent(Supplier<Receipt> body) {
    PowertoolsFunction.configure(client, "idempotency");
    return PowertoolsFunction.call(
        JsonMapper.builder().build().valueToTree(request), Receipt.class, body);
  }

  /** The body of the old version: a charge, and an update of the row. */
  private Receipt unguarded() {
    String charge = provider.charge(request.key(), request.cents());
    client.updateItem(
        update ->
            update
                .tableName("orders")
                .key(Tables.id(request.order()))
                .updateExpression("ADD #total :cents SET charge = :charge")
                .expressionAttributeNames(Map.of("#total", "total"))
                .expressionAttributeValues(
                    Map.of(
                        ":cents", AttributeValue.fromN("" + request.cents()),
                        ":charge", AttributeValue.fromS(charge))));
    return new Receipt(charge, request.cents());
  }

  private void placed() {
    client.putItem(put -> put.tableName("orders").item(Tables.id(request.order())));
  }

  private int total() {
    return table.getItem(Key.builder().partitionValue(request.order()).build()).getTotal();
  }

  private Receipt pay(Checkout request) {
    return function.handleRequest(request, PowertoolsFunction.CONTEXT);
  }

  private Receipt byRun(Clock clock) {
    return Executions.of("checkout", DynamoDbRecordStore.of(client, "executions", clock))
        .run(
            request.key(),
            request.order() + " " + request.cents(),
            Receipt.class,
            steps -> unguarded())
        .orElseThrow();
  }

  @Test
  @DisplayName("adds once by a run, too, where the old body's update has become a tracked write")
  void runWithATrackedWrite() {
    placed();
    Executions checkouts = Executions.of("tracked", DynamoDbRecordStore.of(client, "executions"));
    AtomicBoolean dies = new AtomicBoolean(true);
    Supplier<Receipt> next =
        () ->
            checkouts
                .run(
                    request.key(),
                    request.cents(),
                    Receipt.class,
                    steps -> {
                      var unused = provider.charge(request.key(), request.cents());
                      Receipt receipt = tracked();
                      if (dies.getAndSet(false)) {
                        throw new ArithmeticException("behind the write");
                      }
                      return receipt;
                    })
                .orElseThrow();
    assertThrows(ArithmeticException.class, next::get);
    assertEquals(2500, total());
    Receipt receipt = next.get();
    assertEquals(receipt, next.get());
    assertEquals(2500, total());
  }

  @Test
  @DisplayName("waits for a row that is missing, and adds once it is there")
  void missingRow() {
    assertThrows(IllegalStateException.class, () -> pay(request));
    placed();
    pay(request);
    pay(request);
    assertEquals(2500, total());
  }

  @Test
  @DisplayName("charges and adds once, through all versions, forth and back")
  void versions() {
    placed();
    Receipt before = idempotent(this::unguarded);
    assertEquals(before, idempotent(() -> pay(request)));
    assertEquals(2500, total());

    PowertoolsCompletionTest second = new PowertoolsCompletionTest();
    second.placed(); // a row without marks
    Receipt receipt = second.idempotent(() -> second.pay(second.request)); // both
    assertEquals(receipt, second.idempotent(second::unguarded)); // beside old
    assertEquals(receipt, second.pay(second.request)); // beside next
    assertEquals(2500, second.total());

    PowertoolsCompletionTest third = new PowertoolsCompletionTest();
    third.placed();
    Receipt last = third.pay(third.request);
    assertEquals(last, third.idempotent(() -> third.pay(third.request)));
    assertEquals(last, third.idempotent(third::unguarded));
    assertEquals(2500, third.total());
    assertEquals(1, third.provider.calls);
  }

  @Test
  @DisplayName("refuses a call by run of a key that a completion began, and replays what a run did")
  void byRun() {
    placed();
    Receipt receipt = pay(request);
    Clock later = Clock.offset(Clock.systemUTC(), Duration.ofHours(1));
    assertThrows(IllegalStateException.class, () -> byRun(later));
    assertEquals(receipt, pay(request));
    assertEquals(receipt, byRun(Clock.systemUTC())); // the record has the result by now

    PowertoolsCompletionTest second = new PowertoolsCompletionTest();
    second.placed();
    assertEquals(second.byRun(Clock.systemUTC()), second.pay(second.request));
    for (PowertoolsCompletionTest one : new PowertoolsCompletionTest[] {this, second}) {
      assertEquals(1, one.provider.calls);
      assertEquals(2500, one.total());
    }
  }

  @Test
  @DisplayName("without the version between: looks into the old table before the call")
  void straight() throws JsonProcessingException {
    placed();
    Receipt before = idempotent(this::unguarded);
    PowertoolsResults results =
        new PowertoolsResults(
            PowertoolsFunction.store(client, "idempotency"),
            PowertoolsFunction.CONFIG,
            PowertoolsFunction.NAME);
    // snippet: migration-powertools-look
    Optional<Receipt> earlier = results.find(request, Receipt.class);
    Receipt receipt = earlier.isPresent() ? earlier.get() : pay(request);
    // end
    assertEquals(before, receipt);
    assertEquals(1, provider.calls);

    PowertoolsCompletionTest fresh = new PowertoolsCompletionTest();
    fresh.placed();
    assertEquals(Optional.empty(), results.find(fresh.request, Receipt.class));
    assertEquals(fresh.pay(fresh.request), fresh.pay(fresh.request));
    assertEquals(1, fresh.provider.calls);
  }

  private Receipt tracked() {
    MessageId id = MessageId.of(request.key());
    DynamoDbEntityStore<Order> orders = DynamoDbEntityStore.of(client, table);
    if (!orders.update(id, key(request.order()), change().add("total", 2500)).isDone()) {
      throw new IllegalStateException("not done");
    }
    return new Receipt("added", 2500);
  }

  @Test
  @DisplayName("to a tracked write adds twice where the version between left no mark in the item")
  void noMark() {
    placed();
    byRun(Clock.systemUTC());
    assertEquals("added", tracked().charge());
    assertEquals(5000, total());

    PowertoolsCompletionTest second = new PowertoolsCompletionTest();
    second.placed();
    assertEquals(second.idempotent(second::tracked), second.tracked());
    assertEquals(2500, second.total());
  }

  @Test
  @DisplayName("adds twice where a writer of the whole item took the mark away")
  void wholeItem() {
    placed();
    tracked();
    Map<String, AttributeValue> row = new LinkedHashMap<>(Tables.id(request.order()));
    row.put("total", AttributeValue.fromN("2500"));
    client.putItem(put -> put.tableName("orders").item(row));
    tracked();
    assertEquals(5000, total());
  }
}
