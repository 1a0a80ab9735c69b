package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import dev.tidemark.servers.MongoProcess;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Law 14: what replicas and lone servers promise")
final class ReplicaSetTest {
  private static final Change COUNTED = Change.change().add("n", 1).createIfMissing();

  @Test
  @DisplayName("a step-down after the write never takes back an Applied")
  void stepDown() {
    try (MongoProcess set = MongoServers.start(3);
        MongoClient client = MongoClients.create(set.uri())) {
      MongoCollection<Document> collection =
          client.getDatabase("tests").getCollection("c" + UUID.randomUUID());
      MongoEntityStore<Document> store = MongoEntityStore.of(collection);
      EntityKey key = MongoFixture.key();
      for (int version = 1; version <= 6; version++) {
        assertTrue(store.update(SourceEvent.of("O", "1", version), key, COUNTED).isApplied());
        if (version % 3 == 0) {
          client
              .getDatabase("admin")
              .runCommand(new Document("replSetStepDown", 5).append("force", true));
        }
        assertEquals((long) version, store.find(key).orElseThrow().getLong("n"));
        assertInstanceOf(
            Outcome.Duplicate.class, store.update(SourceEvent.of("O", "1", version), key, COUNTED));
      }
    }
  }

  @Test
  @DisplayName(
      "a server without retryable writes is found out and said once; the store works on it")
  void standalone() {
    try (MongoProcess alone = MongoServers.start(0);
        MongoFixture fixture = new MongoFixture(alone.direct(0))) {
      MongoLog log = MongoLog.listen();
      MongoEntityStore<Document> store = MongoEntityStore.of(fixture.documents());
      EntityKey key = MongoFixture.key();
      for (int version = 1; version <= 3; version++) {
        SourceEvent event = SourceEvent.of("O", "1", version);
        assertTrue(store.update(event, key, COUNTED).isApplied());
        assertInstanceOf(Outcome.Duplicate.class, store.update(event, key, COUNTED));
      }
      assertEquals(3L, store.find(key).orElseThrow().getLong("n"));
      log.close();
      assertEquals(1, log.said().size());
      assertTrue(log.said().get(0).contains("no retryable writes"));
    }
  }
}
