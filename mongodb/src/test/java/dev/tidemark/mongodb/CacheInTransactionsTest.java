package dev.tidemark.mongodb;

import static com.mongodb.client.model.Filters.eq;
import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoCollection;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import dev.tidemark.marks.MarkCache;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A cache of marks on MongoDB forgets what a transaction takes away")
final class CacheInTransactionsTest {
  private static final Source ORDER = Source.of("Order", "1");
  private static final SourceEvent EVENT = SourceEvent.of("Order", "1", 5);

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> rows = fixture.documents();
  private final MongoEntityStore<Document> store = cached().build();

  @BeforeEach
  void server() {
    rows.insertOne(new Document());
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private MongoEntityStore.Builder<Document> cached() {
    return MongoEntityStore.builder(rows).markCache(MarkCache.in(new ConcurrentHashMap<>()));
  }

  private static Write<Document> counted(Message message, EntityKey key) {
    return Write.update(message, key, change().add("n", 1).createIfMissing());
  }

  private static Write<Document> forget(EntityKey key) {
    return Write.forget(MessageId.of("forget"), key);
  }

  private static Write<Document> retire(EntityKey key) {
    return Write.update(MessageId.of("retire"), key, change().retire(ORDER).add("n", 1));
  }

  /** An entity of which the cache knows an event. */
  private EntityKey known() {
    EntityKey key = MongoFixture.key();
    assertTrue(store.write(counted(EVENT, key)).isApplied());
    assertInstanceOf(Outcome.Duplicate.class, store.write(counted(EVENT, key)));
    return key;
  }

  private long stored(EntityKey key) {
    Document found = rows.find(eq("_id", key.parts().get(0))).first();
    return found == null ? 0 : found.get("n", Number.class).longValue();
  }

  private void assertAppliedAnew(EntityKey key) {
    long before = stored(key);
    assertTrue(store.write(counted(EVENT, key)).isApplied());
    assertEquals(before + 1, stored(key));
  }

  /** Takes marks away in each way, by a transaction that is made somehow. */
  private void assertForgotten(BiConsumer<MongoEntityStore<Document>, Write<Document>> made) {
    for (Function<EntityKey, Write<Document>> erasing :
        List.<Function<EntityKey, Write<Document>>>of(
            CacheInTransactionsTest::forget, CacheInTransactionsTest::retire)) {
      EntityKey key = known();
      made.accept(store, erasing.apply(key));
      assertAppliedAnew(key);
    }
  }

  private void inSession(
      MongoEntityStore<Document> from, BiConsumer<ClientSession, EntityStore<Document>> calls) {
    try (ClientSession session = fixture.client.startSession()) {
      session.startTransaction();
      calls.accept(session, from.in(session));
      if (session.hasActiveTransaction()) {
        session.commitTransaction();
      }
    }
  }

  @Test
  @DisplayName("by a MongoTransaction, also where others were told of the entity before its commit")
  void transaction() {
    assertForgotten(
        (from, write) ->
            assertTrue(
                MongoTransaction.on(fixture.client).write(from, write).commit().isCommitted()));
    assertForgotten(
        (from, write) ->
            assertTrue(
                MongoTransaction.on(fixture.client)
                    .write(from, write)
                    .add(fixture.client.getDatabase("tests"), all -> tell(write.key()))
                    .commit()
                    .isCommitted()));
  }

  /** Another call of the store, which is no part of the transaction and reads what was before. */
  private void tell(EntityKey key) {
    Write<Document> function = Write.apply(EVENT, key, row -> row);
    assertInstanceOf(Outcome.Duplicate.class, store.write(function));
  }

  @Test
  @DisplayName("by one in the caller's session, alone and in a batch")
  void session() {
    assertForgotten((from, write) -> inSession(from, (session, in) -> check(in.write(write))));
    assertForgotten(
        (from, write) ->
            inSession(
                from, (session, in) -> assertTrue(in.writeAll(List.of(write)).get(0).isDone())));
  }

  private static void check(Outcome<Document> outcome) {
    assertTrue(outcome.isDone());
  }

  @Test
  @DisplayName("by one that a framework has begun")
  void joined() {
    List<ClientSession> begun = new ArrayList<>();
    MarkCache cache = MarkCache.in(new ConcurrentHashMap<>());
    MongoEntityStore<Document> joining =
        cached()
            .markCache(cache)
            .joining(
                new MongoAmbient() {
                  @Override
                  public Optional<ClientSession> session() {
                    return begun.stream().findFirst();
                  }

                  @Override
                  public void refuse() {
                    throw new AssertionError();
                  }
                })
            .build();
    EntityKey key = MongoFixture.key();
    assertTrue(joining.write(counted(EVENT, key)).isApplied());
    inSession(
        store,
        (session, unused) -> {
          begun.add(session);
          check(joining.write(forget(key)));
          begun.clear();
        });
    assertTrue(joining.write(counted(EVENT, key)).isApplied());
    assertEquals(0, cache.hits());
  }

  @Test
  @DisplayName("and tells the same where it was taken back")
  void rolledBack() {
    EntityKey key = known();
    inSession(
        store,
        (session, in) -> {
          check(in.write(forget(key)));
          session.abortTransaction();
        });
    MessageId more = MessageId.of("more");
    inSession(
        store,
        (session, in) -> {
          check(in.write(counted(more, key)));
          session.abortTransaction();
        });
    assertTrue(store.write(counted(more, key)).isApplied());
    assertInstanceOf(Outcome.Duplicate.class, store.write(counted(EVENT, key)));
    assertThrows(
        IllegalStateException.class,
        () ->
            MongoTransaction.on(fixture.client)
                .write(store, forget(key))
                .add(
                    fixture.client.getDatabase("tests"),
                    all -> {
                      throw new IllegalStateException();
                    })
                .commit());
    assertInstanceOf(Outcome.Duplicate.class, store.write(counted(EVENT, key)));
    assertEquals(2, stored(key));
  }

  @Test
  @DisplayName("by one whose commit was carried out without an answer")
  void unknown() {
    EntityKey key = known();
    MongoTransaction lost =
        MongoTransaction.on(new ForgottenCommits(fixture.client).client())
            .write(store, forget(key))
            .add(
                fixture.client.getDatabase("tests"),
                all -> {
                  tell(key);
                  Thread.currentThread().interrupt(); // so that the commit is not repeated
                });
    assertThrows(OutcomeUnknownException.class, lost::commit);
    assertTrue(Thread.interrupted());
    assertAppliedAnew(key);
  }
}
