package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.EntityKey.key;
import static dev.tidemark.NotBefore.notBefore;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.metrics.StoreCall;
import dev.tidemark.metrics.StoreCall.Method;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.tck.View;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@DisplayName("A listener is told of every call")
final class ObservedTest {
  private static final TableSchema<View> SCHEMA = DynamoDbBackend.schema(false);
  private static final Tracking TRACKING =
      Tracking.defaults().events("Order", EventPolicy.contiguous());
  private static final Change COUNT = change().add("total", 1).createIfMissing();
  private static final DynamoDbFaults HTTP = DynamoDbTables.faults();
  private static final DynamoDbSent SENT = new DynamoDbSent();
  private static DynamoDbClient client;
  private static DynamoDbAsyncClient asyncClient;
  private static String table;

  private final List<StoreCall> calls = new CopyOnWriteArrayList<>();
  private final String id = "secret-" + UUID.randomUUID();
  private final EntityKey key = key(id);

  @BeforeAll
  static void open() {
    client = DynamoDbTables.client(HTTP, SENT, 3);
    asyncClient = DynamoDbTables.asyncClient(new AsyncFaults(HTTP), SENT, 3);
    table = DynamoDbTables.create(client, SCHEMA);
  }

  @AfterAll
  static void close() {
    client.close();
    asyncClient.close();
  }

  @BeforeEach
  void forget() {
    HTTP.heal();
    SENT.clear();
  }

  private static EntityStore<View> store(boolean async, StoreListener listener) {
    return async
        ? new JoinedStore<>(
            DynamoDbAsyncEntityStore.builder(asyncClient, table, SCHEMA)
                .tracking(TRACKING)
                .listener(listener)
                .build())
        : DynamoDbEntityStore.builder(client, table, SCHEMA)
            .tracking(TRACKING)
            .listener(listener)
            .build();
  }

  private static MessageId message() {
    return MessageId.of("secret-" + UUID.randomUUID());
  }

  /** Makes a call, and compares what was told of it with what went through the client. */
  private StoreCall told(Supplier<?> call) {
    SENT.clear();
    calls.clear();
    int attempts = HTTP.attempts();
    Object result = call.get();
    assertNotNull(result);
    assertEquals(1, calls.size());
    StoreCall told = calls.get(0);
    assertEquals(table, told.store());
    assertTrue(told.latency().toNanos() > 0);
    assertEquals(SENT.reads(), told.requests().reads());
    assertEquals(SENT.writes(), told.requests().writes());
    assertEquals(HTTP.attempts() - attempts, told.requests().attempts());
    assertEquals(SENT.units(true), told.requests().readUnits().orElse(0));
    assertEquals(SENT.units(false), told.requests().writeUnits().orElse(0));
    assertFalse(told.toString().contains("secret"), told::toString);
    return told;
  }

  private StoreCall told(Method method, String outcome, Supplier<?> call) {
    StoreCall told = told(call);
    assertEquals(method, told.method());
    assertEquals(outcome.isEmpty() ? Map.of() : Map.of(outcome, 1), told.outcomes());
    assertEquals(Map.of(), told.faults());
    return told;
  }

