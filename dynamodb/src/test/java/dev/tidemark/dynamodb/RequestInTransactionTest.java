package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Recall;
import dev.tidemark.kernel.Request;
import dev.tidemark.kernel.Run;
import dev.tidemark.kernel.Step;
import dev.tidemark.tck.View;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

@DisplayName("A request of a run can be a part of a transaction")
final class RequestInTransactionTest {
  private static final TableSchema<View> VIEWS = DynamoDbBackend.schema(false);
  private static final Tracking TRACKING = Tracking.defaults();

  private static DynamoDbClient client;
  private static String table;
  private static Writes<View> writes;
  private static DynamoDbEntityStore<View> store;

  private final EntityKey key = key("view-" + UUID.randomUUID());
  private final EntityKey other = key("other-" + UUID.randomUUID());
  private final MessageId message = MessageId.of(UUID.randomUUID());

  @BeforeAll
  static void open() {
    client = DynamoDbTables.client();
    table = DynamoDbTables.create(client, VIEWS);
    writes = new Writes<>(table, new Mapping<>(VIEWS, TRACKING, true), false);
    store = DynamoDbEntityStore.of(client, table, VIEWS);
  }

  @AfterAll
  static void close() {
    client.close();
  }

  private static Run<View> run(Write<View> write) {
    return new Run<>(
        List.of(write),
        TRACKING,
        writes.mapping().names(),
        Clock.systemUTC(),
        unchecked -> unchecked,
        new Recall(null, TRACKING, table),
        Runner.PATIENCE);
  }

  private Write<View> counted() {
    return Write.update(message, key, change().add("total", 1).createIfMissing());
  }

  private static Request<View> request(Run<View> run) {
    return ((Step.Send<View>) run.next()).request();
  }

  /** Sends a request of a run together with the put of another item. */
  private void transact(Request<View> request) {
    client.transactWriteItems(
        transaction -> transaction.transactItems(part(writes.form(request)), otherPut()));
  }

  private TransactWriteItem otherPut() {
    Map<String, AttributeValue> item = writes.mapping().keys().of(other);
    return TransactWriteItem.builder().put(put -> put.tableName(table).item(item)).build();
  }

  private static TransactWriteItem part(DynamoDbRequest form) {
    if (form instanceof PutItemRequest whole) {
      return TransactWriteItem.builder()
          .put(
              put ->
                  put.tableName(whole.tableName())
                      .item(whole.item())
                      .conditionExpression(whole.conditionExpression())
                      .expressionAttributeNames(whole.expressionAttributeNames())
                      .expressionAttributeValues(whole.expressionAttributeValues()))
          .build();
    }
    UpdateItemRequest change = (UpdateItemRequest) form;
    return TransactWriteItem.builder()
        .update(
            update ->
                update
                    .tableName(change.tableName())
                    .key(change.key())
                    .updateExpression(change.updateExpression())
                    .conditionExpression(change.conditionExpression())
                    .expressionAttributeNames(change.expressionAttributeNames())
                    .expressionAttributeValues(change.expressionAttributeValues())
                    .returnValuesOnConditionCheckFailure(
                        change.returnValuesOnConditionCheckFailureAsString()))
        .build();
  }

  /** What the run says once it has been told the reply. */
  private static Outcome<View> outcome(Run<View> run) {
    assertInstanceOf(Step.Done.class, run.next());
    return ((Result.Judged<View>) run.results().get(0)).outcome();
  }

  private Outcome<View> applied(Run<View> run) {
    Request<View> request = request(run);
    transact(request);
    run.on(writes.accepted(request, Map.of()), false, Duration.ZERO);
    return outcome(run);
  }

  @Test
  @DisplayName("accepted with another item's put: Applied, and both are there")
  void accepted() {
    assertTrue(applied(run(counted())).isApplied());
    assertEquals(1, store.find(key).orElseThrow().getTotal());
    assertTrue(store.find(other).isPresent());
  }

  @Test
  @DisplayName("refused for the same message: the reason brings the item, and the run says so")
  void refused() {
    assertTrue(store.update(message, key, change().add("total", 1).createIfMissing()).isApplied());
    Run<View> again = run(counted());
    Request<View> request = request(again);
    TransactionCanceledException cancelled =
        assertThrows(TransactionCanceledException.class, () -> transact(request));
    CancellationReason reason = cancelled.cancellationReasons().get(0);
    assertEquals("ConditionalCheckFailed", reason.code());
    assertTrue(reason.hasItem());
    again.on(writes.refused(request, reason.item()), false, Duration.ZERO);
    assertInstanceOf(Outcome.Duplicate.class, outcome(again));
    assertEquals(1, store.find(key).orElseThrow().getTotal());
    assertFalse(store.find(other).isPresent(), "no part was written");
  }

  @Test
  @DisplayName("a deletion too, which knows what was read")
  void deletion() {
    MessageId first = MessageId.of(UUID.randomUUID());
    assertTrue(store.update(first, key, change().add("total", 1).createIfMissing()).isApplied());
    Run<View> run = run(Write.delete(message, key));
    assertInstanceOf(Step.Read.class, run.next());
    run.found(writes.mapping().item(key, client.getItem(writes.read(key, true)).item()));
    assertTrue(applied(run).isApplied());
    assertFalse(store.find(key).isPresent());
    assertTrue(store.find(other).isPresent());
    assertInstanceOf(Outcome.Duplicate.class, store.delete(message, key));
  }
}
