package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.ContentionException;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Position;
import dev.tidemark.Result;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.TooLargeException;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.tck.View;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** A broker that is away makes no incoming message a dead letter. */
@DisplayName("An item that is filled up by messages which wait to be sent")
final class FullItemTest {
  private static final String LARGE = "x".repeat(120_000);

  private final DynamoDbClient client = DynamoDbTables.client();
  private final String table =
      DynamoDbTables.createWithOutbox(client, DynamoDbBackend.schema(false));
  private final DynamoDbEntityStore<View> views =
      DynamoDbEntityStore.of(client, table, DynamoDbBackend.schema(false));
  private final DynamoDbOutbox outbox = DynamoDbOutbox.of(client, table);
  private final EntityKey full = key("full");
  private final EntityKey other = key("other");
  private final Message first = message();

  private static Message message() {
    return MessageId.of(UUID.randomUUID());
  }

  private static Change says() {
    return change().add("total", 1).createIfMissing().publish(OutgoingMessage.to("orders", LARGE));
  }

  @BeforeEach
  void fill() {
    assertTrue(views.update(first, full, says()).isApplied());
    assertTrue(views.update(message(), full, says()).isApplied());
    assertTrue(views.update(message(), full, says()).isApplied());
  }

  @AfterEach
  void close() {
    client.deleteTable(delete -> delete.tableName(table));
    client.close();
  }

  private void send() {
    for (int shard = 0; shard < Tracking.defaults().outboxShards(); shard++) {
      for (OutboxRecord due : outbox.due(shard, Long.MAX_VALUE, 9)) {
        assertEquals(1, outbox.write(List.of(OutboxTableScene.takingAll(due))).size());
      }
    }
  }

  @Test
  @DisplayName("has room once they are sent, whatever is to be written, and is no message's fault")
  void waits() {
    Change large = change().set("note", LARGE);
    List<Supplier<?>> calls =
        List.of(
            () -> views.update(message(), full, says()),
            () -> views.update(message(), full, large),
            () -> views.update(message(), full, large.onlyIf(attribute("total").is(3))),
            () -> views.decide(message(), full, view -> Decision.to(noted(view))));
    for (Supplier<?> call : calls) {
      ContentionException fault = assertThrows(ContentionException.class, call::get);
      assertTrue(fault.isRetryable());
      assertEquals(full, fault.key().orElseThrow());
    }
    Change refused = large.onlyIf(attribute("total").is(99));
    assertInstanceOf(Outcome.Refused.class, views.update(message(), full, refused));
    assertInstanceOf(Outcome.Duplicate.class, views.update(first, full, large));
    List<Result<View>> results =
        views.writeAll(
            List.of(
                Write.update(message(), full, change().add("total", 1)),
                Write.update(message(), full, says()),
                Write.update(message(), full, change().add("total", 1))));
    assertEquals(
        List.of(true, false, true), results.stream().map(Result.Judged.class::isInstance).toList());
    send();
    assertTrue(views.update(message(), full, large).isApplied());
    Change tooLarge = change().set("note", LARGE.repeat(4));
    assertThrows(TooLargeException.class, () -> views.update(message(), full, tooLarge));
    client.updateItem(
        update ->
            update
                .tableName(table)
                .key(Map.of("id", AttributeValue.fromS((String) full.parts().get(0))))
                .updateExpression("SET #outbox = :null")
                .expressionAttributeNames(Map.of("#outbox", "_outbox"))
                .expressionAttributeValues(Map.of(":null", AttributeValue.fromNul(true))));
    assertThrows(
        TooLargeException.class,
        () -> views.update(message(), full, tooLarge),
        "a null is no message that waits");
  }

