package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.Freshness;
import dev.tidemark.NotBefore;
import dev.tidemark.SourceEvent;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A read that waits listens to the entity's change stream")
final class WaitingTest {
  private static final Change COUNTED = Change.change().add("n", 1).createIfMissing();
  private static final SourceEvent EVENT = SourceEvent.of("O", "1", 1);
  private static final NotBefore PATIENT = NotBefore.notBefore(EVENT).within(Duration.ofMinutes(1));
  private static final NotBefore SOON = NotBefore.notBefore(EVENT).within(Duration.ofSeconds(2));
  private static final Duration FAR_SOONER = Duration.ofSeconds(25);

  /** A look, a look after each of the first pauses, and one after the stream was opened. */
  private static final int FIRST_LOOKS = 5;

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> collection = fixture.documents();
  private final MongoEntityStore<Document> store = MongoEntityStore.of(collection);
  private final EntityKey key = MongoFixture.key();

  /** What a wait sent, and what it found. */
  private record Wait(List<String> names, Freshness<Document> seen, boolean interrupted) {
    int count(String command) {
      return Collections.frequency(names, command);
    }

    List<String> whileListening() {
      return names.subList(names.indexOf("getMore"), names.lastIndexOf("getMore"));
    }
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  /** Waits, with something that happens before each command; a minute's wait must end sooner. */
  private Wait waiting(NotBefore notBefore, Consumer<String> before) {
    return assertTimeoutPreemptively(
        FAR_SOONER,
        () -> {
          CompletableFuture<Freshness<Document>> seen = new CompletableFuture<>();
          List<String> names =
              fixture.commands.names(() -> seen.complete(store.find(key, notBefore)), before);
          return new Wait(names, seen.join(), Thread.interrupted());
        });
  }

  /** Something that happens before the n-th command of a name. */
  private static Consumer<String> before(String command, int which, Runnable action) {
    AtomicInteger count = new AtomicInteger();
    return name -> {
      if (name.equals(command) && count.incrementAndGet() == which) {
        action.run();
      }
    };
  }

  private void apply(SourceEvent event, EntityKey entity) {
    assertTrue(store.update(event, entity, COUNTED).isApplied());
  }

  @Test
  @DisplayName("and is told of its event, however far off that was")
  void told() {
    Runnable elsewhere = () -> CompletableFuture.runAsync(() -> apply(EVENT, key)).isDone();
    Wait wait = waiting(PATIENT, before("getMore", 1, elsewhere));
    assertInstanceOf(Freshness.Fresh.class, wait.seen());
    assertEquals(FIRST_LOOKS + 1, wait.count("find"));
    assertEquals(1, wait.count("aggregate"));
    assertEquals("killCursors", wait.names().get(wait.names().size() - 1));
  }

  @Test
  @DisplayName("and is refused in a transaction, which would never see its event")
  void inTransaction() {
    try (ClientSession session = fixture.client.startSession()) {
      session.startTransaction();
      MongoEntityStore<Document> inside = store.in(session);
      List<String> sent =
          fixture.commands.names(
              () -> {
                var thrown =
                    assertThrows(IllegalStateException.class, () -> inside.find(key, SOON));
                assertTrue(
                    String.valueOf(thrown.getMessage())
                        .contains("wait before the transaction begins"));
              });
      assertEquals(List.of(), sent);
      assertInstanceOf(Freshness.NotYet.class, inside.find(key, NotBefore.notBefore(EVENT)));
      assertTrue(inside.update(EVENT, key, COUNTED).isApplied());
      assertInstanceOf(Freshness.Fresh.class, inside.find(key, NotBefore.notBefore(EVENT)));
      session.commitTransaction();
    }
  }

  @Test
  @DisplayName("and opens none where its event is only a few milliseconds off")
  void near() {
    Wait wait = waiting(PATIENT, before("find", 3, () -> apply(EVENT, key)));
    assertInstanceOf(Freshness.Fresh.class, wait.seen());
    assertEquals(List.of("find", "find", "find"), wait.names());
  }

