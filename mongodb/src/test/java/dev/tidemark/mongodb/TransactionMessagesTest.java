package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.TooLargeException;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.inbox.Handled;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords.Answer;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.transaction.Committed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Messages that a transaction publishes on MongoDB")
final class TransactionMessagesTest {
  private static final OutgoingMessage PAID = OutgoingMessage.to("orders", "paid");

  private final MongoFixture fixture = new MongoFixture();
  private final MovableClock clock = MovableClock.later();
  private final MessageId message = MessageId.of(UUID.randomUUID());
  private final MongoDatabase database = fixture.client.getDatabase("tests");
  private final MongoCollection<Document> collection = fixture.documents();
  private MongoEntityStore<Document> accounts;
  private MongoOutbox outbox;

  @BeforeEach
  void open() {
    accounts = MongoEntityStore.of(fixture.documents());
    outbox = MongoOutbox.builder(collection).clock(clock).build();
    outbox.createIndex();
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  private MongoTransaction paying(MessageId by, String account) {
    return MongoTransaction.on(fixture.client)
        .write(accounts, Write.update(by, key(account), change().add("n", 1).createIfMissing()));
  }

  private List<OutboxRecord> stored() {
    List<OutboxRecord> all = new ArrayList<>();
    for (int shard = 0; shard < outbox.shards(); shard++) {
      all.addAll(outbox.due(shard, clock.millis(), 100));
    }
    return all;
  }

  private Set<String> ids() {
    Set<String> ids = new HashSet<>();
    stored().forEach(record -> ids.add(record.waiting().get(0).id()));
    return ids;
  }

  @Test
  @DisplayName("that are too large are told as that, and nothing is stored")
  void tooLarge() {
    OutgoingMessage large = OutgoingMessage.to("orders", "x".repeat(17_000_000));
    MongoInbox inbox = MongoInbox.of(fixture.client, database, "inbox", "billing");
    assertThrows(
        TooLargeException.class,
        () ->
            inbox.handle(
                message,
                all -> {
                  all.publish(outbox, large);
                  return 1;
                }));
    assertThrows(
        TooLargeException.class, () -> paying(message, "a").publish(outbox, large).commit());
    assertEquals(Set.of(), ids());
    assertTrue(paying(message, "a").publish(outbox, PAID).commit().isCommitted());
  }

  @Test
  @DisplayName("that an outbox does not take are a handler's to do without")
  void notTaken() {
    MongoOutbox routed = MongoOutbox.builder(collection).routedBy("region").build();
    MongoInbox inbox = MongoInbox.of(fixture.client, database, "inbox", "billing");
    inbox.handle(
        message,
        all -> {
          assertThrows(IllegalArgumentException.class, () -> all.publish(routed, PAID));
          all.publish(outbox, PAID);
          return 1;
        });
    assertEquals(1, stored().size());
  }

  @Test
  @DisplayName("wait in documents of their own, which go when they are sent")
  void whole() {
    Committed committed =
        paying(message, "a")
            .publish(outbox, PAID.key("k"))
            .publish(outbox, PAID.id("own"))
            .commit();
    assertTrue(committed.isCommitted());
    assertEquals(2, stored().size());
    for (OutboxRecord record : stored()) {
      OutboxMessage waiting = record.waiting().get(0);
      assertEquals(1, record.waiting().size());
      assertEquals(clock.instant(), waiting.storedAt());
      assertEquals(clock.millis(), record.due());
      assertEquals("paid", waiting.message().text().orElseThrow());
      Set<String> sent = Set.of(waiting.id());
      assertEquals(
          List.of(new Answer.Written(true)),
          outbox.write(List.of(new OutboxChange(record, sent, Set.of(), Set.of(), 0, 0))));
    }
    assertEquals(0, collection.countDocuments());
    assertTrue(paying(message, "a").publish(outbox, PAID).commit().isDone());
    assertEquals(0, collection.countDocuments(), "a duplicate publishes nothing");
  }

  @Test
  @DisplayName("are not stored where a write is refused, or the caller's own fails")
  void refused() {
    MongoTransaction refused =
        MongoTransaction.on(fixture.client)
            .write(accounts, Write.update(message, key("absent"), change().add("n", 1)))
            .publish(outbox, PAID);
    assertEquals(false, refused.commit().isCommitted());
    MongoTransaction failing =
        paying(message, "b")
            .publish(outbox, PAID)
            .add(
                database,
                all -> {
                  throw new IllegalStateException("thrown");
                });
    assertThrows(IllegalStateException.class, failing::commit);
    assertEquals(0, collection.countDocuments());
  }

  @Test
  @DisplayName("have IDs that follow from the first tracked write, each by its place")
  void following() {
    assertTrue(
        paying(message, "a")
            .publish(outbox, PAID)
            .publish(outbox, PAID)
            .add(database, all -> all.publish(outbox, PAID))
            .commit()
            .isCommitted());
    Set<String> first = ids();
    assertEquals(3, first.size());
    assertTrue(paying(message, "b").publish(outbox, PAID).commit().isCommitted());
    assertEquals(4, ids().size());
    assertTrue(paying(MessageId.of("other"), "a").publish(outbox, PAID).commit().isCommitted());
    assertEquals(5, ids().size());
  }

  @Test
  @DisplayName("come from the cluster of the entities, or from that which their outbox names")
  void clusters() {
    MongoEntityStore<Document> eu =
        MongoEntityStore.builder(fixture.documents())
            .tracking(Tracking.defaults().cluster("eu"))
            .build();
    Write<Document> write = Write.update(message, key("a"), change().add("n", 1).createIfMissing());
    assertTrue(
        paying(message, "a")
            .write(eu, write)
            .publish(outbox, PAID)
            .add(database, all -> all.publish(outbox, PAID))
            .commit()
            .isCommitted());
    assertEquals(List.of("eu", "eu"), origins());
    MongoOutbox us =
        MongoOutbox.builder(collection)
            .tracking(Tracking.defaults().cluster("us"))
            .clock(clock)
            .build();
    assertTrue(paying(message, "c").publish(us, PAID).commit().isCommitted());
    assertEquals(List.of("eu", "eu", "us"), origins());
    MongoTransaction mixed =
        MongoTransaction.on(fixture.client)
            .write(eu, Write.update(message, key("d"), change().add("n", 1).createIfMissing()))
            .publish(us, PAID);
    assertThrows(IllegalArgumentException.class, mixed::commit);
    assertEquals(3, origins().size());
  }

  private List<String> origins() {
    return stored().stream().map(one -> one.waiting().get(0).origin()).sorted().toList();
  }

  @Test
  @DisplayName("of one ID are refused, wherever the transaction publishes them")
  void twins() {
    for (MongoTransaction twice :
        List.of(
            paying(message, "a").publish(outbox, PAID.id("a")).publish(outbox, PAID.id("a")),
            paying(message, "a")
                .publish(outbox, PAID.id("a"))
                .add(database, all -> all.publish(outbox, PAID.id("a"))))) {
      String said =
          String.valueOf(assertThrows(IllegalArgumentException.class, twice::commit).getMessage());
      assertTrue(said.contains("have one ID"), said);
      assertEquals(Set.of(), ids());
    }
  }

  @Test
  @DisplayName("need IDs of their own where there is no tracked write")
  void own() {
    MongoTransaction bare = MongoTransaction.on(fixture.client);
    assertThrows(IllegalArgumentException.class, () -> bare.publish(outbox, PAID).commit());
    MongoTransaction late =
        MongoTransaction.on(fixture.client).add(database, all -> all.publish(outbox, PAID));
    assertThrows(IllegalArgumentException.class, late::commit);
    for (int i = 0; i < 2; i++) {
      assertTrue(
          MongoTransaction.on(fixture.client)
              .publish(outbox, PAID.id("a"))
              .add(database, all -> all.publish(outbox, PAID.id("b")))
              .commit()
              .isCommitted());
    }
    assertEquals(Set.of("a", "b"), ids());
    MongoOutbox routed = MongoOutbox.builder(collection).routedBy("tenant").build();
    assertThrows(
        IllegalArgumentException.class,
        () -> MongoTransaction.on(fixture.client).publish(routed, PAID.id("c")).commit());
  }

  @Test
  @DisplayName("of a handler are stored with its record: once, and the same where it runs again")
  void handled() {
    String records = "i" + UUID.randomUUID();
    MongoInbox.createIndex(database, records);
    MongoInbox inbox = MongoInbox.of(fixture.client, database, records, "billing");
    assertTrue(inbox.handle(MessageId.of("first"), all -> "which asks for the kind").isDone());
    AtomicInteger runs = new AtomicInteger();
    List<String> sent =
        fixture.commands.names(
            () ->
                assertEquals(
                    new Handled.Applied<>(2),
                    inbox.handle(
                        message,
                        all -> {
                          all.publish(outbox, PAID);
                          all.publish(outbox, PAID);
                          if (runs.incrementAndGet() == 1) {
                            throw conflict();
                          }
                          return runs.get();
                        })));
    assertEquals(
        List.of("findAndModify", "update", "update", "abortTransaction"), sent.subList(0, 4));
    assertEquals(2, collection.countDocuments());
    Set<String> first = ids();
    assertInstanceOf(
        Handled.Duplicate.class,
        inbox.handle(
            message,
            all -> {
              all.publish(outbox, PAID);
              return 0;
            }));
    assertEquals(first, ids());
    MongoInbox search = MongoInbox.of(fixture.client, database, records, "search");
    assertThrows(IllegalStateException.class, () -> search.handle(message, this::failing));
    assertEquals(first, ids());
    Handled<Integer> other =
        search.handle(
            message,
            all -> {
              all.publish(outbox, PAID);
              return 1;
            });
    assertTrue(other.isDone());
    assertEquals(3, ids().size());
    assertNotEquals(first, ids());
  }

  private Integer failing(SessionDatabase all) {
    all.publish(outbox, PAID);
    throw new IllegalStateException("thrown");
  }

  private static MongoException conflict() {
    MongoException conflict = new MongoException(112, "another was in the way");
    conflict.addLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
    return conflict;
  }
}