  @Test
  @DisplayName("has room once they are dropped, where they are parked, and says so")
  void parked() {
    OutboxRecord due = null;
    for (int shard = 0; due == null; shard++) {
      due = outbox.due(shard, Long.MAX_VALUE, 9).stream().findFirst().orElse(null);
    }
    Set<String> ids = Set.copyOf(OutboxTableScene.ids(due.waiting()));
    OutboxChange parking = new OutboxChange(due, Set.of(), ids, Set.of(), 0, 0);
    assertEquals(1, outbox.write(List.of(parking)).size());
    Change large = change().set("note", LARGE);
    TooLargeException fault =
        assertThrows(TooLargeException.class, () -> views.update(message(), full, large));
    assertTrue(String.valueOf(fault.getMessage()).contains("parked"), fault::getMessage);
  }

  private static View noted(View view) {
    view.setNote(LARGE);
    return view;
  }

  /** The same client, but that all that waits is sent before one of its reads. */
  private DynamoDbClient sending(int reads) {
    AtomicInteger left = new AtomicInteger(reads);
    return (DynamoDbClient)
        Proxy.newProxyInstance(
            DynamoDbClient.class.getClassLoader(),
            new Class<?>[] {DynamoDbClient.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("getItem") && left.decrementAndGet() == 0) {
                send();
              }
              try {
                return method.invoke(client, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @Test
  @DisplayName("takes a write that it had no room for, if they are sent before it is looked at")
  void sentMeanwhile() {
    Change large = change().set("note", LARGE);
    DynamoDbEntityStore<View> blind =
        DynamoDbEntityStore.of(sending(1), table, DynamoDbBackend.schema(false));
    assertTrue(blind.update(message(), full, large).isApplied());
    assertTrue(views.update(message(), full, change().set("note", "")).isApplied());
    for (int i = 0; i < 3; i++) {
      assertTrue(views.update(message(), full, says()).isApplied());
    }
    DynamoDbEntityStore<View> reading =
        DynamoDbEntityStore.of(sending(2), table, DynamoDbBackend.schema(false));
    assertTrue(reading.decide(message(), full, view -> Decision.to(noted(view))).isApplied());
  }

  @Test
  @DisplayName("refuses nothing by a true rule, if they are sent before it is looked at")
  void ruleMeanwhile() {
    Message event = SourceEvent.of(Source.of("Order", "1").generation(1), Position.of(1));
    assertTrue(views.update(SourceEvent.of("Order", "1", 1), full, add()).isApplied());
    Change large = change().set("note", LARGE).onlyIf(attribute("total").is(4)).otherwiseSkip();
    DynamoDbEntityStore<View> reading =
        DynamoDbEntityStore.of(sending(1), table, DynamoDbBackend.schema(false));
    assertTrue(reading.update(event, full, large).isApplied());
  }

  @Test
  @DisplayName("is no refusal by a rule, be it a native one over nothing, but a fault")
  void tooLargeOverNothing() {
    DynamoDbNativeUpdate large =
        DynamoDbNativeUpdate.of("SET #note = :note")
            .name("#note", "note")
            .value(":note", LARGE.repeat(4))
            .onlyIf("attribute_not_exists(#note)")
            .createIfMissing();
    assertThrows(TooLargeException.class, () -> views.update(message(), other, large));
    DynamoDbTransaction alone =
        DynamoDbTransaction.on(client).write(views, Write.update(message(), other, large));
    assertThrows(TooLargeException.class, alone::commit);
  }

  private static Change add() {
    return change().add("total", 1);
  }

  @Test
  @DisplayName("has room once they are sent for a transaction, too")
  void inTransaction() {
    Message message = message();
    Supplier<DynamoDbTransaction> both =
        () ->
            DynamoDbTransaction.on(client)
                .write(views, Write.update(message, other, says()))
                .write(views, Write.update(message, full, says()));
    assertThrows(ContentionException.class, () -> both.get().commit());
    assertTrue(views.find(other).isEmpty());
    send();
    assertTrue(both.get().commit().isCommitted());
    Change tooLarge = change().set("note", LARGE.repeat(4));
    DynamoDbTransaction alone =
        DynamoDbTransaction.on(client).write(views, Write.update(message(), full, tooLarge));
    assertThrows(TooLargeException.class, alone::commit);
  }
}
