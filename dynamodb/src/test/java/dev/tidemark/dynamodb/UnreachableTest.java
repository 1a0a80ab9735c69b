package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.tck.View;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;
import software.amazon.awssdk.core.exception.SdkClientException;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.nio.netty.NettyNioAsyncHttpClient;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@DisplayName("What cannot be reached was not written to: the client's own exception says so")
final class UnreachableTest {
  private static final TableSchema<View> VIEWS = DynamoDbBackend.schema(false);
  private static final Change COUNTED = change().add("total", 1).createIfMissing();

  private final EntityKey key = EntityKey.key("k-" + UUID.randomUUID());

  /** An HTTP client whose attempts end as a script says, and are carried out where it says so. */
  private static final class Scripted implements SdkHttpClient {
    private final DynamoDbFaults client = DynamoDbTables.faults();
    private final Queue<String> script = new ArrayDeque<>();
    private int attempts;

    @Override
    public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
      ExecutableHttpRequest real = client.prepareRequest(request);
      return new ExecutableHttpRequest() {
        @Override
        public HttpExecuteResponse call() throws IOException {
          attempts++;
          String end = script.isEmpty() ? "answered" : script.remove();
          return switch (end) {
            case "refused" -> throw new ConnectException("Connection refused");
            case "reset" -> throw new SocketException("Connection reset");
            case "garbled" -> garbled(real.call());
            case "throttled" -> DynamoDbFaults.answer("ProvisionedThroughputExceededException");
            default -> real.call();
          };
        }

        @Override
        public void abort() {
          real.abort();
        }
      };
    }

    /** What a proxy might say in place of the reply. */
    private static HttpExecuteResponse garbled(HttpExecuteResponse reply) {
      byte[] page = "<html>welcome</html>".getBytes(StandardCharsets.UTF_8);
      return HttpExecuteResponse.builder()
          .response(SdkHttpResponse.builder().statusCode(reply.httpResponse().statusCode()).build())
          .responseBody(AbortableInputStream.create(new ByteArrayInputStream(page)))
          .build();
    }

