package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoCollection;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.Freshness;
import dev.tidemark.NotBefore;
import dev.tidemark.SourceEvent;
import dev.tidemark.servers.MongoProcess;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A read that waits goes by pauses where the server gives no change streams")
final class WaitingByPausesTest {
  private static final Change COUNTED = Change.change().add("n", 1).createIfMissing();
  private static final SourceEvent EVENT = SourceEvent.of("O", "1", 1);
  private static final Duration FAR_SOONER = Duration.ofSeconds(25);

  /** The commands of a wait whose event is applied before the sixth look. */
  private static List<String> waiting(
      MongoFixture fixture, MongoEntityStore<Document> store, EntityKey key) {
    AtomicInteger looks = new AtomicInteger();
    NotBefore patient = NotBefore.notBefore(EVENT).within(Duration.ofMinutes(1));
    return assertTimeoutPreemptively(
        FAR_SOONER,
        () ->
            fixture.commands.names(
                () -> assertInstanceOf(Freshness.Fresh.class, store.find(key, patient)),
                name -> {
                  if (name.equals("find") && looks.incrementAndGet() == 6) {
                    assertTrue(store.update(EVENT, key, COUNTED).isApplied());
                  }
                }));
  }

  @Test
  @DisplayName("as a lone server, which is asked once for them; that is said once")
  void standalone() {
    try (MongoProcess alone = MongoServers.start(0);
        MongoFixture fixture = new MongoFixture(alone.direct(0))) {
      assertAskedOnce(fixture);
    }
  }

  private static void assertAskedOnce(MongoFixture fixture) {
    MongoEntityStore<Document> store = MongoEntityStore.of(fixture.documents());
    MongoLog log = MongoLog.listen();
    List<String> first = waiting(fixture, store, MongoFixture.key());
    List<String> second = waiting(fixture, store, MongoFixture.key());
    log.close();
    assertEquals(1, Collections.frequency(first, "aggregate"));
    assertEquals(0, Collections.frequency(second, "aggregate"));
    assertFalse(first.contains("getMore"));
    assertEquals(1, log.said().stream().filter(s -> s.contains("change streams")).count());
  }

  @Test
  @DisplayName("or the collection has a timeout of its own, under which the driver sends no other")
  void timeout() {
    try (MongoFixture fixture = new MongoFixture()) {
      MongoCollection<Document> timed = fixture.documents().withTimeout(30, TimeUnit.SECONDS);
      MongoEntityStore<Document> store = MongoEntityStore.of(timed);
      store.update(EVENT, MongoFixture.key(), COUNTED); // so that the collection is there
      List<String> names = waiting(fixture, store, MongoFixture.key());
      assertEquals(Collections.nCopies(6, "find"), names);
    }
  }

  @Test
  @DisplayName("as one that refuses them, but not as one that has failed for now")
  void refused() {
    try (MongoFixture fixture = new MongoFixture()) {
      Transport transport = new Transport(fixture.documents(), false);
      transport.failedStream(error(262)); // ExceededTimeLimit
      transport.failedStream(new MongoSocketReadException("gone", new ServerAddress()));
      assertTrue(transport.startsStream());
      transport.failedStream(error(13)); // Unauthorized
      assertFalse(transport.startsStream());
    }
  }

  private static MongoCommandException error(int code) {
    BsonDocument reply = new BsonDocument("ok", new BsonInt32(0));
    return new MongoCommandException(
        reply.append("code", new BsonInt32(code)), new ServerAddress());
  }

  @Test
  @DisplayName("and ends by an interrupt, which stays, before a look and during one")
  void interrupt() {
    try (MongoFixture fixture = new MongoFixture()) {
      MongoEntityStore<Document> store = MongoEntityStore.of(fixture.documents());
      NotBefore patient = NotBefore.notBefore(EVENT).within(Duration.ofMinutes(1));
      AtomicInteger looks = new AtomicInteger();
      List<String> names =
          fixture.commands.names(
              () ->
                  assertInstanceOf(Freshness.NotYet.class, store.find(MongoFixture.key(), patient)),
              name -> {
                if (looks.incrementAndGet() == 2) {
                  Thread.currentThread().interrupt();
                }
              });
      assertTrue(Thread.interrupted());
      assertEquals(List.of("find", "find"), names);
    }
  }
}
