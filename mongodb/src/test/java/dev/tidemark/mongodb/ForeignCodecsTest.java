package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.tidemark.MessageId;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import dev.tidemark.inbox.Handled;
import dev.tidemark.tck.MovableClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import org.bson.BsonDocument;
import org.bson.BsonString;
import org.bson.BsonType;
import org.bson.Document;
import org.bson.codecs.BsonTypeClassMap;
import org.bson.codecs.DocumentCodecProvider;
import org.bson.codecs.configuration.CodecRegistries;
import org.bson.codecs.configuration.CodecRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Records are written and read by the driver's own codecs, where the client's differ")
final class ForeignCodecsTest {
  private static final MessageId MESSAGE = MessageId.of("m");

  private final MovableClock clock = MovableClock.later();
  private final AtomicInteger acted = new AtomicInteger();
  private MongoClient client = MongoClients.create(MongoServers.uri());

  @AfterEach
  void close() {
    client.close();
  }

  /** Looks at what codecs do that make other classes of what is stored. */
  private void each(BiConsumer<BsonType, Class<?>> check) {
    check.accept(BsonType.STRING, BsonString.class);
    check.accept(BsonType.DATE_TIME, Instant.class);
    check.accept(BsonType.DOCUMENT, BsonDocument.class);
    check.accept(BsonType.DOCUMENT, LinkedHashMap.class);
  }

  private MongoDatabase open(BsonType type, Class<?> read) {
    CodecRegistry codecs =
        CodecRegistries.fromRegistries(
            CodecRegistries.fromProviders(
                new DocumentCodecProvider(new BsonTypeClassMap(Map.of(type, read)))),
            MongoClientSettings.getDefaultCodecRegistry());
    client.close();
    client =
        MongoClients.create(
            MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(MongoServers.uri()))
                .codecRegistry(codecs)
                .build());
    return client.getDatabase("codecs" + UUID.randomUUID().toString().substring(0, 8));
  }

  @Test
  @DisplayName("those of executions")
  void executions() {
    each(this::executions);
  }

  private void executions(BsonType type, Class<?> read) {
    acted.set(0);
    Executions keys =
        Executions.of("orders", MongoRecordStore.of(open(type, read).getCollection("keys"), clock));
    for (int call = 0; call < 3; call++) {
      Execution<String> ended =
          keys.run("k", "request", String.class, steps -> "charge " + acted.incrementAndGet());
      assertEquals(
          call == 0 ? new Execution.Executed<>("charge 1") : new Execution.Replayed<>("charge 1"),
          ended);
    }
  }

  @Test
  @DisplayName("those of an inbox")
  void inbox() {
    each(this::inbox);
  }

  private void inbox(BsonType type, Class<?> read) {
    acted.set(0);
    MongoDatabase database = open(type, read);
    MongoInbox.createIndex(database, "inbox");
    database.createCollection("accounts");
    MongoInbox.Builder builder =
        MongoInbox.builder(client, database, "inbox", "billing").clock(clock);
    MongoInbox inbox = builder.keptFor(Duration.ofDays(1)).build();
    MongoInbox claiming = builder.claimingFor(Duration.ofMinutes(1)).build();
    assertInstanceOf(Handled.Applied.class, inbox.handle(MESSAGE, this::add));
    assertInstanceOf(Handled.Duplicate.class, inbox.handle(MESSAGE, this::add));
    clock.move(Duration.ofDays(3));
    assertInstanceOf(Handled.Applied.class, inbox.handle(MESSAGE, this::add));
    clock.move(Duration.ofDays(3));
    assertInstanceOf(Handled.Applied.class, claiming.handle(MESSAGE, this::add));
    assertInstanceOf(Handled.Duplicate.class, claiming.handle(MESSAGE, this::add));
    MessageId left = MessageId.of("left");
    Document claim =
        new Document("_id", MessageId.of("billing", left.value()).value())
            .append("nonce", "of a process that died")
            .append("expires", Date.from(clock.instant().plus(Duration.ofDays(1))))
            .append("lease", Date.from(clock.instant().plus(Duration.ofMinutes(1))));
    assertEquals(true, database.getCollection("inbox").insertOne(claim).wasAcknowledged());
    assertInstanceOf(Handled.InFlight.class, inbox.handle(left, this::add));
    clock.move(Duration.ofMinutes(2));
    assertInstanceOf(Handled.Applied.class, inbox.handle(left, this::add));
    assertEquals(4, acted.get());
  }

  private String add(SessionDatabase all) {
    acted.incrementAndGet();
    all.collection("accounts")
        .updateOne(Filters.eq("_id", "a"), Updates.inc("n", 1), new UpdateOptions().upsert(true));
    return "added";
  }

  @Test
  @DisplayName("the places of streams")
  void places() {
    each(this::places);
  }

  private void places(BsonType type, Class<?> read) {
    acted.set(0);
    MongoDatabase database = open(type, read);
    MongoOutboxStream.Tokens tokens =
        MongoOutboxStream.Tokens.in(database.getCollection("places"), "relay");
    tokens.write("{}");
    assertEquals(Optional.of("{}"), tokens.read());
    StreamRecord record = new StreamRecord(database.getCollection("places"), "shop.orders", "n");
    BsonDocument place = BsonDocument.parse("{_data: '1'}");
    record.write(place, clock.instant());
    assertEquals(place, record.read());
  }
}
