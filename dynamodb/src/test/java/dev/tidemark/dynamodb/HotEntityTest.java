package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.IdPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Tracking;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@DisplayName("One entity that many threads write to, under few message IDs")
final class HotEntityTest {
  private static final int THREADS = 24;
  private static final int MESSAGES = 1_200;
  private static final double MOST_REQUESTS = 1.6;
  private static final Tracking LAST_TEN = Tracking.defaults().messageIds(IdPolicy.last(10));
  private static final TableSchema<View> VIEWS = DynamoDbBackend.schema(false);

  private final DynamoDbFaults counted = DynamoDbTables.faults();
  private final EntityKey key = EntityKey.key("hot-" + UUID.randomUUID());

  @ParameterizedTest(name = "asynchronous: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("24 threads, 1,200 messages: each once, no fault, at most 1.6 requests a message")
  void hot(boolean async) throws Exception {
    DynamoDbTables.Capacity capacity = new DynamoDbTables.Capacity();
    try (DynamoDbClient client = DynamoDbTables.client(counted, capacity, 3);
        DynamoDbAsyncClient asyncClient =
            DynamoDbTables.asyncClient(new AsyncFaults(counted), capacity, 3)) {
      String table = DynamoDbTables.create(client, VIEWS);
      EntityStore<View> store =
          async
              ? new JoinedStore<>(
                  DynamoDbAsyncEntityStore.builder(asyncClient, table, VIEWS)
                      .tracking(LAST_TEN)
                      .build())
              : DynamoDbEntityStore.builder(client, table, VIEWS).tracking(LAST_TEN).build();
      int before = counted.reads() + counted.writes();
      writeAll(store);
      double requests = counted.reads() + counted.writes() - before;
      assertEquals(MESSAGES, store.find(key).orElseThrow().getTotal());
      System.out.println("hot entity: " + requests / MESSAGES + " requests a message");
      assertTrue(requests / MESSAGES <= MOST_REQUESTS, () -> requests + " requests");
    }
  }

  private void writeAll(EntityStore<View> store) throws InterruptedException, ExecutionException {
    AtomicInteger left = new AtomicInteger(MESSAGES);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        running.add(
            threads.submit(
                () -> {
                  while (left.getAndDecrement() > 0) {
                    write(store);
                  }
                }));
      }
      for (Future<?> one : running) {
        one.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private void write(EntityStore<View> store) {
    MessageId id = MessageId.of(UUID.randomUUID());
    assertTrue(store.update(id, key, change().add("total", 1).createIfMissing()).isApplied());
  }
}