    @Override
    public void close() {
      client.close();
    }
  }

  private static URI nobody() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return URI.create("http://localhost:" + free.getLocalPort());
    }
  }

  private Map<String, Runnable> calls(EntityStore<View> store) {
    Map<String, Runnable> calls = new LinkedHashMap<>();
    Message id = MessageId.of("m-1");
    calls.put("update", () -> store.update(id, key, change().add("total", 1)));
    calls.put("create", () -> store.update(id, key, COUNTED));
    calls.put("skip", () -> store.skip(id, key));
    calls.put("apply", () -> store.apply(id, key, View::new, NativeViews::counted));
    calls.put("delete", () -> store.delete(id, key));
    calls.put("forget", () -> store.forget(id, key));
    calls.put("find", () -> store.find(key));
    return calls;
  }

  /** The default is to try for half a minute, in all of these calls together. */
  private static void twice(ClientOverrideConfiguration.Builder configuration) {
    configuration.retryStrategy(retry -> retry.maxAttempts(2));
  }

  private void assertUnreachable(EntityStore<View> store) {
    calls(store).forEach((name, call) -> assertThrows(SdkClientException.class, call::run, name));
    Write<View> update = Write.update(MessageId.of("m-1"), key, COUNTED);
    Write<View> apply =
        Write.apply(MessageId.of("m-2"), EntityKey.key("other"), View::new, NativeViews::counted);
    for (Result<View> result : store.writeAll(List.of(update, apply))) {
      Result.Failed<?> failed = assertInstanceOf(Result.Failed.class, result);
      assertInstanceOf(SdkClientException.class, failed.fault());
    }
  }

  @Test
  @DisplayName("where nobody listens, every call of either store throws the client's exception")
  void nobodyListens() throws Exception {
    URI nobody = nobody();
    try (DynamoDbClient client =
            DynamoDbClient.builder()
                .endpointOverride(nobody)
                .region(Region.US_EAST_1)
                .credentialsProvider(DynamoDbEndpoint.CREDENTIALS)
                .httpClient(UrlConnectionHttpClient.create())
                .overrideConfiguration(UnreachableTest::twice)
                .build();
        DynamoDbAsyncClient async =
            DynamoDbAsyncClient.builder()
                .endpointOverride(nobody)
                .region(Region.US_EAST_1)
                .credentialsProvider(DynamoDbEndpoint.CREDENTIALS)
                .httpClient(NettyNioAsyncHttpClient.create())
                .overrideConfiguration(UnreachableTest::twice)
                .build()) {
      assertUnreachable(DynamoDbEntityStore.of(client, "t", VIEWS));
      assertUnreachable(new JoinedStore<>(DynamoDbAsyncEntityStore.of(async, "t", VIEWS)));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  @DisplayName("a refused connection is tried as often as the client tries, and no more")
  void attempts(int attempts) {
    try (Scripted http = new Scripted();
        DynamoDbClient client =
            DynamoDbTables.client(http, new DynamoDbTables.Capacity(), attempts)) {
      EntityStore<View> store = DynamoDbEntityStore.of(client, "t", VIEWS);
      calls(store)
          .forEach(
              (name, call) -> {
                http.script.addAll(List.of("refused", "refused", "refused"));
                http.attempts = 0;
                assertThrows(SdkClientException.class, call::run, name);
                assertEquals(attempts, http.attempts, name);
                http.script.clear();
              });
    }
  }

  /** The attempts of one update, and whether its end is certain. */
  static Stream<List<String>> unknown() {
    return Stream.of(
        List.of("reset", "refused", "refused"),
        List.of("refused", "reset", "refused"),
        List.of("throttled", "reset", "refused"));
  }

  @ParameterizedTest
  @MethodSource("unknown")
  @DisplayName("an attempt that may have been carried out stays uncertain when the port closes")
  void uncertain(List<String> script) {
    try (Scripted http = new Scripted();
        DynamoDbClient client = DynamoDbTables.client(http, new DynamoDbTables.Capacity(), 3)) {
      EntityStore<View> store = store(http, client);
      http.script.addAll(script);
      assertThrows(
          OutcomeUnknownException.class, () -> store.update(MessageId.of("m-1"), key, COUNTED));
      assertTrue(http.script.isEmpty(), "all attempts were made");
      assertTrue(store.update(MessageId.of("m-1"), key, COUNTED).isApplied());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @DisplayName("so it stays where the store itself sends again, or reads, and meets a closed port")
  void uncertainAcrossRequests(boolean conflicting) {
    try (Scripted http = new Scripted();
        DynamoDbClient client = DynamoDbTables.client(http, new DynamoDbTables.Capacity(), 1)) {
      EntityStore<View> store = store(http, client);
      http.script.addAll(conflicting ? List.of("reset", "throttled") : List.of("reset"));
      http.script.addAll(List.of("refused", "refused", "refused"));
      assertThrows(
          OutcomeUnknownException.class, () -> store.update(MessageId.of("m-1"), key, COUNTED));
    }
  }

  @Test
  @DisplayName("throttling before the port closes leaves it certain that nothing was written")
  void throttledBefore() {
    try (Scripted http = new Scripted();
        DynamoDbClient client = DynamoDbTables.client(http, new DynamoDbTables.Capacity(), 3)) {
      EntityStore<View> store = store(http, client);
      http.script.addAll(List.of("throttled", "refused", "refused"));
      SdkClientException refused =
          assertThrows(
              SdkClientException.class, () -> store.update(MessageId.of("m-1"), key, COUNTED));
      assertFalse(String.valueOf(refused.getMessage()).isEmpty());
    }
  }

  @Test
  @DisplayName("a reply that cannot be read leaves open whether the write was made")
  void garbled() {
    try (Scripted http = new Scripted();
        DynamoDbClient client = DynamoDbTables.client(http, new DynamoDbTables.Capacity(), 1)) {
      EntityStore<View> store = store(http, client);
      http.script.add("garbled");
      assertTrue(store.update(MessageId.of("m-1"), key, COUNTED).isApplied(), "known by its token");
      http.script.addAll(List.of("garbled", "garbled", "garbled", "garbled"));
      assertThrows(
          OutcomeUnknownException.class, () -> store.update(MessageId.of("m-2"), key, COUNTED));
      http.script.clear();
      assertInstanceOf(Outcome.Duplicate.class, store.update(MessageId.of("m-2"), key, COUNTED));
      assertEquals(2, store.find(key).orElseThrow().getTotal());
    }
  }

  private static EntityStore<View> store(Scripted http, DynamoDbClient client) {
    String table = DynamoDbTables.create(client, VIEWS);
    http.attempts = 0;
    return DynamoDbEntityStore.of(client, table, VIEWS);
  }
}
