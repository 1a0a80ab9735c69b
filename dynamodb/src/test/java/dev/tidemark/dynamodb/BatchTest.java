package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.SdkResponse;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.BatchGetItemResponse;
import software.amazon.awssdk.services.dynamodb.model.KeysAndAttributes;

@DisplayName("A batch on DynamoDB")
class BatchTest {
  private static final int THREADS = 48;
  private static final int AT_A_TIME = 4;
  private static final int ENTITIES = 1_200;
  private static final TableSchema<View> VIEWS = DynamoDbBackend.schema(false);

  private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);
  private final String table = DynamoDbTables.create(DynamoDbTables.client(), VIEWS);

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private static Change counted() {
    return change().createIfMissing().add("total", 1);
  }

  private static List<Write<View>> oneEach(int entities) {
    List<Write<View>> writes = new ArrayList<>();
    for (int i = 0; i < entities; i++) {
      EntityKey key = EntityKey.key("e-" + UUID.randomUUID());
      writes.add(Write.update(MessageId.of(UUID.randomUUID()), key, counted()));
    }
    return writes;
  }

  private static void assertAllApplied(List<Result<View>> results) {
    for (Result<View> result : results) {
      assertTrue(
          result instanceof Result.Judged<View> judged && judged.outcome().isApplied(),
          "" + result);
    }
  }

  private static CrowdedClient crowded() {
    return new CrowdedClient(UrlConnectionHttpClient.create(), AT_A_TIME);
  }

  private static DynamoDbClient client(CrowdedClient http) {
    return DynamoDbTables.client(http, new DynamoDbTables.Capacity(), 3);
  }

  @Test
  @DisplayName("that is throttled shrinks until it is not: no storm of requests, and all are done")
  void throttling() throws Exception {
    CrowdedClient limited = crowded();
    DynamoDbEntityStore<View> store =
        DynamoDbEntityStore.builder(client(limited), table, VIEWS)
            .maxConcurrency(THREADS, threads)
            .build();
    assertAllApplied(store.writeAll(oneEach(ENTITIES)));
    double attempts = (double) limited.sent() / ENTITIES;
    limited.peak();
    assertAllApplied(store.writeAll(oneEach(ENTITIES)));
    int settled = limited.peak();
    double later = (double) limited.sent() / ENTITIES - attempts;
    double without = withoutLimit();
    System.out.printf(
        "throttled above %d requests at a time, %d threads: %.2f attempts a message, then %.2f"
            + " (at most %d at a time); without the limit %.2f%n",
        AT_A_TIME, THREADS, attempts, later, settled, without);
    assertTrue(attempts < without, attempts + " attempts a message, " + without + " without");
    assertTrue(later < 1.5, later + " attempts a message once settled");
    assertTrue(settled < THREADS / 2, settled + " at a time once settled");
  }

  /** The same messages by as many threads as there are, each by a call of its own. */
  private double withoutLimit() throws Exception {
    CrowdedClient http = crowded();
    EntityStore<View> store = DynamoDbEntityStore.of(client(http), table, VIEWS);
    List<Future<Outcome<View>>> running = new ArrayList<>();
    for (Write<View> write : oneEach(ENTITIES)) {
      running.add(threads.submit(() -> store.write(write)));
    }
    int failed = 0;
    for (Future<Outcome<View>> one : running) {
      try {
        failed += one.get().isApplied() ? 0 : 1;
      } catch (java.util.concurrent.ExecutionException e) {
        failed++;
      }
    }
    System.out.println("without the limit, " + failed + " of " + ENTITIES + " failed");
    return (double) http.sent() / ENTITIES;
  }

  @Test
  @DisplayName("works on as many entities at a time as it is told, or on one")
  void concurrency() {
    CrowdedClient http = new CrowdedClient(UrlConnectionHttpClient.create(), THREADS);
    DynamoDbEntityStore<View> five =
        DynamoDbEntityStore.builder(client(http), table, VIEWS).maxConcurrency(5, threads).build();
    assertAllApplied(five.writeAll(oneEach(200)));
    int peak = http.peak();
    assertTrue(peak > 1 && peak <= 5, peak + " at a time");
    assertAllApplied(DynamoDbEntityStore.of(client(http), table, VIEWS).writeAll(oneEach(20)));
    assertEquals(1, http.peak());
  }

  @Test
  @DisplayName("reads again what BatchGetItem left unprocessed, and nothing twice")
  void unprocessedKeys() {
    AtomicInteger reads = new AtomicInteger();
    DynamoDbClient client =
        DynamoDbTables.client(
            DynamoDbTables.faults(), new DynamoDbTables.Capacity(), 3, new Halving(reads));
    DynamoDbEntityStore<View> store = DynamoDbEntityStore.of(client, table, VIEWS);
    List<Write<View>> writes = oneEach(64);
    assertAllApplied(store.writeAll(writes));
    List<Write<View>> functions = new ArrayList<>();
    for (Write<View> write : writes) {
      functions.add(Write.apply(MessageId.of(UUID.randomUUID()), write.key(), BatchTest::counted));
    }
    assertAllApplied(store.writeAll(functions));
    assertTrue(reads.get() > 1 && reads.get() <= 8, reads + " reads");
    for (Write<View> write : writes) {
      assertEquals(2, store.find(write.key()).orElseThrow().getTotal());
    }
  }

  private static View counted(View view) {
    Long total = view.getTotal();
    view.setTotal(total == null ? 1 : total + 1);
    return view;
  }

  /** Leaves half of the keys unprocessed, down to the last two. */
  private record Halving(AtomicInteger reads) implements ExecutionInterceptor {
    @Override
    public SdkResponse modifyResponse(
        Context.ModifyResponse context, ExecutionAttributes attributes) {
      if (!(context.response() instanceof BatchGetItemResponse reply)) {
        return context.response();
      }
      reads.incrementAndGet();
      Map<String, KeysAndAttributes> asked =
          ((BatchGetItemRequest) context.request()).requestItems();
      String table = asked.keySet().iterator().next();
      List<Map<String, AttributeValue>> keys = asked(asked, table).keys();
      if (keys.size() < 3) {
        return reply;
      }
      List<Map<String, AttributeValue>> left = keys.subList(keys.size() / 2, keys.size());
      List<Map<String, AttributeValue>> items =
          new ArrayList<>(reply.responses().getOrDefault(table, List.of()));
      items.removeIf(item -> left.contains(Map.of("id", Objects.requireNonNull(item.get("id")))));
      Map<String, KeysAndAttributes> unprocessed = new HashMap<>();
      unprocessed.put(table, asked(asked, table).toBuilder().keys(left).build());
      return reply.toBuilder().responses(Map.of(table, items)).unprocessedKeys(unprocessed).build();
    }

    private static KeysAndAttributes asked(Map<String, KeysAndAttributes> all, String table) {
      return Objects.requireNonNull(all.get(table));
    }
  }

  @Test
  @DisplayName("that comes to more than an expression or an item takes is split, and nothing lost")
  void tooLarge() {
    DynamoDbEntityStore<View> store =
        DynamoDbEntityStore.builder(DynamoDbTables.client(), table, VIEWS)
            .unmappedAttributes()
            .build();
    EntityKey wide = EntityKey.key("wide");
    List<Write<View>> writes = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Change change = counted();
      for (int field = 0; field < 40; field++) {
        change = change.set("f" + i + "x" + field, "some value");
      }
      writes.add(Write.update(MessageId.of("m" + i), wide, change));
    }
    assertAllApplied(store.writeAll(writes));
    assertEquals(12, store.find(wide).orElseThrow().getTotal());
    EntityKey heavy = EntityKey.key("heavy");
    writes.clear();
    for (int i = 0; i < 6; i++) {
      writes.add(
          Write.update(
              MessageId.of("m" + i), heavy, counted().set("big" + i, "x".repeat(110_000))));
    }
    List<String> words =
        store.writeAll(writes).stream().map(r -> r.getClass().getSimpleName()).toList();
    assertEquals(List.of("Judged", "Judged", "Judged", "Failed", "Failed", "Failed"), words);
    assertEquals(3, store.find(heavy).orElseThrow().getTotal());
  }
}
