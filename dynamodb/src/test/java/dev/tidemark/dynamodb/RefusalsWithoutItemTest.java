package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.View;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DeleteItemRequest;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;
import software.amazon.awssdk.services.dynamodb.model.PutItemRequest;
import software.amazon.awssdk.services.dynamodb.model.ReturnValuesOnConditionCheckFailure;
import software.amazon.awssdk.services.dynamodb.model.UpdateItemRequest;

@DisplayName("A server that returns no item with a refusal: one consistent read tells")
final class RefusalsWithoutItemTest {
  private static final TableSchema<View> VIEWS = DynamoDbBackend.schema(false);
  private static final Change COUNTED = change().add("total", 1).createIfMissing();
  private static final Tracking TRACKING =
      Tracking.defaults().events("Dense", EventPolicy.contiguous());

  /** Keeps the server from hearing that the item is wanted. */
  private static final class Deaf implements ExecutionInterceptor {
    /** What is done once, before the next read. */
    private final AtomicReference<Runnable> between = new AtomicReference<>(() -> {});

    @Override
    public SdkRequest modifyRequest(Context.ModifyRequest context, ExecutionAttributes all) {
      SdkRequest request = context.request();
      if (request instanceof GetItemRequest) {
        between.getAndSet(() -> {}).run();
      }
      ReturnValuesOnConditionCheckFailure none = ReturnValuesOnConditionCheckFailure.NONE;
      if (request instanceof UpdateItemRequest update) {
        return update.toBuilder().returnValuesOnConditionCheckFailure(none).build();
      }
      if (request instanceof PutItemRequest put) {
        return put.toBuilder().returnValuesOnConditionCheckFailure(none).build();
      }
      return request instanceof DeleteItemRequest delete
          ? delete.toBuilder().returnValuesOnConditionCheckFailure(none).build()
          : request;
    }
  }

  private final DynamoDbFaults counted = DynamoDbTables.faults();
  private final Deaf deaf = new Deaf();
  private final DynamoDbClient client = DynamoDbTables.client(counted, deaf, 3);
  private final DynamoDbAsyncClient asyncClient =
      DynamoDbTables.asyncClient(new AsyncFaults(counted), new Deaf(), 3);
  private final String table = DynamoDbTables.create(DynamoDbTables.client(), VIEWS);
  private final EntityKey key = EntityKey.key("k-" + UUID.randomUUID());

  @AfterEach
  void close() {
    asyncClient.close();
    client.close();
  }

  private EntityStore<View> store(boolean async) {
    return async
        ? new JoinedStore<>(
            DynamoDbAsyncEntityStore.builder(asyncClient, table, VIEWS).tracking(TRACKING).build())
        : DynamoDbEntityStore.builder(client, table, VIEWS).tracking(TRACKING).build();
  }

  private static SourceEvent event(long position) {
    return SourceEvent.of("Order", "1", position);
  }

  private String requests(String arm, Supplier<Outcome<View>> call) {
    int reads = counted.reads();
    int writes = counted.writes();
    assertEquals(arm, call.get().getClass().getSimpleName());
    return (counted.reads() - reads) + " + " + (counted.writes() - writes);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("every outcome is as ever, for one read more")
  void outcomes(boolean async) {
    EntityStore<View> store = store(async);
    Change existing = change().add("total", 1);
    assertEquals("1 + 1", requests("Missing", () -> store.update(event(5), key, existing)));
    SourceEvent second = SourceEvent.of("Dense", "1", 2);
    assertEquals("1 + 1", requests("Gap", () -> store.update(second, key, COUNTED)));
    assertEquals("0 + 1", requests("Applied", () -> store.update(event(5), key, COUNTED)));
    assertEquals("1 + 1", requests("Duplicate", () -> store.update(event(5), key, COUNTED)));
    assertEquals("1 + 1", requests("Duplicate", () -> store.update(event(5), key, existing)));
    assertEquals("1 + 1", requests("Stale", () -> store.update(event(4), key, COUNTED)));
    assertEquals("1 + 1", requests("Gap", () -> store.update(second, key, COUNTED)));
    Change ruled = COUNTED.onlyIf(attribute("status").is("PAID"));
    assertEquals("2 + 2", requests("Refused", () -> store.update(event(6), key, ruled)));
    assertTrue(
        assertInstanceOf(Outcome.Refused.class, store.update(event(6), key, ruled.otherwiseSkip()))
            .recorded());
    assertEquals("1 + 1", requests("Applied", () -> store.delete(event(7), key)));
    assertEquals("1 + 1", requests("Deleted", () -> store.update(event(8), key, COUNTED)));
    assertEquals(
        "1 + 2", requests("Applied", () -> store.update(event(9), key, COUNTED.recreate())));
  }

  @Test
  @DisplayName("a true rule is not taken for what refused a write of an entity that came meanwhile")
  void createdMeanwhile() {
    EntityStore<View> store = store(false);
    Change placed = change().set("status", "NEW").createIfMissing();
    deaf.between.set(() -> assertTrue(store.update(event(1), key, placed).isApplied()));
    Change ruled = change().add("total", 1).onlyIf(attribute("status").is("NEW"));
    assertTrue(store.update(event(2), key, ruled).isApplied());
    assertEquals(1, store.find(key).orElseThrow().getTotal());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("a function that loses a race is applied to what won it")
  void races(boolean async) {
    EntityStore<View> store = store(async);
    AtomicInteger calls = new AtomicInteger();
    UnaryOperator<View> racing =
        view -> {
          if (calls.incrementAndGet() % 2 == 1) {
            store.update(event(calls.get()), key, COUNTED);
          }
          view.setTotal((view.getTotal() == null ? 0 : view.getTotal()) + 1);
          return view;
        };
    Outcome<View> created = store.apply(SourceEvent.of("Other", "1", 1), key, View::new, racing);
    assertFalse(assertInstanceOf(Outcome.Applied.class, created).created());
    assertTrue(store.apply(SourceEvent.of("Other", "1", 2), key, racing).isApplied());
    assertEquals(4, store.find(key).orElseThrow().getTotal());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("a batch that is delivered again is told as such")
  void batches(boolean async) {
    EntityStore<View> store = store(async);
    List<Write<View>> writes =
        LongStream.rangeClosed(1, 5)
            .<Write<View>>mapToObj(i -> Write.update(event(i), key, COUNTED))
            .toList();
    store.writeAll(writes).forEach(result -> assertTrue(result.isDone()));
    store
        .writeAll(writes)
        .forEach(result -> assertTrue(result.isDone() && !result.toString().contains("Deleted")));
    assertEquals(5, store.find(key).orElseThrow().getTotal());
  }
}
