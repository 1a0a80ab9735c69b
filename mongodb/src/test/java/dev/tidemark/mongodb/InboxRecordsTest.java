package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.MessageId;
import dev.tidemark.inbox.Handled;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.contract.Examples;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Records of an inbox on MongoDB are stored as storage-format.md shows, and read so")
final class InboxRecordsTest {
  private static final MessageId MESSAGE = MessageId.of("3f2c");
  private static final String NONCE = "6f9e4b0e-9d0c-4a1f-8f5c-6b7d2e3c1a00";

  private final MovableClock clock = MovableClock.later();

  private static void holds(MongoCollection<Document> records, String example) {
    String nonce = Objects.requireNonNull(records.find().first()).getString("nonce");
    String json = Examples.json("mongodb", example).replace(NONCE, nonce);
    assertEquals(Optional.empty(), MongoBackend.beside(records, json));
  }

  private static void put(MongoCollection<Document> records, String example) {
    records.deleteMany(new Document());
    records.insertOne(Document.parse(Examples.json("mongodb", example)));
  }

  @ParameterizedTest(name = "claims: {0}.")
  @ValueSource(booleans = {false, true})
  @DisplayName("a lease that is no date is a corrupt record")
  void hostileLease(boolean claims) {
    try (MongoClient client = MongoClients.create(MongoServers.uri())) {
      MongoDatabase database = client.getDatabase("inbox");
      String name = "inbox-" + UUID.randomUUID();
      Document hostile = new Document("_id", MessageId.of("billing", MESSAGE.value()).value());
      hostile.append("nonce", NONCE).append("lease", "soon");
      assertTrue(database.getCollection(name).insertOne(hostile).wasAcknowledged());
      MongoInbox.Builder inbox = MongoInbox.builder(client, database, name, "billing");
      MongoInbox built = (claims ? inbox.claimingFor(Duration.ofMinutes(1)) : inbox).build();
      CorruptRecordException corrupt =
          assertThrows(CorruptRecordException.class, () -> built.handle(MESSAGE, all -> ""));
      assertTrue(String.valueOf(corrupt.getMessage()).contains("'lease'"), corrupt::getMessage);
    }
  }

  @Test
  @DisplayName("examples inbox and inbox-claim")
  void examples() {
    try (MongoClient client = MongoClients.create(MongoServers.uri())) {
      MongoDatabase database = client.getDatabase("inbox");
      String name = "inbox-" + UUID.randomUUID();
      MongoInbox.createIndex(database, name);
      MongoCollection<Document> records = database.getCollection(name);
      MongoInbox inbox =
          MongoInbox.builder(client, database, name, "billing")
              .clock(clock)
              .claimingFor(Duration.ofMinutes(1))
              .build();
      Handled<String> handled =
          inbox.handle(
              MESSAGE,
              all -> {
                holds(records, "inbox-claim");
                return "";
              });
      assertTrue(handled.isDone());
      holds(records, "inbox");
      put(records, "inbox-claim");
      assertInstanceOf(Handled.InFlight.class, inbox.handle(MESSAGE, all -> ""));
      put(records, "inbox");
      assertInstanceOf(Handled.Duplicate.class, inbox.handle(MESSAGE, all -> ""));
    }
  }
}
