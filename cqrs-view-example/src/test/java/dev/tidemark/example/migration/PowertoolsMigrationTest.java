package dev.tidemark.example.migration;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.dynamodbv2.local.embedded.DynamoDBEmbedded;
import com.amazonaws.services.dynamodbv2.local.shared.access.AmazonDynamoDBLocal;
import com.amazonaws.services.lambda.runtime.Context;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tidemark.MessageId;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.dynamodb.DynamoDbRecordStore;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import dev.tidemark.execution.NotExecutedException;
import dev.tidemark.execution.Work;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.lambda.powertools.idempotency.exceptions.IdempotencyAlreadyInProgressException;
import software.amazon.lambda.powertools.idempotency.exceptions.IdempotencyValidationException;
import software.amazon.lambda.powertools.idempotency.persistence.DynamoDBPersistenceStore;

@DisplayName("A migration from Powertools' idempotency")
class PowertoolsMigrationTest {
  @SuppressWarnings("NullAway.Init")
  private static AmazonDynamoDBLocal server;

  @SuppressWarnings("NullAway.Init")
  private static DynamoDbClient client;

  private final Checkout request = new Checkout(UUID.randomUUID().toString(), "4711", 2500);
  private final List<Checkout> charged = new ArrayList<>();
  private final Executions checkouts =
      Executions.of("checkout", DynamoDbRecordStore.of(client, "executions"));

  @BeforeAll
  static void start() {
    server = DynamoDBEmbedded.create();
    client = server.dynamoDbClient();
    Tables.create(client, "idempotency", "id");
    Tables.create(client, "orders", "id");
    DynamoDbRecordStore.createTable(client, "executions");
    PowertoolsFunction.configure(client, "idempotency");
  }

  @AfterAll
  static void stop() {
    server.shutdown();
  }

  private static JsonNode json(Checkout request) {
    return JsonMapper.builder().build().valueToTree(request);
  }

  private Receipt charge(Checkout request) {
    charged.add(request);
    return new Receipt("charge-" + charged.size(), request.cents());
  }

  private static Receipt idempotent(Checkout request, Supplier<Receipt> body) {
    return PowertoolsFunction.call(json(request), Receipt.class, body);
  }

  private Receipt old(Checkout request) {
    return idempotent(request, () -> charge(request));
  }

  private Receipt both(Checkout request) {
    return idempotent(request, () -> checkout(request, PowertoolsFunction.CONTEXT));
  }

  // snippet: migration-powertools-both
  Receipt checkout(Checkout request, Context context) { // @Idempotent in the version both
    return checkouts
        .within(context::getRemainingTimeInMillis)
        .run(request.key(), request.cents(), Receipt.class, steps -> charge(request))
        .orElseThrow(); // NotExecutedException, and the delivery comes again
  }

  // end

  @Test
  @DisplayName("replays one response through all versions, forth and back")
  void versions() {
    Receipt before = old(request);
    assertEquals(before, both(request)); // in flight when the versions changed

    Checkout second = new Checkout(UUID.randomUUID().toString(), "4711", 100);
    Receipt receipt = both(second);
    assertEquals(receipt, old(second)); // a process of the version before
    assertEquals(
        receipt, checkout(second, PowertoolsFunction.CONTEXT)); // and one of the version after

    Checkout third = new Checkout(UUID.randomUUID().toString(), "4711", 200);
    Receipt last = checkout(third, PowertoolsFunction.CONTEXT);
    assertEquals(last, both(third)); // back: Powertools stores what Tidemark replays
    assertEquals(last, old(third));
    assertEquals(List.of(request, second, third), charged);
  }

  @Test
  @DisplayName("lets one of two versions run that are at work at the same time")
  void atOnce() {
    Receipt first =
        idempotent(
            request,
            () -> {
              assertThrows(IdempotencyAlreadyInProgressException.class, () -> both(request));
              return charge(request);
            });
    assertEquals(first, both(request));

    Checkout second = new Checkout(UUID.randomUUID().toString(), "4711", 100);
    Execution<Receipt> execution =
        checkouts.run(
            second.key(),
            second.cents(),
            Receipt.class,
            steps -> {
              // Powertools keeps nothing of a call that Tidemark did not let run
              assertThrows(NotExecutedException.class, () -> both(second));
              return charge(second);
            });
    assertEquals(execution.result().orElseThrow(), both(second));
    assertEquals(List.of(request, second), charged);
  }

