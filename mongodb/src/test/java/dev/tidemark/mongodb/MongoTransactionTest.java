package dev.tidemark.mongodb;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;
import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import com.mongodb.event.CommandSucceededEvent;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityUpdate;
import dev.tidemark.EventPolicy;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.transaction.Committed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@DisplayName("A transaction of tracked writes on MongoDB")
final class MongoTransactionTest {
  private final String name = UUID.randomUUID().toString();
  private final EntityKey from = key("from-" + name);
  private final EntityKey to = key("to-" + name);
  private final MessageId message = MessageId.of(UUID.randomUUID());
  private final List<String> commands = Collections.synchronizedList(new ArrayList<>());
  private Proxied server;
  private Runnable onAbort = () -> {};
  private MongoClient client;
  private MongoDatabase database;
  private MongoEntityStore<Document> views;

  @BeforeEach
  void open() {
    server = Proxied.open();
    client =
        MongoClients.create(
            MongoBackend.settings(server.proxy().port())
                .addCommandListener(
                    new CommandListener() {
                      @Override
                      public void commandStarted(CommandStartedEvent event) {
                        commands.add(event.getCommandName());
                      }

                      @Override
                      public void commandSucceeded(CommandSucceededEvent event) {
                        if (event.getCommandName().equals("abortTransaction")) {
                          onAbort.run();
                        }
                      }
                    })
                .build());
    database = client.getDatabase("transactions");
    database.getCollection("views").insertOne(new Document("_id", "warm" + name));
    views = MongoEntityStore.of(database.getCollection("views"));
    assertTrue(views.update(message, key("warmer" + name), add(1)).isDone());
    assertTrue(transfer(MessageId.of(UUID.randomUUID()), "warmest").commit().isCommitted());
    commands.clear();
  }

  @AfterEach
  void close() {
    if (client != null) {
      client.close();
      server.close();
    }
  }

  private static Change add(int amount) {
    return change().add("total", amount).createIfMissing();
  }

  private MongoTransaction transfer(Message message) {
    return MongoTransaction.on(client)
        .write(views, Write.update(message, from, add(-5)))
        .write(views, Write.update(message, to, add(5)));
  }

  private MongoTransaction transfer(Message message, String other) {
    return MongoTransaction.on(client)
        .write(views, Write.update(message, key(other + "from" + name), add(-5)))
        .write(views, Write.update(message, key(other + "to" + name), add(5)));
  }

  private long total(EntityKey key) {
    return views.find(key).map(view -> view.get("total", Number.class).longValue()).orElse(0L);
  }

  private static String words(Committed committed) {
    List<String> words = new ArrayList<>();
    committed
        .outcomes()
        .forEach(one -> words.add(one.map(o -> o.getClass().getSimpleName()).orElse("-")));
    return String.join(" ", words) + (committed.isCommitted() ? " committed" : "");
  }

  @Test
  @DisplayName("makes all writes, and none for the same message again")
  void once() {
    Committed first = transfer(message).commit();
    assertEquals("Applied Applied committed", words(first));
    assertEquals(List.of("find", "insert", "find", "insert", "commitTransaction"), commands);
    Committed again = transfer(message).commit();
    assertEquals("Duplicate Duplicate", words(again));
    assertTrue(again.isDone());
    assertEquals(-5, total(from));
    assertEquals(5, total(to));
  }

  @Test
  @DisplayName("makes none where one is refused, and says what each came to")
  void refused() {
    assertTrue(transfer(message).commit().isDone());
    MessageId next = MessageId.of(UUID.randomUUID());
    Committed committed =
        MongoTransaction.on(client)
            .write(views, Write.update(next, from, add(-5)))
            .write(
                views,
                Write.update(next, to, change().add("total", 5).onlyIf(attribute("total").is(99))))
            .add(database, all -> all.collection("notes").insertOne(new Document("_id", name)))
            .commit();
    assertFalse(committed.isCommitted());
    assertFalse(committed.isDone());
    assertInstanceOf(Outcome.Refused.class, committed.outcomes().get(1).orElseThrow());
    assertEquals(-5, total(from));
    assertEquals(0, database.getCollection("notes").countDocuments(eq("_id", name)));
  }

  @Test
  @DisplayName("names an entity that has other values in its routing fields, as a write alone does")
  void routedElsewhere() {
    assertTrue(views.update(message, to.routedBy("region", "eu"), add(1)).isApplied());
    EntityKey elsewhere = to.routedBy("region", "us");
    for (EntityUpdate create :
        List.of(add(1), MongoNativeUpdate.of(inc("total", 1)).createIfMissing())) {
      Write<Document> write = Write.update(MessageId.of("other" + name), elsewhere, create);
      MongoTransaction transaction = MongoTransaction.on(client).write(views, write);
      String alone = thrown(() -> views.write(write));
      assertEquals(alone, thrown(transaction::commit));
    }
    assertEquals(1, total(to));
  }

