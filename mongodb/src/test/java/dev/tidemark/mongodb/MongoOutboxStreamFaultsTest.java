package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.mongodb.MongoOutboxStream.Event;
import dev.tidemark.mongodb.MongoOutboxStream.Tokens;
import dev.tidemark.servers.MongoProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.bson.BsonDocument;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The change stream of an outbox, where something fails,")
final class MongoOutboxStreamFaultsTest {
  private static final int HISTORY_LOST = 286;

  private final List<Event> events = new ArrayList<>();
  private final List<RuntimeException> errors = new ArrayList<>();
  private final List<Long> pauses = new ArrayList<>();
  private final List<Object> keys = new ArrayList<>();
  private final Place place = new Place();
  private int sweeps;
  private long now;

  /** A place in memory. */
  private static final class Place implements Tokens {
    private @Nullable String token;

    @Override
    public Optional<String> read() {
      return Optional.ofNullable(token);
    }

    @Override
    public void write(String token) {
      this.token = token;
    }
  }

  private static MongoCollection<Document> collection(MongoClient client) {
    return client.getDatabase("tests").getCollection("s" + UUID.randomUUID());
  }

  private MongoOutboxStream stream(MongoCollection<Document> collection) {
    MongoOutbox outbox = MongoOutbox.builder(collection).assumePlainCollection().build();
    return MongoOutboxStream.builder(outbox, (shard, key) -> keys.add(key))
        .tokens(place)
        .sweep(() -> sweeps++)
        .listener(this::told)
        .waiting(Duration.ofMillis(50))
        .savingEvery(Duration.ofMillis(1))
        .time(() -> now += 1_000_000, this::pause)
        .build();
  }

  @ParameterizedTest(name = "{0} ms.")
  @ValueSource(longs = {900, 1_000})
  @DisplayName("waits less than the client allows for an operation, where that is")
  void deadline(long millis) {
    try (MongoClient client = MongoClients.create(MongoServers.uri())) {
      MongoCollection<Document> timed =
          collection(client).withTimeout(millis, TimeUnit.MILLISECONDS);
      MongoOutbox outbox = MongoOutbox.builder(timed).assumePlainCollection().build();
      MongoOutboxStream.builder(outbox, (shard, key) -> keys.add(key))
          .listener(this::told)
          .build()
          .poll();
      // a server without change streams, or one that is slow, has its own errors
      assertTrue(errors.stream().noneMatch(IllegalArgumentException.class::isInstance));
      Duration second = Duration.ofSeconds(1);
      assertEquals(Duration.ofMillis(millis / 2), OpenStream.wait(timed, second));
      MongoCollection<Document> patient = timed.withTimeout(0, TimeUnit.MILLISECONDS);
      assertEquals(second, OpenStream.wait(patient, second));
      assertEquals(second, OpenStream.wait(collection(client), second));
    }
  }

  private void told(Event event, @Nullable RuntimeException error) {
    events.add(event);
    if (error != null) {
      errors.add(error);
    }
  }

  private void pause(long nanos) {
    pauses.add(nanos);
    now += nanos;
  }

  private static void publish(MongoCollection<Document> collection, String id) {
    var change = change().add("n", 1).createIfMissing().publish(OutgoingMessage.to("t", "p"));
    MongoEntityStore<Document> store =
        MongoEntityStore.builder(collection).assumePlainCollection().build();
    assertTrue(store.update(MessageId.of(UUID.randomUUID()), key(id), change).isApplied());
  }

  /** Polls until something is told, or nothing was for some time. */
  private static int told(MongoOutboxStream stream) {
    int told = 0;
    for (int i = 0; i < 20 && told == 0; i++) {
      told = stream.poll();
    }
    return told;
  }

  private void startsAnew(MongoOutboxStream stream, MongoCollection<Document> collection) {
    for (int i = 0; i < 3; i++) {
      assertEquals(0, stream.poll());
    }
    assertEquals(List.of(Event.HISTORY_LOST), events, "once");
    assertEquals(1, sweeps);
    assertEquals(List.of(), pauses);
    publish(collection, "b");
    assertEquals(1, told(stream));
    assertEquals(1, keys.size());
  }

