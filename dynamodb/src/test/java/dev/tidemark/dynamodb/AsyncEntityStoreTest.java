package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static dev.tidemark.NotBefore.notBefore;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.Freshness;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@DisplayName("The asynchronous store does what the synchronous one does")
final class AsyncEntityStoreTest {
  private static final TableSchema<View> SCHEMA = DynamoDbBackend.schema(false);
  private static final Change COUNT = change().add("total", 1).createIfMissing();
  private static AsyncReplies http;
  private static DynamoDbAsyncClient client;
  private static DynamoDbAsyncEntityStore<View> views;

  private final EntityKey key = key(UUID.randomUUID().toString());

  @BeforeAll
  static void open() {
    http = new AsyncReplies(NettyNioAsyncHttpClient.create());
    client = DynamoDbTables.asyncClient(http);
    try (DynamoDbClient sync = DynamoDbTables.client()) {
      views = DynamoDbAsyncEntityStore.of(client, DynamoDbTables.create(sync, SCHEMA), SCHEMA);
    }
  }

  @AfterAll
  static void close() {
    client.close();
    http.close();
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private long total() {
    Long total = views.find(key).join().orElseThrow().getTotal();
    return total == null ? 0 : total;
  }

  @Test
  @DisplayName("update, apply, skip, delete, forget and both finds")
  void all() {
    MessageId first = message();
    assertTrue(views.update(first, key, COUNT).join().isApplied());
    assertInstanceOf(Outcome.Duplicate.class, views.update(first, key, COUNT).join());
    assertTrue(views.apply(message(), key, NativeViews::counted).join().isApplied());
    assertTrue(views.skip(message(), key).join() instanceof Outcome.Recorded);
    DynamoDbNativeUpdate add =
        DynamoDbNativeUpdate.of("ADD #t :n").name("#t", "total").value(":n", 5);
    assertTrue(views.update(message(), key, add).join().isApplied());
    assertEquals(7, total());
    assertInstanceOf(Freshness.Fresh.class, views.find(key, notBefore(first)).join());
    assertInstanceOf(
        Freshness.NotYet.class,
        views.find(key, notBefore(message()).within(Duration.ofMillis(50))).join());
    MessageId last = message();
    assertTrue(views.deleteExisting(last, key).join().isApplied());
    assertInstanceOf(Outcome.Duplicate.class, views.delete(last, key).join());
    assertTrue(views.find(key).join().isEmpty());
    assertTrue(views.forget(message(), key).join().isApplied());
    assertTrue(views.apply(message(), key, View::new, NativeViews::counted).join().isApplied());
  }

  @Test
  @DisplayName("16 functions at once on one entity, which none finds: all applied once")
  void contention() {
    List<CompletableFuture<Outcome<View>>> calls =
        IntStream.range(0, 16)
            .mapToObj(i -> views.apply(message(), key, View::new, NativeViews::counted))
            .toList();
    calls.forEach(call -> assertTrue(call.join().isApplied()));
    assertEquals(16, total());
  }

  @Test
  @DisplayName("a lost reply is Applied, and unknown after another writer")
  void lostReply() {
    http.lose(() -> {});
    assertTrue(views.update(message(), key, COUNT).join().isApplied());
    http.lose(() -> {});
    assertTrue(views.apply(message(), key, NativeViews::counted).join().isApplied());
    assertEquals(2, total());
    http.lose(() -> assertTrue(views.update(message(), key, COUNT).join().isApplied()));
    CompletionException thrown =
        assertThrows(CompletionException.class, () -> views.update(message(), key, COUNT).join());
    assertInstanceOf(OutcomeUnknownException.class, thrown.getCause());
    assertEquals(4, total());
  }

  @Test
  @SuppressWarnings("NullAway")
  @DisplayName("a write that is null ends the future, by name")
  void noWrite() {
    CompletableFuture<Outcome<View>> call = views.write(null);
    Throwable fault = assertThrows(CompletionException.class, call::join).getCause();
    assertInstanceOf(IllegalArgumentException.class, fault);
    assertEquals("write must not be null", fault.getMessage());
  }

  @Test
  @DisplayName("bad input and the function's own exceptions end the future")
  void failures() {
    assertInstanceOf(
        IllegalArgumentException.class,
        assertThrows(
                CompletionException.class,
                () -> views.update(message(), key, change().set("total", "x")).join())
            .getCause());
    DynamoDbNativeUpdate ofTracking = DynamoDbNativeUpdate.of("REMOVE messageIDs");
    assertInstanceOf(
        IllegalArgumentException.class,
        assertThrows(
                CompletionException.class, () -> views.update(message(), key, ofTracking).join())
            .getCause());
    assertTrue(views.update(message(), key, COUNT).join().isApplied());
    IllegalStateException own = new IllegalStateException("own");
    CompletionException thrown =
        assertThrows(
            CompletionException.class,
            () ->
                views
                    .apply(
                        message(),
                        key,
                        view -> {
                          throw own;
                        })
                    .join());
    assertEquals(own, thrown.getCause());
  }
}