  @Test
  @DisplayName("and does not look while nothing happens, where pauses would look 14 times")
  void silence() {
    Wait wait = waiting(SOON, name -> {});
    assertInstanceOf(Freshness.NotYet.class, wait.seen());
    assertEquals(
        wait.whileListening().size(), Collections.frequency(wait.whileListening(), "getMore"));
    assertEquals(1, wait.count("killCursors"));
    assertTrue(wait.count("find") + wait.count("aggregate") <= 10, () -> wait.names().toString());
  }

  @Test
  @DisplayName("and does not look when other entities change")
  void others() {
    Consumer<String> busy =
        name -> {
          if (name.equals("getMore")) {
            apply(EVENT, MongoFixture.key());
            collection.insertOne(new Document());
          }
        };
    Wait wait = waiting(SOON, busy);
    assertInstanceOf(Freshness.NotYet.class, wait.seen());
    assertEquals(
        wait.whileListening().size(), Collections.frequency(wait.whileListening(), "getMore"));
    assertTrue(wait.count("find") <= 9, () -> wait.names().toString());
  }

  @Test
  @DisplayName("and looks at an entity of many changes no more often than by pauses")
  void busy() {
    AtomicInteger position = new AtomicInteger();
    Consumer<String> changes =
        name -> {
          if (name.equals("getMore")) {
            apply(SourceEvent.of("O", "2", position.incrementAndGet()), key);
          }
        };
    Wait wait = waiting(SOON, changes);
    assertInstanceOf(Freshness.NotYet.class, wait.seen());
    assertTrue(position.get() > 1);
    assertTrue(wait.count("find") <= 25, () -> wait.names().toString());
  }

  @Test
  @DisplayName("and misses nothing that is written before the stream is open")
  void between() {
    Wait wait = waiting(PATIENT, before("aggregate", 1, () -> apply(EVENT, key)));
    assertInstanceOf(Freshness.Fresh.class, wait.seen());
    assertEquals(FIRST_LOOKS, wait.count("find"));
    assertEquals(0, wait.count("getMore"));
  }

  @Test
  @DisplayName("and ends by an interrupt, which stays, with the stream closed")
  void interrupt() {
    Wait listening =
        waiting(PATIENT, before("getMore", 1, () -> Thread.currentThread().interrupt()));
    assertInstanceOf(Freshness.NotYet.class, listening.seen());
    assertTrue(listening.interrupted());
    assertEquals("killCursors", listening.names().get(listening.names().size() - 1));
  }

  @Test
  @DisplayName("and goes on by pauses when the stream breaks")
  void broken() {
    Document kill = new Document("killAllSessions", List.of());
    Runnable broken = () -> fixture.client.getDatabase("admin").runCommand(kill);
    assertByPauses(waiting(PATIENT, thenApplied(before("getMore", 1, broken))));
  }

  @Test
  @DisplayName("and goes on by pauses when the stream ends with its collection")
  void dropped() {
    collection.insertOne(new Document());
    assertByPauses(waiting(PATIENT, thenApplied(before("getMore", 1, collection::drop))));
  }

  /** Applies the event before the second look after the stream. */
  private Consumer<String> thenApplied(Consumer<String> first) {
    return first.andThen(before("find", FIRST_LOOKS + 2, () -> apply(EVENT, key)));
  }

  private static void assertByPauses(Wait wait) {
    assertInstanceOf(Freshness.Fresh.class, wait.seen());
    assertEquals(1, wait.count("getMore"));
    assertEquals(FIRST_LOOKS + 2, wait.count("find"));
  }

  @Test
  @DisplayName("unless too many do already, whose connections the rest needs")
  void few() {
    Transport transport = new Transport(collection, false);
    try (Waits.ChangeStream first = open(transport)) {
      List<Waits.ChangeStream> more =
          Collections.nCopies(7, transport).stream().map(WaitingTest::open).toList();
      assertTrue(first.isOpen() && more.stream().allMatch(Waits.ChangeStream::isOpen));
      assertFalse(open(transport).isOpen());
      more.get(0).close();
      more.get(0).close();
      Waits.ChangeStream instead = open(transport);
      assertTrue(instead.isOpen());
      assertFalse(open(transport).isOpen());
      instead.close();
      more.forEach(Waits.ChangeStream::close);
    }
  }

  private static Waits.ChangeStream open(Transport transport) {
    return Waits.ChangeStream.open(transport, new BsonString("k"), Duration.ofMillis(500));
  }
}