  @Test
  @DisplayName("charges twice where the version next comes before a retention is over")
  void tooEarly() {
    Receipt before = old(request);
    assertNotEquals(before, checkout(request, PowertoolsFunction.CONTEXT));
    assertEquals(2, charged.size());
  }

  private static DynamoDBPersistenceStore records() {
    DynamoDBPersistenceStore records = PowertoolsFunction.store(client, "idempotency");
    records.configure(PowertoolsFunction.CONFIG, PowertoolsFunction.NAME);
    return records;
  }

  private static PowertoolsResults results(DynamoDbClient client, String method) {
    return new PowertoolsResults(
        PowertoolsFunction.store(client, "idempotency"), PowertoolsFunction.CONFIG, method);
  }

  private Execution<Receipt> straight(Checkout request) throws JsonProcessingException {
    PowertoolsResults before = results(client, PowertoolsFunction.NAME);
    // snippet: migration-powertools-straight
    Execution<Receipt> execution =
        checkouts.run(
            request.key(),
            request.cents(),
            Receipt.class,
            steps -> before.find(request, Receipt.class).orElseGet(() -> charge(request)));
    // end
    return execution;
  }

  @Test
  @DisplayName("without the version between: looks in the old table once, and replays from its own")
  void straight() throws Exception {
    Receipt before = old(request);
    assertInstanceOf(Execution.Executed.class, straight(request));
    records().deleteRecord(json(request), new IllegalStateException("its time is over"));
    Execution<Receipt> replayed = straight(request);
    assertEquals(new Execution.Replayed<>(before), replayed);
    assertEquals(1, charged.size());

    Checkout other = new Checkout(request.key(), "4711", 9999);
    assertInstanceOf(Execution.KeyReused.class, straight(other));
    Checkout fresh = new Checkout(UUID.randomUUID().toString(), "4711", 100);
    assertEquals("charge-2", straight(fresh).result().orElseThrow().charge());
  }

  @Test
  @DisplayName("without the version between: waits for the old one, and runs what it left behind")
  void leftBehind() throws Exception {
    DynamoDBPersistenceStore old = records();
    old.saveInProgress(json(request), Instant.now(), OptionalInt.of(30_000));
    assertThrows(IllegalStateException.class, () -> straight(request));
    Checkout first = new Checkout(UUID.randomUUID().toString(), "4711", 300);
    old.saveInProgress(json(first), Instant.now(), OptionalInt.of(30_000));
    Checkout other = new Checkout(first.key(), "4711", 9999);
    assertThrows(IdempotencyValidationException.class, () -> straight(other));

    Checkout died = new Checkout(UUID.randomUUID().toString(), "4711", 100);
    Instant minuteAgo = Instant.now().minusSeconds(60);
    old.saveInProgress(json(died), minuteAgo, OptionalInt.of(30_000));
    Checkout expired = new Checkout(UUID.randomUUID().toString(), "4711", 200);
    Instant dayAgo = Instant.now().minus(Duration.ofDays(1));
    old.saveInProgress(json(expired), dayAgo, OptionalInt.of(30_000));
    old.saveSuccess(json(expired), new Receipt("charge-0", 200), dayAgo);
    assertInstanceOf(Execution.Executed.class, straight(died));
    assertInstanceOf(Execution.Executed.class, straight(expired));
    assertEquals(List.of(died, expired), charged);
  }

  @Test
  @DisplayName("without the version between: finds nothing under the name of another method")
  void renamed() throws Exception {
    Receipt before = old(request);
    SentRequests sent = new SentRequests();
    DynamoDbClient noting = sent.noting(client);
    assertEquals(Optional.of(before), results(noting, "checkout").find(request, Receipt.class));
    assertEquals(Optional.empty(), results(noting, "pay").find(request, Receipt.class));
    assertEquals(Set.of("idempotency:GetItem"), sent.actions());
  }