  @Test
  @DisplayName("starts anew where the server's history does not reach back to its place")
  void historyLost() {
    try (MongoProcess tiny = MongoServers.start(1, "--oplogSize", "1", "--syncdelay", "1");
        MongoClient client = MongoClients.create(tiny.direct(0))) {
      MongoCollection<Document> collection = collection(client);
      publish(collection, "a");
      try (MongoOutboxStream before = stream(collection)) {
        assertEquals(0, before.poll());
      }
      sweeps = 0;
      String old = place.read().orElseThrow();
      MongoCollection<Document> noise = collection(client);
      for (int i = 0; i < 500 && !isLost(collection, old); i++) {
        noise.insertOne(new Document("_id", i).append("text", "x".repeat(100_000)));
      }
      publish(collection, "missed");
      try (MongoOutboxStream stream = stream(collection)) {
        startsAnew(stream, collection);
        assertEquals(HISTORY_LOST, ((MongoException) errors.get(0)).getCode());
      }
    }
  }

  private static boolean isLost(MongoCollection<Document> of, String token) {
    try (var cursor = of.watch().startAfter(BsonDocument.parse(token)).cursor()) {
      return cursor.available() > 1_000;
    } catch (MongoCommandException e) {
      return e.getErrorCode() == HISTORY_LOST;
    }
  }

  @Test
  @DisplayName("starts anew where the server does not know its place")
  void unknownPlace() {
    try (MongoProcess other = MongoServers.start(1);
        MongoClient client = MongoClients.create(other.direct(0));
        MongoFixture fixture = new MongoFixture()) {
      MongoCollection<Document> elsewhere = collection(client);
      try (MongoOutboxStream stream = stream(elsewhere)) {
        assertEquals(0, stream.poll());
        publish(elsewhere, "a");
        assertEquals(1, told(stream)); // the place of an event: that of a time is any server's
      }
      sweeps = 0;
      keys.clear();
      MongoCollection<Document> collection = fixture.documents();
      try (MongoOutboxStream stream = stream(collection)) {
        for (int i = 0; i < 200 && events.isEmpty(); i++) {
          publish(collection, "a" + i); // the server looks for a place once it is past its time
          assertEquals(0, stream.poll());
        }
        startsAnew(stream, collection);
      }
    }
  }

  @Test
  @DisplayName("starts anew where its place is of a time that the server has yet to come to")
  void futurePlace() {
    try (MongoFixture fixture = new MongoFixture()) {
      MongoCollection<Document> collection = fixture.documents();
      try (MongoOutboxStream stream = stream(collection)) {
        assertEquals(0, stream.poll());
      }
      String whole = place.read().orElseThrow();
      String token = BsonDocument.parse(whole).getString("_data").getValue();
      long seconds = Long.parseLong(token.substring(2, 10), 16) + 86_400;
      place.token = whole.replace(token, "%s%08X%s".formatted("82", seconds, token.substring(10)));
      sweeps = 0;
      try (MongoOutboxStream stream = stream(collection)) {
        publish(collection, "missed");
        assertEquals(0, stream.poll());
        assertEquals(List.of(), events);
        now += Duration.ofMinutes(1).toNanos();
        startsAnew(stream, collection);
      }
    }
  }

  @ParameterizedTest(name = "by the text {0}.")
  @ValueSource(
      strings = {
        "{}",
        "{\"_data\": \"82\"}",
        "{\"_data\": 7}",
        "{\"_data\": \"zz\"}",
        "{\"x\": 1}",
        "text",
        ""
      })
  @DisplayName("starts anew where its place is none")
  void noPlace(String token) {
    place.token = token;
    try (MongoFixture fixture = new MongoFixture()) {
      MongoCollection<Document> collection = fixture.documents();
      try (MongoOutboxStream stream = stream(collection)) {
        startsAnew(stream, collection);
      }
    }
  }

