package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.projector.AsyncProjector;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import dev.tidemark.tck.View;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@DisplayName("A projector into the asynchronous store")
final class AsyncProjectorTest {
  private record Placed() {}

  private record Counted(int n) {}

  private record Viewed() {}

  private record Unknown() {}

  private static final TableSchema<View> SCHEMA = DynamoDbBackend.schema(false);
  private static DynamoDbAsyncClient client;
  private static DynamoDbAsyncEntityStore<View> views;

  private final String id = UUID.randomUUID().toString();
  private AsyncProjector<View> projector;

  @BeforeAll
  static void open() {
    client = DynamoDbTables.asyncClient(NettyNioAsyncHttpClient.create());
    try (DynamoDbClient sync = DynamoDbTables.client()) {
      views = DynamoDbAsyncEntityStore.of(client, DynamoDbTables.create(sync, SCHEMA), SCHEMA);
    }
  }

  @BeforeEach
  void project() {
    projector =
        Projector.into(views)
            .on(Placed.class, e -> key(id), View::new, (view, e) -> NativeViews.counted(view))
            .updating(Counted.class, e -> key(id), e -> change().add("total", e.n()))
            .ignoring(Viewed.class)
            .build();
  }

  @AfterAll
  static void close() {
    client.close();
  }

  private Delivery delivery(long position, Object event) {
    return Delivery.of(SourceEvent.of("Order", id, position), event).lane("orders-0", position);
  }

  private long total() {
    return Objects.requireNonNull(views.find(key(id)).join().orElseThrow().getTotal());
  }

  @Test
  @DisplayName("handles one delivery at a time, each once; what it ignores takes no request")
  void single() {
    assertTrue(projector.handle(delivery(1, new Placed())).join().isApplied());
    assertTrue(projector.handle(delivery(2, new Counted(5))).join().isApplied());
    assertInstanceOf(Outcome.Duplicate.class, projector.handle(delivery(2, new Counted(5))).join());
    assertInstanceOf(Outcome.Ignored.class, projector.handle(delivery(3, new Viewed())).join());
    assertEquals(6, total());
  }

  @Test
  @DisplayName("handles a batch, in which what has no handler fails alone")
  void batch() {
    List<Delivery> deliveries =
        List.of(
            delivery(1, new Placed()),
            delivery(2, new Counted(2)),
            delivery(3, new Viewed()),
            delivery(4, new Unknown()));
    BatchOutcome<View> outcome = projector.handle(deliveries).join();
    assertEquals(deliveries.subList(0, 3), outcome.toAcknowledge());
    assertEquals(Map.of("orders-0", 4L), outcome.toCommit());
    assertInstanceOf(Result.Failed.class, outcome.results().get(3));
    assertEquals(3, total());
    assertTrue(projector.handle(deliveries.subList(2, 3)).join().isDone());
    assertTrue(projector.handle(List.of()).join().isDone());
  }

  @Test
  @DisplayName("ends a future with the fault of an event that is neither handled nor ignored")
  void unknown() {
    var future = projector.handle(delivery(1, new Unknown()));
    CompletionException thrown = assertThrows(CompletionException.class, future::join);
    assertInstanceOf(IllegalArgumentException.class, thrown.getCause());
  }
}