  private static String thrown(Executable call) {
    return String.valueOf(assertThrows(InvalidChangeException.class, call).getMessage());
  }

  @Test
  @DisplayName("makes the caller's own writes with them, or takes all back where those throw")
  void own() {
    assertThrows(
        IllegalStateException.class,
        () ->
            transfer(message)
                .add(
                    database,
                    all -> {
                      all.collection("notes").insertOne(new Document("_id", name));
                      throw new IllegalStateException("no");
                    })
                .commit());
    assertEquals(0, total(to));
    Committed committed =
        transfer(message)
            .add(database, all -> all.collection("notes").insertOne(new Document("_id", name)))
            .commit();
    assertEquals("Applied Applied committed", words(committed));
    assertEquals(1, database.getCollection("notes").countDocuments(eq("_id", name)));
  }

  @Test
  @DisplayName("knows its own commit when replies are lost, and adds once")
  void lostReplies() {
    for (int after = 0; after < 3; after++) {
      server.proxy().loseReplies(after, 1, () -> {});
      Committed committed = transfer(MessageId.of(UUID.randomUUID())).commit();
      server.proxy().heal();
      assertTrue(committed.isCommitted(), "lost after " + after);
      assertEquals((after + 1) * 5L, total(to));
      assertEquals((after + 1) * -5L, total(from));
    }
  }

  /** A withdrawal that is refused for good where the account is short. */
  private MongoTransaction withdrawal(Message message) {
    Change paid = add(-5).onlyIf(attribute("total").atLeast(5)).otherwiseSkip();
    return MongoTransaction.on(client)
        .write(views, Write.update(message, from, paid))
        .write(views, Write.update(message, to, add(5)))
        .add(database, all -> all.collection("notes").insertOne(new Document("_id", name)));
  }

  @Test
  @DisplayName("records a refusal on each entity and makes nothing else, whatever replies are lost")
  void recordedRefusal() {
    assertTrue(transfer(message).commit().isCommitted());
    for (int after = 0; after < 10; after++) {
      MessageId next = MessageId.of(UUID.randomUUID());
      server.proxy().loseReplies(after, 1, () -> {});
      Committed committed = withdrawal(next).commit();
      server.proxy().heal();
      assertEquals("Refused Recorded", words(committed), "lost after " + after);
      assertTrue(committed.isRecorded() && committed.isDone());
      assertEquals("Duplicate Duplicate", words(withdrawal(next).commit()));
    }
    assertEquals(5, total(to));
    assertEquals(0, database.getCollection("notes").countDocuments(eq("_id", name)));
  }

  @Test
  @DisplayName("leaves a tombstone as it is that could record an event which is late for another")
  void lateBesideDeleted() {
    MongoEntityStore<Document> dense =
        MongoEntityStore.builder(database.getCollection("views"))
            .tracking(Tracking.defaults().events(EventPolicy.contiguous()))
            .build();
    SourceEvent late = SourceEvent.of("Order", name, 1);
    assertTrue(views.update(SourceEvent.of("Order", name, 2), from, add(1)).isDone());
    assertTrue(dense.delete(message, to).isDone());
    Document before = database.getCollection("views").find(eq("_id", "to-" + name)).first();
    MongoTransaction drops =
        MongoTransaction.on(client)
            .write(views, Write.update(late, from, add(1)))
            .write(dense, Write.update(late, to, add(1)))
            .write(views, Write.update(late, key("other-" + name), add(1)));
    assertEquals("Stale Deleted Missing", words(drops.commit()));
    assertEquals(before, database.getCollection("views").find(eq("_id", "to-" + name)).first());
  }

  @Test
  @DisplayName("records a late event on an entity that is there again before the others record it")
  void lateBesideRecreated() {
    MongoEntityStore<Document> dense =
        MongoEntityStore.builder(database.getCollection("views"))
            .tracking(Tracking.defaults().events(EventPolicy.contiguous()))
            .build();
    SourceEvent late = SourceEvent.of("Order", name, 1);
    assertTrue(views.update(SourceEvent.of("Order", name, 2), from, add(1)).isDone());
    assertTrue(dense.delete(message, to).isDone());
    EntityKey other = key("other-" + name);
    assertTrue(views.update(message, other, add(1)).isDone());
    onAbort =
        () -> {
          onAbort = () -> {};
          assertTrue(dense.update(MessageId.of(name), to, add(1).recreate()).isApplied());
        };
    Committed committed =
        MongoTransaction.on(client)
            .write(views, Write.update(late, from, add(1)))
            .write(dense, Write.update(late, to, add(1)))
            .write(views, Write.update(late, other, add(1)))
            .commit();
    assertEquals("Stale Recorded Recorded", words(committed));
    assertTrue(committed.isRecorded());
    assertTrue(dense.update(SourceEvent.of("Order", name, 2), to, add(1)).isApplied());
  }

