package dev.tidemark.dynamodb;

import static dev.tidemark.EntityKey.key;
import static dev.tidemark.NotBefore.notBefore;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.Freshness;
import dev.tidemark.NotBefore;
import dev.tidemark.SourceEvent;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.GetItemRequest;

@DisplayName("A read that waits looks after pauses that grow")
final class WaitingTest {
  private static final TableSchema<View> SCHEMA = DynamoDbBackend.schema(false);
  private static final Change COUNTED = Change.change().add("total", 1).createIfMissing();
  private static final SourceEvent EVENT = SourceEvent.of("O", "1", 1);
  private static final NotBefore PATIENT = notBefore(EVENT).within(Duration.ofMinutes(1));
  private static final Duration FAR_SOONER = Duration.ofSeconds(25);

  /** The reads that were made, and something that happens after one of them. */
  private static final class Reads implements ExecutionInterceptor {
    private final List<Boolean> consistent = new CopyOnWriteArrayList<>();
    private int last = Integer.MAX_VALUE;
    private Runnable then = () -> {};

    @Override
    public void afterExecution(Context.AfterExecution context, ExecutionAttributes attributes) {
      if (context.request() instanceof GetItemRequest get) {
        consistent.add(Boolean.TRUE.equals(get.consistentRead()));
        if (consistent.size() == last) {
          then.run();
        }
      }
    }
  }

  private final Reads reads = new Reads();
  private final DynamoDbClient client =
      DynamoDbClient.builder()
          .endpointOverride(DynamoDbEndpoint.get().uri())
          .region(Region.US_EAST_1)
          .credentialsProvider(DynamoDbEndpoint.CREDENTIALS)
          .httpClient(UrlConnectionHttpClient.create())
          .overrideConfiguration(c -> c.addExecutionInterceptor(reads))
          .build();
  private final DynamoDbEntityStore<View> store =
      DynamoDbEntityStore.of(client, DynamoDbTables.create(client, SCHEMA), SCHEMA);
  private final EntityKey key = key(UUID.randomUUID().toString());

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  @DisplayName("a few times in two seconds, and consistently before it says NotYet")
  void few() {
    NotBefore soon = notBefore(EVENT).within(Duration.ofSeconds(2));
    assertInstanceOf(Freshness.NotYet.class, store.find(key, soon));
    assertTrue(reads.consistent.size() <= 15, () -> reads.consistent.toString());
    assertFalse(reads.consistent.get(0));
    assertFalse(reads.consistent.subList(1, reads.consistent.size()).contains(false));
  }

  @Test
  @DisplayName("and ends with the look that sees the event")
  void seen() {
    reads.last = 6;
    reads.then = () -> assertTrue(store.update(EVENT, key, COUNTED).isApplied());
    assertTimeoutPreemptively(
        FAR_SOONER, () -> assertInstanceOf(Freshness.Fresh.class, store.find(key, PATIENT)));
    assertEquals(7, reads.consistent.size());
  }

  @Test
  @DisplayName("and ends by an interrupt, which stays")
  void interrupt() {
    reads.last = 3;
    reads.then = () -> Thread.currentThread().interrupt();
    assertTimeoutPreemptively(
        FAR_SOONER,
        () -> {
          assertInstanceOf(Freshness.NotYet.class, store.find(key, PATIENT));
          assertTrue(Thread.interrupted());
        });
    assertEquals(3, reads.consistent.size());
  }
}
