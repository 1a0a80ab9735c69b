package dev.tidemark.example.migration;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tidemark.EntityUpdate;
import dev.tidemark.IdPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Tracking;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbExecutionRecords;
import dev.tidemark.execution.Completion;
import dev.tidemark.execution.Doubt;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import dev.tidemark.execution.Steps;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
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
  private final DynamoDbEntityStore<EnhancedDocument> orders =
      DynamoDbEntityStore.builder(client, "orders", Tables.documents("id"))
          .tracking(Tracking.defaults().messageIds(IdPolicy.keptFor(Duration.ofDays(30))))
          .build();
  private final Executions checkouts = checkouts(Clock.systemUTC());

  private static Executions checkouts(Clock clock) {
    DynamoDbExecutionRecords records = DynamoDbExecutionRecords.of(client, "executions", clock);
    // snippet: migration-powertools-kept
    Executions checkouts =
        Executions.builder("checkout", records).keptFor(Duration.ofDays(30)).build();
    // end
    return checkouts;
  }

  /** What the function is asked for. */
  record Checkout(String key, String order, int cents) {}

  /** What it answers. */
  record Receipt(String charge, int cents) {}

  /** A payment provider with keys of its own, which counts its calls. */
  private static final class Provider {
    private final Map<String, String> charges = new LinkedHashMap<>();
    private int calls;

    String charge(String key, int cents) {
      calls++;
      return charges.computeIfAbsent(key, any -> "charge of " + cents);
    }
  }

  @BeforeAll
  static void start() {
    server = DynamoDBEmbedded.create();
    client = server.dynamoDbClient();
    Tables.create(client, "idempotency", "id");
    Tables.create(client, "orders", "id");
    DynamoDbExecutionRecords.createTable(client, "executions");
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
    return Tables.row(Tables.table(client, "orders", "id"), request.order())
        .getNumber("total")
        .intValue();
  }

  // snippet: migration-powertools-completion
  Receipt pay(Checkout request) { // @Idempotent in the version both, without it in next
    Completion<EntityUpdate, Receipt> paid =
        Completion.in(
            orders,
            key(request.order()),
            row -> new Receipt(row.getString("charge"), request.cents()));
    Execution<Receipt> execution =
        checkouts.run(
            request.key(), request, Receipt.class, paid, steps -> charged(steps, request));
    return execution
        .result()
        .orElseThrow(() -> new IllegalStateException("not done: " + execution)); // comes again
  }

  EntityUpdate charged(Steps steps, Checkout request) {
    String charge =
        steps.step(
            "charge",
            String.class,
            Doubt.retry(), // the provider charges once for the key that old gives it too
            derived -> provider.charge(request.key(), request.cents()));
    return change().add("total", request.cents()).set("charge", charge);
  }

  // end

  private Receipt byRun(Executions executions) {
    return executions
        .run(request.key(), request, Receipt.class, steps -> unguarded())
        .result()
        .orElseThrow();
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
    assertThrows(IllegalStateException.class, () -> byRun(checkouts(later)));
    assertEquals(receipt, pay(request));
    assertEquals(receipt, byRun(checkouts)); // the record has the result by now

    PowertoolsCompletionTest second = new PowertoolsCompletionTest();
    second.placed();
    assertEquals(second.byRun(second.checkouts), second.pay(second.request));
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
    if (!orders.update(id, key(request.order()), change().add("total", 2500)).isDone()) {
      throw new IllegalStateException("not done");
    }
    return new Receipt("added", 2500);
  }

  @Test
  @DisplayName("to a tracked write adds twice where the version between left no mark in the item")
  void noMark() {
    placed();
    byRun(checkouts);
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
