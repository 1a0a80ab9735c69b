package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Updates;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.Result;
import dev.tidemark.Write;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What cannot be reached was not written to: the driver's own exception says so")
final class UnreachableTest {
  private static final Change COUNTED = change().add("total", 1).createIfMissing();

  private final EntityKey key = EntityKey.key("k-" + UUID.randomUUID());

  private static MongoClient client(String host, int port, boolean retries) {
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(
                new ConnectionString("mongodb://" + host + ":" + port + "/?directConnection=true"))
            .applyToClusterSettings(c -> c.serverSelectionTimeout(300, TimeUnit.MILLISECONDS))
            .retryWrites(retries)
            .build());
  }

  private static MongoEntityStore<Document> store(MongoClient client) {
    return MongoEntityStore.builder(client.getDatabase("db").getCollection("unreachable"))
        .assumePlainCollection()
        .build();
  }

  private static int nobody() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  private Map<String, Runnable> calls(MongoEntityStore<Document> store) {
    Map<String, Runnable> calls = new LinkedHashMap<>();
    Message id = MessageId.of("m-1");
    calls.put("update", () -> store.update(id, key, change().add("total", 1)));
    calls.put("create", () -> store.update(id, key, COUNTED));
    calls.put("native", () -> store.update(id, key, Updates.inc("total", 1)));
    calls.put("skip", () -> store.skip(id, key));
    calls.put("apply", () -> store.apply(id, key, Document::new, view -> view));
    calls.put("delete", () -> store.delete(id, key));
    calls.put("forget", () -> store.forget(id, key));
    calls.put("find", () -> store.find(key));
    return calls;
  }

  @Test
  @DisplayName("where nobody listens, every call throws the driver's exception")
  void nobodyListens() throws Exception {
    try (MongoClient client = client("localhost", nobody(), true)) {
      assertUnreachable(store(client));
    }
  }

  private void assertUnreachable(MongoEntityStore<Document> store) {
    calls(store).forEach((name, call) -> assertThrows(MongoException.class, call::run, name));
    Write<Document> update = Write.update(MessageId.of("m-1"), key, COUNTED);
    Write<Document> apply =
        Write.apply(MessageId.of("m-2"), EntityKey.key("other"), Document::new, view -> view);
    for (Result<Document> result : store.writeAll(List.of(update, apply))) {
      Result.Failed<?> failed = assertInstanceOf(Result.Failed.class, result);
      assertInstanceOf(MongoException.class, failed.fault());
    }
  }

  @Test
  @DisplayName("a port that closes before a call leaves it certain that nothing was written")
  void closedBefore() {
    ServerAddress server = server();
    try (MongoProxy proxy = new MongoProxy(server.getHost(), server.getPort());
        MongoClient client = client("localhost", proxy.port(), false)) {
      MongoEntityStore<Document> store = store(client);
      proxy.close();
      assertUnreachable(store);
    }
  }

  @Test
  @DisplayName("a port that closes within a call leaves open whether it was written")
  void closedWithin() {
    ServerAddress server = server();
    for (boolean retries : List.of(false, true)) {
      EntityKey own = EntityKey.key("k-" + UUID.randomUUID());
      try (MongoProxy proxy = new MongoProxy(server.getHost(), server.getPort());
          MongoClient client = client("localhost", proxy.port(), retries);
          MongoClient direct = client(server.getHost(), server.getPort(), true)) {
        MongoEntityStore<Document> store = store(client);
        assertTrue(store.update(MessageId.of("m-0"), own, COUNTED).isApplied());
        proxy.loseReplies(0, 1, proxy::close);
        assertThrows(
            OutcomeUnknownException.class, () -> store.update(MessageId.of("m-1"), own, COUNTED));
        MongoEntityStore<Document> other = store(direct);
        assertFalse(other.update(MessageId.of("m-1"), own, COUNTED).isApplied());
      }
    }
  }

  private static ServerAddress server() {
    ConnectionString uri = new ConnectionString(MongoServers.uri());
    return new ServerAddress(uri.getHosts().get(0));
  }
}