  @Test
  @DisplayName(
      "makes all writes after all where a condition is true before its refusal is recorded")
  void trueAgain() {
    assertTrue(transfer(message).commit().isCommitted());
    onAbort =
        () -> {
          onAbort = () -> {};
          assertTrue(views.update(MessageId.of(name), from, add(100)).isApplied());
        };
    Committed committed = withdrawal(MessageId.of(UUID.randomUUID())).commit();
    assertEquals("Applied Applied committed", words(committed));
    assertEquals(90, total(from));
    assertEquals(10, total(to));
  }

  @Test
  @DisplayName("knows its own commit where its repeat is told that there is no such transaction")
  void forgottenCommit() {
    ForgottenCommits forgetful = new ForgottenCommits(client);
    Committed committed =
        MongoTransaction.on(forgetful.client())
            .write(views, Write.update(message, from, add(-5)))
            .write(views, Write.update(message, to, add(5)))
            .commit();
    assertEquals(2, forgetful.commits());
    assertTrue(committed.isCommitted());
    assertEquals("Applied Applied committed", words(committed));
    assertEquals(5, total(to));
  }

  @Test
  @DisplayName(
      "is unknown, and does not run again, where nobody can look what became of its commit")
  void unreadableCommit() {
    ForgottenCommits forgetful = new ForgottenCommits(client);
    List<String> runs = new ArrayList<>();
    Transactions transactions = new Transactions(forgetful.client(), Duration.ofSeconds(30));
    assertThrows(
        OutcomeUnknownException.class,
        () ->
            transactions.run(
                session -> runs.add("run"),
                () -> {
                  throw new MongoException("cut off");
                }));
    assertEquals(List.of("run"), runs);
  }

  @Test
  @DisplayName("of many threads over the same entities applies each message once")
  void parallel() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    int applied = 0;
    try {
      List<Callable<Committed>> calls = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        MessageId one = MessageId.of("parallel", name, "" + i % 8);
        calls.add(() -> transfer(one).commit());
      }
      for (Future<Committed> call : threads.invokeAll(calls)) {
        assertTrue(call.get().isDone());
        applied += call.get().isCommitted() ? 1 : 0;
      }
    } finally {
      threads.shutdown();
    }
    assertEquals(8, applied);
    assertEquals(40, total(to));
    assertEquals(-40, total(from));
  }

  @Test
  @DisplayName("takes functions, deletions and native updates")
  void functions() {
    assertTrue(transfer(message).commit().isCommitted());
    SourceEvent event = SourceEvent.of("Order", name, 1);
    Committed committed =
        MongoTransaction.on(client)
            .write(views, Write.apply(event, from, view -> new Document(view).append("total", 7)))
            .write(views, Write.delete(event, to))
            .write(
                views,
                Write.update(event, key("warmer" + name), MongoNativeUpdate.of(inc("total", 2))))
            .commit();
    assertEquals("Applied Applied Applied committed", words(committed));
    assertEquals(7, total(from));
    assertEquals(3, total(key("warmer" + name)));
    assertEquals(Optional.empty(), views.find(to));
  }

  @Test
  @DisplayName("ends with a fault by name where a change does not fit, and nothing is written")
  void misfit() {
    views.update(message, from, change().set("total", "text").createIfMissing());
    MongoTransaction misfit = transfer(MessageId.of(UUID.randomUUID()));
    assertThrows(InvalidChangeException.class, misfit::commit);
    assertEquals(Optional.empty(), views.find(to));
  }

  @Test
  @DisplayName("lets a store work in a session of the caller's, who decides what a refusal means")
  void session() {
    try (ClientSession session = client.startSession()) {
      assertThrows(IllegalArgumentException.class, () -> views.in(session));
      session.startTransaction();
      MongoEntityStore<Document> inside = views.in(session);
      assertTrue(inside.update(message, from, add(1)).isApplied());
      assertInstanceOf(Outcome.Duplicate.class, inside.update(message, from, add(1)));
      assertEquals(Optional.empty(), views.find(from), "not seen before it is committed");
      assertTrue(inside.find(from).isPresent());
      session.commitTransaction();
    }
    assertEquals(1, total(from));
    try (ClientSession session = client.startSession()) {
      session.startTransaction();
      MessageId next = MessageId.of(UUID.randomUUID());
      assertTrue(views.in(session).update(next, from, add(1)).isApplied());
      session.abortTransaction();
    }
    assertEquals(1, total(from));
  }
}
