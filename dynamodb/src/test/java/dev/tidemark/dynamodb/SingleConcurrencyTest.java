package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;

@DisplayName("Entities of an asynchronous store, one at a time")
final class SingleConcurrencyTest {
  private static final int ENTITIES = 40;
  private static final TableSchema<View> VIEWS = DynamoDbBackend.schema(false);

  private final String table = DynamoDbTables.create(DynamoDbTables.client(), VIEWS);

  private static List<Write<View>> writes() {
    List<Write<View>> writes = new ArrayList<>();
    for (int i = 0; i < ENTITIES; i++) {
      EntityKey key = EntityKey.key("e-" + UUID.randomUUID());
      writes.add(
          Write.update(
              MessageId.of(UUID.randomUUID()), key, change().createIfMissing().add("total", 1)));
      writes.add(
          Write.apply(MessageId.of(UUID.randomUUID()), key, View::new, NativeViews::counted));
    }
    return writes;
  }

  @Test
  @DisplayName("never two requests at a time, in one batch or in two, and all are done")
  void oneAtATime() {
    CrowdedClient http = new CrowdedClient(UrlConnectionHttpClient.create(), ENTITIES);
    try (DynamoDbAsyncClient client =
        DynamoDbTables.asyncClient(new AsyncFaults(http), new DynamoDbTables.Capacity(), 3)) {
      DynamoDbAsyncEntityStore<View> store =
          DynamoDbAsyncEntityStore.builder(client, table, VIEWS).maxConcurrency(1).build();
      List<Write<View>> writes = writes();
      List<Write<View>> more = writes();
      CompletableFuture<List<Result<View>>> one = store.writeAll(writes);
      CompletableFuture<List<Result<View>>> other = store.writeAll(more);
      assertApplied(one.join());
      assertApplied(other.join());
      assertEquals(1, http.peak());
      for (Write<View> write : writes) {
        assertEquals(2, store.find(write.key()).join().orElseThrow().getTotal());
      }
    }
  }

  private static void assertApplied(List<Result<View>> results) {
    assertEquals(2 * ENTITIES, results.size());
    for (Result<View> result : results) {
      assertEquals("Applied", ((Result.Judged<View>) result).outcome().getClass().getSimpleName());
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, Integer.MIN_VALUE, 10_001})
  @DisplayName("other numbers than 1 to 10,000 are refused by name")
  void bounds(int entities) {
    try (DynamoDbAsyncClient client =
        DynamoDbTables.asyncClient(
            new AsyncFaults(UrlConnectionHttpClient.create()), new DynamoDbTables.Capacity(), 1)) {
      DynamoDbAsyncEntityStore.Builder<View> builder =
          DynamoDbAsyncEntityStore.builder(client, table, VIEWS);
      assertRefused(
          entities,
          assertThrows(IllegalArgumentException.class, () -> builder.maxConcurrency(entities)));
    }
    DynamoDbEntityStore.Builder<View> builder =
        DynamoDbEntityStore.builder(DynamoDbTables.client(), table, VIEWS);
    assertRefused(
        entities,
        assertThrows(
            IllegalArgumentException.class, () -> builder.maxConcurrency(entities, Runnable::run)));
  }

  private static void assertRefused(int entities, IllegalArgumentException e) {
    assertEquals("maxConcurrency must be 1 to 10000, was " + entities, e.getMessage());
  }
}