  @Test
  @DisplayName("is asked for each minute on a server without change streams, and waits in between")
  void standalone() {
    try (MongoProcess alone = MongoServers.start(0);
        MongoFixture fixture = new MongoFixture(alone.direct(0))) {
      asksEachMinute(fixture);
    }
  }

  private void asksEachMinute(MongoFixture fixture) {
    place.token = "{\"_data\": \"82\"}";
    try (MongoOutboxStream stream = stream(fixture.documents())) {
      for (int i = 0; i < 10; i++) {
        assertEquals(0, stream.poll());
      }
      assertEquals(List.of(Event.UNAVAILABLE), events);
      assertEquals(9, pauses.size());
      assertEquals(List.of(), fixture.commands.names(stream::poll));
      now += Duration.ofMinutes(1).toNanos();
      assertEquals(0, stream.poll());
      assertEquals(List.of(Event.UNAVAILABLE, Event.UNAVAILABLE), events);
      assertTrue(stream.behind().compareTo(Duration.ofMinutes(1)) > 0);
      assertEquals(0, sweeps, "regular looks go on");
      assertEquals("{\"_data\": \"82\"}", place.token);
    }
  }

  @Test
  @DisplayName("goes on from its place once a server answers again, after pauses that grow")
  void unreachable() {
    failing(
        "closeConnection: true",
        (stream, server) -> {
          for (int i = 0; i < 500 && events.size() < 4; i++) {
            assertEquals(0, stream.poll());
          }
          assertEquals(Collections.nCopies(4, Event.FAILED), events);
          assertEquals(0.7e9, (double) pauses.stream().mapToLong(pause -> pause).sum(), 0.2e9);
        });
    assertEquals(1, keys.size());
    assertEquals(0, sweeps);
  }

  @Test
  @DisplayName("takes its place for the cause where a server refuses it again and again")
  void refusedAgain() {
    failing(
        "errorCode: 6",
        (stream, server) -> {
          for (int i = 0; i < 200 && events.size() < 7; i++) {
            assertEquals(0, stream.poll());
          }
          List<Event> seen = new ArrayList<>(Collections.nCopies(7, Event.FAILED));
          seen.set(4, Event.HISTORY_LOST);
          assertEquals(seen, events);
        });
    assertEquals(1, sweeps);
  }

  /** Lets a server fail all requests of a stream, publishes meanwhile, and lets it go on. */
  private void failing(String how, BiConsumer<MongoOutboxStream, MongoClient> polls) {
    try (MongoProcess process = MongoServers.start(1);
        MongoClient server = MongoClients.create(process.direct(0));
        MongoClient client = MongoClients.create(settings(process))) {
      MongoCollection<Document> collection = collection(client);
      try (MongoOutboxStream stream = stream(collection)) {
        assertEquals(0, stream.poll());
        sweeps = 0;
        failPoint(
            server,
            "'alwaysOn', data: {failCommands: ['aggregate', 'getMore'], "
                + how
                + ", appName: 'stream'}");
        polls.accept(stream, server);
        publish(
            server
                .getDatabase("tests")
                .getCollection(collection.getNamespace().getCollectionName()),
            "a");
        failPoint(server, "'off'");
        for (int i = 0; i < 2_000 && keys.isEmpty() && sweeps == 0; i++) {
          stream.poll();
        }
      }
    }
  }

  /** Settings under which a lost server is found again at once. */
  private static MongoClientSettings settings(MongoProcess process) {
    return MongoClientSettings.builder()
        .applyConnectionString(new ConnectionString(process.direct(0)))
        .applicationName("stream")
        .applyToServerSettings(s -> s.minHeartbeatFrequency(10, TimeUnit.MILLISECONDS))
        .build();
  }

  private static void failPoint(MongoClient server, String mode) {
    var unused =
        server
            .getDatabase("admin")
            .runCommand(Document.parse("{configureFailPoint: 'failCommand', mode: " + mode + "}"));
  }
}