  @Test
  @DisplayName("to a tracked write adds once, by the same three versions")
  void trackedWrite() {
    DynamoDbEntityStore<EnhancedDocument> orders =
        DynamoDbEntityStore.of(client, "orders", Tables.documents("id"));
    String order = UUID.randomUUID().toString();
    Map<String, AttributeValue> row =
        Map.of("id", AttributeValue.fromS(order), "total", AttributeValue.fromN("0"));
    client.putItem(put -> put.tableName("orders").item(row));
    Supplier<Receipt> unguarded =
        () -> {
          client.updateItem(
              update ->
                  update
                      .tableName("orders")
                      .key(Tables.id(order))
                      .updateExpression("ADD #total :one")
                      .expressionAttributeNames(Map.of("#total", "total"))
                      .expressionAttributeValues(Map.of(":one", AttributeValue.fromN("1"))));
          return new Receipt("added", 1);
        };
    Checkout second = new Checkout(UUID.randomUUID().toString(), "4711", 100);
    Supplier<Receipt> next = () -> tracked(orders, second, order);
    Receipt added = idempotent(request, unguarded);
    assertEquals(added, idempotent(request, () -> tracked(orders, request, order)));
    assertEquals(added, idempotent(second, next));
    assertEquals(added, idempotent(second, unguarded));
    assertEquals(added, next.get());
    assertEquals(
        2, Tables.row(Tables.table(client, "orders", "id"), order).getNumber("total").intValue());
  }

  @Test
  @DisplayName(
      "to a run around a tracked write adds once, and charges alone where the row knows more")
  void runAroundTrackedWrite() {
    DynamoDbEntityStore<EnhancedDocument> orders =
        DynamoDbEntityStore.of(client, "orders", Tables.documents("id"));
    String order = UUID.randomUUID().toString();
    Map<String, AttributeValue> row =
        Map.of("id", AttributeValue.fromS(order), "total", AttributeValue.fromN("0"));
    client.putItem(put -> put.tableName("orders").item(row));
    AtomicBoolean dies = new AtomicBoolean(true);
    Work<Receipt, RuntimeException> body =
        steps -> {
          Receipt receipt = charge(request);
          var unused = tracked(orders, request, order);
          if (dies.getAndSet(false)) {
            throw new IllegalStateException("behind the write");
          }
          return receipt;
        };
    Supplier<Execution<Receipt>> call =
        () -> checkouts.run(request.key(), request.cents(), Receipt.class, body);
    assertThrows(IllegalStateException.class, call::get);
    assertInstanceOf(Execution.Executed.class, call.get());
    assertInstanceOf(Execution.Replayed.class, call.get());
    assertEquals(2, charged.size()); // under one key, by which a provider knows it
    assertTrue(checkouts.forget(request.key())); // as once keptFor is over
    assertInstanceOf(Execution.Executed.class, call.get());
    assertEquals(3, charged.size());
    assertEquals(
        1, Tables.row(Tables.table(client, "orders", "id"), order).getNumber("total").intValue());
  }

  private static Receipt tracked(
      DynamoDbEntityStore<EnhancedDocument> orders, Checkout request, String order) {
    MessageId id = MessageId.of(request.key());
    if (!orders.update(id, key(order), change().add("total", 1)).isDone()) {
      throw new IllegalStateException("not done");
    }
    return new Receipt("added", 1);
  }

  @Test
  @DisplayName("needs the actions that the page lists")
  void actions() throws Exception {
    SentRequests sent = new SentRequests();
    DynamoDbClient noting = sent.noting(client);
    Checkout failing = new Checkout(UUID.randomUUID().toString(), "4711", 1);
    try {
      PowertoolsFunction.configure(noting, "idempotency");
      Receipt receipt = old(request);
      assertEquals(receipt, old(request));
      assertThrows(ArithmeticException.class, () -> idempotent(failing, this::failing));
    } finally {
      PowertoolsFunction.configure(client, "idempotency");
    }
    assertEquals(
        Set.of(
            "idempotency:DeleteItem",
            "idempotency:GetItem",
            "idempotency:PutItem",
            "idempotency:UpdateItem"),
        sent.actions());

    SentRequests own = new SentRequests();
    Executions executions =
        Executions.of("noted", DynamoDbRecordStore.of(own.noting(client), "executions"));
    for (int i = 0; i < 2; i++) {
      assertThrows(
          ArithmeticException.class,
          () -> executions.run(failing.key(), failing, Receipt.class, steps -> failing()));
      assertEquals(
          "charge-2",
          executions
              .run(request.key(), request, Receipt.class, steps -> charge(request))
              .result()
              .orElseThrow()
              .charge());
    }
    assertEquals(Set.of("executions:PutItem"), own.actions());
    assertTrue(executions.forget(request.key()));
    assertEquals(
        Set.of("executions:DeleteItem", "executions:GetItem", "executions:PutItem"), own.actions());
  }

  private Receipt failing() {
    throw new ArithmeticException("no");
  }
}