  @ParameterizedTest(name = "async: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("with its outcome, requests, units and sizes")
  void single(boolean async) {
    EntityStore<View> views = store(async, calls::add);
    MessageId first = message();
    Change secret = COUNT.set("note", "secret");
    StoreCall created = told(Method.UPDATE, "Applied", () -> views.update(first, key, secret));
    assertEquals(
        new StoreCall.Requests(0, 1, 1, OptionalDouble.empty(), OptionalDouble.of(1)),
        created.requests());
    StoreCall.Size size = created.sizes().get(0);
    assertTrue(size.marks().bytes() > 40 && size.bytes() > size.marks().bytes() + id.length());
    StoreCall again = told(Method.UPDATE, "Duplicate", () -> views.update(first, key, secret));
    assertEquals(
        new StoreCall.Requests(0, 1, 1, OptionalDouble.empty(), OptionalDouble.empty()),
        again.requests());
    assertEquals(created.sizes(), again.sizes());
    StoreCall function =
        told(Method.APPLY, "Applied", () -> views.apply(message(), key, NativeViews::counted));
    assertEquals(2, function.requests().reads() + function.requests().writes());
    assertTrue(function.sizes().get(0).marks().bytes() > size.marks().bytes());
    told(Method.SKIP, "Recorded", () -> views.skip(message(), key));
    Change refused = change().onlyIf(attribute("total").is(-1));
    told(Method.UPDATE, "Refused", () -> views.update(message(), key, refused));
    SourceEvent second = SourceEvent.of("Order", "1", 2);
    told(Method.UPDATE, "Gap", () -> views.update(second, key, COUNT));
    assertEquals(1, told(Method.FIND, "", () -> views.find(key)).sizes().size());
    told(Method.FIND, "Fresh", () -> views.find(key, notBefore(first)));
    told(Method.FIND, "NotYet", () -> views.find(key, notBefore(second)));
    StoreCall deleted = told(Method.DELETE, "Applied", () -> views.delete(message(), key));
    assertTrue(deleted.sizes().get(0).bytes() < size.bytes() + function.sizes().get(0).bytes());
    told(
        Method.DELETE_EXISTING,
        "Missing",
        () -> views.deleteExisting(message(), key(id + "-other")));
    StoreCall gone = told(Method.FORGET, "Applied", () -> views.forget(message(), key));
    assertEquals(List.of(), gone.sizes());
  }

  @ParameterizedTest(name = "async: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("with the class of its fault")
  void faults(boolean async) {
    EntityStore<View> views = store(async, calls::add);
    StoreCall bad =
        told(
            () ->
                assertThrows(
                    IllegalArgumentException.class,
                    () -> views.update(message(), key, change().set("total", "secret"))));
    assertEquals(Map.of("UnfitChangeException", 1), bad.faults());
    assertEquals(0, bad.requests().attempts());
    assertTrue(views.update(message(), key, COUNT.set("status", "secret")).isDone());
    StoreCall shape =
        told(
            () ->
                assertThrows(
                    dev.tidemark.InvalidChangeException.class,
                    () -> views.update(message(), key, change().set("address.city", "secret"))));
    assertEquals(Map.of("InvalidChangeException", 1), shape.faults());
    assertEquals(Map.of(), shape.outcomes());
  }

  @ParameterizedTest(name = "async: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("once for a batch, with what became of its messages")
  void batch(boolean async) {
    EntityStore<View> views = store(async, calls::add);
    MessageId twice = message();
    List<Write<View>> writes =
        List.of(
            Write.update(twice, key, COUNT),
            Write.update(twice, key, COUNT),
            Write.apply(message(), key(id + 1), View::new, NativeViews::counted),
            Write.apply(message(), key(id + 2), View::new, NativeViews::counted),
            Write.update(message(), key(id + 3), change().set("total", "secret")),
            Write.update(SourceEvent.of("Order", "1", 2), key(id + 4), COUNT),
            Write.update(SourceEvent.of("Order", "1", 3), key(id + 4), COUNT),
            Write.delete(message(), key(id + 5)));
    StoreCall told = told(() -> views.writeAll(writes));
    assertEquals(Method.WRITE_ALL, told.method());
    assertEquals(Map.of("Applied", 4, "Duplicate", 1, "Gap", 1), told.outcomes());
    assertEquals(Map.of("UnfitChangeException", 1), told.faults());
    assertEquals(1, told.heldBack());
    assertEquals(4, told.sizes().size());
    List<Write<View>> many =
        IntStream.range(0, 120)
            .mapToObj(i -> Write.apply(message(), key(id + i), View::new, NativeViews::counted))
            .toList();
    StoreCall bulk = told(() -> views.writeAll(many));
    assertEquals(Map.of("Applied", 119, "Deleted", 1), bulk.outcomes());
    assertEquals(2, bulk.requests().reads());
    assertEquals(120, bulk.sizes().size());
  }

  @ParameterizedTest(name = "async: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("with the attempts that the SDK made again after a throttle or a lost reply")
  void attempts(boolean async) {
    EntityStore<View> views = store(async, calls::add);
    StoreCall throttled =
        told(
            Method.UPDATE,
            "Applied",
            () -> {
              HTTP.throttle(1);
              return views.update(message(), key, COUNT);
            });
    assertEquals(1, throttled.requests().writes());
    assertEquals(2, throttled.requests().attempts());
    StoreCall lost =
        told(
            Method.UPDATE,
            "Applied",
            () -> {
              HTTP.loseReplies(0, 1, () -> {});
              return views.update(message(), key, COUNT);
            });
    assertEquals(1, lost.requests().writes());
    assertEquals(2, lost.requests().attempts());
    StoreCall outlasted =
        told(
            Method.UPDATE,
            "Applied",
            () -> {
              HTTP.throttle(3); // all that the SDK makes; the store goes on
              return views.update(message(), key, COUNT);
            });
    assertEquals(2, outlasted.requests().writes());
    assertEquals(4, outlasted.requests().attempts());
  }

  @ParameterizedTest(name = "async: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("and may fail: the call does not")
  void throwing(boolean async) {
    EntityStore<View> views =
        store(
            async,
            call -> {
              calls.add(call);
              throw new IllegalStateException("on purpose");
            });
    MessageId message = message();
    try (DynamoDbLog log = DynamoDbLog.of(StoreListener.class)) {
      told(Method.UPDATE, "Applied", () -> views.update(message, key, COUNT));
      told(() -> views.writeAll(List.of(Write.update(message, key, COUNT))));
      assertEquals(Map.of("Duplicate", 1), calls.get(0).outcomes());
      told(Method.FIND, "", () -> views.find(key));
      assertEquals(1, log.said().size());
    }
  }

  @ParameterizedTest(name = "async: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("and where there is none, nobody asks for capacity")
  void none(boolean async) {
    EntityStore<View> views =
        async
            ? new JoinedStore<>(DynamoDbAsyncEntityStore.of(asyncClient, table, SCHEMA))
            : DynamoDbEntityStore.of(client, table, SCHEMA);
    assertTrue(views.apply(message(), key, View::new, NativeViews::counted).isApplied());
    assertTrue(views.delete(message(), key).isApplied());
    assertEquals(0, SENT.asking());
    EntityStore<View> observed = store(async, calls::add);
    assertTrue(observed.find(key).isEmpty());
    assertEquals(1, SENT.asking());
  }

  @Test
  @DisplayName("of its own requests alone, where calls interleave")
  void interleaved() {
    DynamoDbAsyncEntityStore<View> views =
        DynamoDbAsyncEntityStore.builder(asyncClient, table, SCHEMA).listener(calls::add).build();
    List<CompletableFuture<Outcome<View>>> started =
        IntStream.range(0, 64).mapToObj(i -> views.update(message(), key(id + i), COUNT)).toList();
    started.forEach(call -> assertTrue(call.join().isApplied()));
    assertEquals(64, calls.size());
    calls.forEach(call -> assertEquals(1, call.requests().attempts()));
    calls.forEach(call -> assertEquals(1, call.sizes().size()));
  }
}
