package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.IdPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Tracking;
import dev.tidemark.servers.MongoProcess;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A collection that asks for less than a majority, on a set that is behind")
final class WeakerConcernTest {
  private static final int NODES = 3;

  /** So many reads of old marks come before the set catches up. */
  private static final int OLD_READS = 3;

  private static final Change COUNTED = Change.change().add("n", 1L).createIfMissing();

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  @Test
  @DisplayName("a delete keeps what is written and not yet read: a redelivery is Duplicate")
  void delete() {
    try (MongoProcess set = MongoServers.start(NODES);
        MongoFixture fixture = new MongoFixture(set.uri())) {
      MongoCollection<Document> documents = fixture.documents();
      MongoEntityStore<Document> store = weak(documents);
      int room = room(fixture, store);
      EntityKey key = MongoFixture.key();
      for (int i = 1; i < room; i++) {
        assertTrue(store.update(id(), key, COUNTED).isApplied());
      }
      documents.withWriteConcern(WriteConcern.MAJORITY).insertOne(new Document());
      replicate(set, false);
      MessageId last = id();
      assertTrue(store.update(last, key, COUNTED).isApplied());
      AtomicInteger reads = new AtomicInteger();
      var unused =
          fixture.commands.names(
              () -> assertTrue(store.delete(id(), key).isApplied()),
              command -> {
                if (command.equals("find") && reads.incrementAndGet() == OLD_READS) {
                  replicate(set, true);
                }
              });
      replicate(set, true);
      assertInstanceOf(Outcome.Duplicate.class, store.update(last, key, COUNTED));
      documents.withWriteConcern(WriteConcern.MAJORITY).insertOne(new Document()); // behind all
      assertEquals(Optional.empty(), store.find(key));
    }
  }

  private static MongoEntityStore<Document> weak(MongoCollection<Document> documents) {
    return MongoEntityStore.builder(documents.withWriteConcern(WriteConcern.W1))
        .tracking(Tracking.defaults().messageIds(IdPolicy.last(20)))
        .allowWeakerConcern()
        .build();
  }

  /** How many ids an entity takes before a writer has to read and rewrite them. */
  private static int room(MongoFixture fixture, MongoEntityStore<Document> store) {
    EntityKey key = MongoFixture.key();
    assertTrue(store.update(id(), key, COUNTED).isApplied());
    int taken = 1;
    while (fixture
            .commands
            .names(() -> assertTrue(store.update(id(), key, COUNTED).isApplied()))
            .size()
        == 1) {
      taken++;
    }
    return taken;
  }

  /** Lets the secondaries copy what the primary writes, or not. */
  private static void replicate(MongoProcess set, boolean goesOn) {
    for (int node = 0; node < NODES; node++) {
      try (MongoClient client = MongoClients.create(set.direct(node))) {
        MongoDatabase admin = client.getDatabase("admin");
        Document hello = admin.runCommand(new Document("hello", 1));
        if (!hello.getBoolean("isWritablePrimary", false)) {
          Document stop =
              new Document("configureFailPoint", "stopReplProducer")
                  .append("mode", goesOn ? "off" : "alwaysOn");
          assertEquals(1.0, admin.runCommand(stop).get("ok"));
        }
      }
    }
  }
}
