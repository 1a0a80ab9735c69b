package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityUpdate;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@DisplayName("Native updates in batches and projectors")
final class NativeBatchTest {
  private record Paid(int amount) {}

  private record Elsewhere() implements EntityUpdate {
    @Override
    public Rules rules() {
      return Rules.defaults().createIfMissing();
    }
  }

  private static final TableSchema<View> SCHEMA = DynamoDbBackend.schema(false);
  private static DynamoDbClient client;
  private static DynamoDbEntityStore<View> views;

  private final EntityKey key = key(UUID.randomUUID().toString());

  @BeforeAll
  static void open() {
    client = DynamoDbTables.client();
    views = DynamoDbEntityStore.of(client, DynamoDbTables.create(client, SCHEMA), SCHEMA);
  }

  @AfterAll
  static void close() {
    client.close();
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private static DynamoDbNativeUpdate adds(int amount) {
    return DynamoDbNativeUpdate.of("ADD #t :n").name("#t", "total").value(":n", amount);
  }

  private Write<View> counts() {
    return Write.update(message(), key, change().add("total", 1).createIfMissing());
  }

  private static List<String> words(List<Result<View>> results) {
    List<String> words = new ArrayList<>();
    for (Result<View> result : results) {
      Object told =
          result instanceof Result.Failed<View> failed
              ? failed.fault()
              : result.outcomeIfJudged().orElseThrow();
      words.add(told.getClass().getSimpleName());
    }
    return words;
  }

  @Test
  @DisplayName("stand among portable ones, keep their order, and are applied once")
  void mixed() {
    DynamoDbNativeUpdate ifPaid =
        adds(10).value(":s", "PAID").name("#s", "status").onlyIf("#s = :s");
    List<Write<View>> writes =
        List.of(
            Write.update(message(), key, adds(100)),
            counts(),
            Write.update(message(), key, adds(5)),
            Write.update(message(), key, ifPaid.otherwiseSkip()),
            Write.update(message(), key, change().set("status", "PAID")),
            Write.update(message(), key, ifPaid),
            counts(),
            Write.apply(message(), key, NativeViews::counted),
            Write.update(message(), key, adds(20).retire(SourceEvent.of("A", "1", 1).source())));
    assertEquals(
        List.of(
            "Missing", "Applied", "Applied", "Refused", "Applied", "Applied", "Applied", "Applied",
            "Applied"),
        words(views.writeAll(writes)));
    assertEquals(38, views.find(key).orElseThrow().getTotal());
    List<Result<View>> again = views.writeAll(writes.subList(1, writes.size()));
    again.forEach(
        r -> assertInstanceOf(Outcome.Duplicate.class, r.outcomeIfJudged().orElseThrow()));
    assertEquals(38, views.find(key).orElseThrow().getTotal());
  }

  @Test
  @DisplayName("keep the entity from no change behind them that asks for it and has no operations")
  void returning() {
    List<Write<View>> writes =
        List.of(
            Write.update(message(), key, adds(5).createIfMissing()),
            Write.update(message(), key, change().returning()));
    Outcome<View> last = views.writeAll(writes).get(1).outcomeIfJudged().orElseThrow();
    assertInstanceOf(Outcome.Recorded.class, last);
    assertEquals(5, last.entity().orElseThrow().getTotal());
  }

  @Test
  @DisplayName("fail alone, before anything is written, if they are wrong or another store's")
  void refused() {
    List<Write<View>> writes =
        List.of(
            counts(),
            Write.update(message(), key, DynamoDbNativeUpdate.of("REMOVE messageIDs")),
            Write.update(message(), key, new Elsewhere()),
            counts());
    List<Result<View>> results = views.writeAll(writes);
    assertEquals(
        List.of("Applied", "IllegalArgumentException", "IllegalArgumentException", "Applied"),
        words(results));
    String said = String.valueOf(((Result.Failed<View>) results.get(2)).fault().getMessage());
    assertTrue(said.contains("DynamoDbNativeUpdate") && said.contains("Elsewhere"), said);
    assertEquals(2, views.find(key).orElseThrow().getTotal());
    assertThrows(
        IllegalArgumentException.class, () -> views.update(message(), key, new Elsewhere()));
  }

  @Test
  @DisplayName("are what an event does in a projector, one by one and in a batch")
  void projector() {
    Projector<View> projector =
        Projector.into(views)
            .updating(Paid.class, e -> key, e -> adds(e.amount()).createIfMissing())
            .build();
    Delivery first = Delivery.of(SourceEvent.of("Order", "1", 1), new Paid(5));
    Delivery second = Delivery.of(SourceEvent.of("Order", "1", 2), new Paid(7));
    assertTrue(projector.handle(first).isApplied());
    assertTrue(projector.handle(List.of(first, second)).isDone());
    assertEquals(12, views.find(key).orElseThrow().getTotal());
  }
}
