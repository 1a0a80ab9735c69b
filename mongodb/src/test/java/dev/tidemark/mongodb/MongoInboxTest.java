package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoException;
import com.mongodb.MongoServerException;
import com.mongodb.MongoWriteException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.ValidationOptions;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.inbox.Handled;
import dev.tidemark.inbox.Handler;
import dev.tidemark.tck.MovableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

@DisplayName("An inbox on MongoDB")
final class MongoInboxTest {
  private static final List<Document> WRONG = List.of(new Document("$wrong", 1));

  private final MovableClock clock = MovableClock.later();
  private final MessageId message = MessageId.of(UUID.randomUUID());
  private final String account = "account-" + UUID.randomUUID();
  private final List<String> commands = Collections.synchronizedList(new ArrayList<>());
  private final AtomicInteger runs = new AtomicInteger();
  private MongoProxy proxy;
  private MongoClient client;
  private MongoDatabase database;
  private MongoInbox inbox;

  @BeforeEach
  void open() {
    var address = new com.mongodb.ConnectionString(MongoServers.uri()).getHosts().get(0);
    var host = new com.mongodb.ServerAddress(address);
    proxy = new MongoProxy(host.getHost(), host.getPort());
    client =
        MongoClients.create(
            MongoBackend.settings(proxy.port())
                .addCommandListener(
                    new CommandListener() {
                      @Override
                      public void commandStarted(CommandStartedEvent event) {
                        commands.add(event.getCommandName());
                      }
                    })
                .build());
    database = client.getDatabase("inbox");
    MongoInbox.createIndex(database, "inbox");
    database.getCollection("accounts").insertOne(new Document("_id", "warm" + account));
    inbox = inbox("billing");
    commands.clear();
  }

  @AfterEach
  void close() {
    if (client != null) {
      client.close();
      proxy.close();
    }
  }

  private MongoInbox.Builder builder(String subscriber) {
    return MongoInbox.builder(client, database, "inbox", subscriber)
        .keptFor(Duration.ofDays(1))
        .clock(clock);
  }

  private MongoInbox inbox(String subscriber) {
    return builder(subscriber).build();
  }

  /** Which does not go on for long where it runs again, as it should not. */
  private MongoInbox impatient() {
    return builder("billing").patience(Duration.ofSeconds(1)).build();
  }

  private String add(SessionDatabase all) {
    runs.incrementAndGet();
    all.collection("accounts")
        .updateOne(
            Filters.eq("_id", account), Updates.inc("amount", 1), new UpdateOptions().upsert(true));
    return "added";
  }

  private int amount() {
    Document found = database.getCollection("accounts").find(Filters.eq("_id", account)).first();
    return found == null ? 0 : found.getInteger("amount");
  }

  private void warm() {
    inbox.handle(MessageId.of(UUID.randomUUID()), all -> "nothing");
    commands.clear();
    runs.set(0);
  }

  @Test
  @DisplayName("remembers the longest ID that there is")
  void longest() {
    MessageId longest = MessageId.of("x".repeat(8_192));
    assertTrue(inbox.handle(longest, this::add).isDone());
    assertTrue(inbox.handle(longest, this::add).isDone());
    assertEquals(1, amount());
  }

  @Test
  @DisplayName("throws the server's error that a handler has caught, and runs no second time")
  void caughtError() {
    database.getCollection("accounts").insertOne(new Document("_id", account));
    Handler<SessionDatabase, String, RuntimeException> insertsUnlessThere =
        all -> {
          add(all);
          try {
            all.collection("accounts").insertOne(new Document("_id", account));
          } catch (MongoWriteException e) {
            // it is there
          }
          return add(all);
        };
    assertThrows(MongoWriteException.class, () -> impatient().handle(message, insertsUnlessThere));
    assertEquals(2, runs.get(), "adds of one run");
    assertEquals(new Handled.Applied<>("added"), inbox.handle(message, this::add));
  }

  @Test
  @DisplayName("throws a caught error of a read, or of a message that it publishes, likewise")
  void caughtErrorOfRead() {
    String closed = "closed-" + account;
    database.createCollection(
        closed,
        new CreateCollectionOptions()
            .validationOptions(new ValidationOptions().validator(Filters.exists("never"))));
    MongoOutbox outbox = MongoOutbox.of(database.getCollection(closed));
    List<Consumer<SessionDatabase>> failing =
        List.of(
            all -> all.collection("accounts").find(Filters.eq("$wrong", 1)).first(),
            all -> {
              try (var found = all.collection("accounts").aggregate(WRONG).batchSize(1).cursor()) {
                boolean unused = found.hasNext();
              }
            },
            all -> all.publish(outbox, OutgoingMessage.to("there", "x")));
    for (Consumer<SessionDatabase> fails : failing) {
      runs.set(0);
      Handler<SessionDatabase, String, RuntimeException> goesOn =
          all -> {
            try {
              fails.accept(all);
            } catch (MongoException e) {
              // and goes on
            }
            return add(all);
          };
      assertThrows(MongoServerException.class, () -> impatient().handle(message, goesOn));
      assertEquals(1, runs.get());
    }
  }

  @Test
  @DisplayName(
      "stores nothing of a call that fails at the client, be that in the middle, or caught")
  void caughtErrorOfClient() {
    Document small = new Document("_id", "small" + account);
    Document large = new Document("text", "x".repeat(17_000_000));
    FindOneAndUpdateOptions creates = new FindOneAndUpdateOptions().upsert(true);
    Bson id = Filters.eq("_id", "made" + account);
    List<Consumer<SessionDatabase>> failing =
        List.of(
            all -> all.collection("accounts").insertMany(List.of(small, large)),
            all -> all.collection("accounts").insertOne(new Document("text", new Object())),
            all ->
                all.collection("accounts", Integer.class)
                    .findOneAndUpdate(
                        id,
                        Updates.set("text", "x"),
                        creates.returnDocument(ReturnDocument.AFTER)));
    for (Consumer<SessionDatabase> fails : failing) {
      RuntimeException[] caught = {new IllegalStateException("no error")};
      Consumer<SessionDatabase> goesOn =
          all -> {
            try {
              fails.accept(all);
            } catch (RuntimeException e) {
              caught[0] = e;
            }
            add(all);
          };
      Executable handles = () -> inbox.handle(message, all -> returned(goesOn, all));
      Executable commits = () -> MongoTransaction.on(client).add(database, goesOn).commit();
      for (Executable ends : List.of(handles, commits)) {
        RuntimeException thrown = assertThrows(RuntimeException.class, ends);
        assertSame(caught[0], thrown);
      }
    }
    List<String> left = List.of("small" + account, "made" + account, account);
    assertEquals(0, database.getCollection("accounts").countDocuments(Filters.in("_id", left)));
    assertEquals(new Handled.Applied<>("added"), inbox.handle(message, this::add));
  }

  private static String returned(Consumer<SessionDatabase> writes, SessionDatabase all) {
    writes.accept(all);
    return "returned";
  }

  @Test
  @DisplayName("lets a handler go on whose own code throws while it reads, or that reads no more")
  void caughtWhileReading() {
    database.getCollection("accounts").insertOne(new Document("_id", account).append("amount", 0));
    Bson id = Filters.eq("_id", account);
    List<Consumer<SessionDatabase>> failing =
        List.of(
            all -> all.collection("accounts", Integer.class).find(id).first(),
            all -> all.collection("accounts").countDocuments(Filters.eq("no", new Object())),
            all ->
                all.collection("accounts")
                    .find(id)
                    .forEach(
                        found -> {
                          throw new IllegalStateException("found");
                        }),
            all -> {
              try (var none = all.collection("accounts").find(Filters.eq("no", 1)).cursor()) {
                var unused = none.next();
              }
            });
    for (Consumer<SessionDatabase> fails : failing) {
      Handled<String> handled =
          inbox.handle(
              MessageId.of(UUID.randomUUID()),
              all -> {
                assertThrows(RuntimeException.class, () -> fails.accept(all));
                return add(all);
              });
      assertEquals(new Handled.Applied<>("added"), handled);
    }
    assertEquals(failing.size(), amount());
  }

  @Test
  @DisplayName("runs the handler again that has thrown another exception in place of a conflict")
  void wrappedConflict() {
    MongoCollection<Document> accounts = database.getCollection("accounts");
    accounts.insertOne(new Document("_id", account).append("amount", 0));
    Consumer<SessionDatabase> translates =
        all -> {
          all.collection("accounts").countDocuments(Filters.eq("_id", account));
          if (runs.get() == 0) {
            accounts.updateOne(Filters.eq("_id", account), Updates.inc("amount", 10));
          }
          try {
            add(all);
          } catch (MongoException e) {
            throw new IllegalStateException("as a repository translates it", e);
          }
        };
    Handled<String> handled = inbox.handle(message, all -> returned(translates, all));
    assertEquals(new Handled.Applied<>("returned"), handled);
    assertEquals(2, runs.getAndSet(0));
    assertTrue(MongoTransaction.on(client).add(database, translates).commit().isCommitted());
    assertEquals(2, runs.get());
    assertEquals(22, amount());
  }

  @Test
  @DisplayName("runs no second time that is interrupted once a call has met a conflict")
  void interruptedConflict() {
    MongoCollection<Document> accounts = database.getCollection("accounts");
    accounts.insertOne(new Document("_id", account).append("amount", 0));
    InterruptedException stop = new InterruptedException("by a shutdown");
    for (Exception thrown : List.of(stop, new IllegalStateException(stop))) {
      runs.set(0);
      Handler<SessionDatabase, String, Exception> stops =
          all -> {
            all.collection("accounts").countDocuments(Filters.eq("_id", account));
            accounts.updateOne(Filters.eq("_id", account), Updates.inc("amount", 10));
            assertThrows(MongoException.class, () -> add(all));
            throw thrown;
          };
      assertSame(thrown, assertThrows(Exception.class, () -> inbox.handle(message, stops)));
      assertEquals(1, runs.get());
    }
  }

  @Test
  @DisplayName("runs no second time for an error of its calls that lasts, nor for one of no call")
  void wrappedError() {
    database.getCollection("accounts").insertOne(new Document("_id", account));
    MongoException foreign = new MongoException(112, "of another client");
    foreign.addLabel(MongoException.TRANSIENT_TRANSACTION_ERROR_LABEL);
    IllegalStateException translated =
        new IllegalStateException("as a repository translates it", foreign);
    List<Consumer<SessionDatabase>> failing =
        List.of(
            all -> all.collection("accounts").insertOne(new Document("_id", account)),
            all -> {
              throw foreign;
            });
    for (Consumer<SessionDatabase> fails : failing) {
      runs.set(0);
      Handler<SessionDatabase, String, IllegalStateException> translates =
          all -> {
            add(all);
            assertThrows(MongoException.class, () -> fails.accept(all));
            throw translated;
          };
      assertSame(
          translated,
          assertThrows(IllegalStateException.class, () -> impatient().handle(message, translates)));
      assertEquals(1, runs.get());
    }
  }

  @Test
  @DisplayName("handles a message once, in three commands, and a duplicate does not run")
  void once() {
    warm();
    assertEquals(new Handled.Applied<>("added"), inbox.handle(message, this::add));
    assertEquals(List.of("findAndModify", "update", "commitTransaction"), commands);
    commands.clear();
    assertEquals(new Handled.Duplicate<>(), inbox.handle(message, this::add));
    assertEquals(List.of("findAndModify", "abortTransaction"), commands);
    assertEquals(1, runs.get());
    assertEquals(1, amount());
  }

  @Test
  @DisplayName("keeps subscribers apart, and ids of several fields")
  void apart() {
    MessageId composite = MessageId.of("billing", message.value());
    assertTrue(inbox.handle(message, this::add).isDone());
    assertEquals(new Handled.Applied<>("added"), inbox("search").handle(message, this::add));
    assertEquals(new Handled.Applied<>("added"), inbox.handle(composite, this::add));
    assertEquals(3, amount());
  }

  @Test
  @DisplayName("lets one of many threads win, and the loser does not go on")
  void parallel() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    int applied = 0;
    try {
      List<Callable<Handled<String>>> calls = new ArrayList<>();
      for (int i = 0; i < 32; i++) {
        MessageId one = MessageId.of("parallel", message.value(), "" + i % 8);
        calls.add(() -> inbox.handle(one, this::add));
      }
      for (Future<Handled<String>> call : threads.invokeAll(calls)) {
        applied += call.get().result().isPresent() ? 1 : 0;
        assertTrue(call.get().isDone());
      }
    } finally {
      threads.shutdown();
    }
    assertEquals(8, applied);
    assertEquals(8, amount());
  }

  @Test
  @DisplayName("takes all of a handler's writes back where it throws")
  void thrown() {
    Handler<SessionDatabase, String, IllegalStateException> failing =
        all -> {
          add(all);
          all.collection("accounts").insertOne(new Document("_id", "other" + account));
          throw new IllegalStateException("no");
        };
    assertThrows(IllegalStateException.class, () -> inbox.handle(message, failing));
    assertEquals(0, amount());
    assertEquals(
        0, database.getCollection("accounts").countDocuments(Filters.eq("_id", "other" + account)));
    assertTrue(inbox.handle(message, this::add).result().isPresent());
  }

  @Test
  @DisplayName("runs the handler again where another transaction was in the way")
  void conflict() {
    MongoCollection<Document> accounts = database.getCollection("accounts");
    accounts.insertOne(new Document("_id", account).append("amount", 0));
    Handled<String> handled =
        inbox.handle(
            message,
            all -> {
              all.collection("accounts").countDocuments(Filters.eq("_id", account));
              if (runs.get() == 0) {
                accounts.updateOne(Filters.eq("_id", account), Updates.inc("amount", 10));
              }
              return add(all);
            });
    assertEquals(new Handled.Applied<>("added"), handled);
    assertEquals(2, runs.get());
    assertEquals(11, amount());
  }

  @Test
  @DisplayName("knows its own commit when replies are lost, and adds once")
  void lostReplies() {
    warm();
    for (int after = 0; after < 3; after++) {
      proxy.loseReplies(after, 1, () -> {});
      Handled<String> handled = inbox.handle(MessageId.of(UUID.randomUUID()), this::add);
      proxy.heal();
      assertEquals(new Handled.Applied<>("added"), handled, "lost after " + after);
      assertEquals(after + 1, amount());
    }
  }

  @Test
  @DisplayName("forgets a message when its time is over, though the record is still there")
  void expired() {
    assertTrue(inbox.handle(message, this::add).isDone());
    clock.move(Duration.ofHours(23));
    assertEquals(new Handled.Duplicate<>(), inbox.handle(message, this::add));
    clock.move(Duration.ofHours(2));
    assertEquals(new Handled.Applied<>("added"), inbox.handle(message, this::add));
  }

  @Test
  @DisplayName("remembers a message from when its handler has returned, a slow one by one command")
  void remembered() {
    warm();
    for (Duration claim : List.of(Duration.ZERO, Duration.ofDays(1))) {
      MongoInbox.Builder settings = builder("billing").keptFor(Duration.ofSeconds(30));
      MongoInbox brief = (claim.isZero() ? settings : settings.claimingFor(claim)).build();
      remembers(brief, Duration.ofMillis(500), 0);
      remembers(brief, Duration.ofSeconds(31), 1);
    }
  }

  private void remembers(MongoInbox brief, Duration takes, int more) {
    MessageId slow = MessageId.of(UUID.randomUUID());
    runs.set(0);
    Handled<String> first =
        brief.handle(
            slow,
            all -> {
              clock.move(takes);
              add(all);
              commands.clear();
              Thread.currentThread().interrupt();
              return "added";
            });
    assertTrue(Thread.interrupted());
    assertEquals(new Handled.Applied<>("added"), first);
    assertEquals(more + 1, commands.size(), commands::toString);
    clock.move(Duration.ofSeconds(30).minusMillis(1));
    assertEquals(new Handled.Duplicate<>(), brief.handle(slow, this::add));
    clock.move(Duration.ofSeconds(1));
    assertEquals(new Handled.Applied<>("added"), brief.handle(slow, this::add));
    assertEquals(2, runs.get());
  }

  @Test
  @DisplayName("that claims lets one handler run at a time, and gives a crashed one's lease time")
  void claims() {
    MongoInbox claiming = builder("billing").claimingFor(Duration.ofSeconds(60)).build();
    Handled<String> first =
        claiming.handle(
            message,
            all -> {
              assertEquals(
                  new Handled.InFlight<>(Duration.ofMillis(60_001)),
                  claiming.handle(message, this::add));
              return add(all);
            });
    assertEquals(new Handled.Applied<>("added"), first);
    assertEquals(new Handled.Duplicate<>(), claiming.handle(message, this::add));
    assertEquals(1, amount());
  }

  @Test
  @DisplayName("that does not claim leaves a claim its lease, and takes the message over after it")
  void metClaims() {
    database
        .getCollection("inbox")
        .insertOne(
            new Document("_id", MessageId.of("billing", message.value()).value())
                .append("nonce", "crashed")
                .append("expires", Date.from(clock.instant().plus(Duration.ofDays(1))))
                .append("lease", Date.from(clock.instant().plusSeconds(60))));
    Handled<String> inFlight = new Handled.InFlight<>(Duration.ofMillis(60_001));
    assertEquals(inFlight, inbox.handle(message, this::add));
    clock.move(Duration.ofSeconds(61));
    assertEquals(new Handled.Applied<>("added"), inbox.handle(message, this::add));
    assertEquals(new Handled.Duplicate<>(), inbox.handle(message, this::add));
    assertEquals(1, amount());
  }

  @Test
  @DisplayName("that claims gives the claim up where the handler throws")
  void givenUp() {
    MongoInbox claiming = builder("billing").claimingFor(Duration.ofSeconds(60)).build();
    assertThrows(
        IllegalStateException.class,
        () ->
            claiming.handle(
                message,
                all -> {
                  throw new IllegalStateException("no");
                }));
    assertEquals(new Handled.Applied<>("added"), claiming.handle(message, this::add));
  }

  @Test
  @DisplayName("that claims writes nothing once it was overtaken")
  void overtaken() {
    MongoInbox claiming = builder("billing").claimingFor(Duration.ofSeconds(60)).build();
    assertTrue(claiming.handle(MessageId.of(UUID.randomUUID()), all -> "").isDone());
    clock.move(Duration.ofSeconds(61));
    String key = MessageId.of("billing", message.value()).value();
    Document other = new Document("_id", key).append("nonce", "another");
    boolean[] met = {false};
    proxy.delay(
        1,
        () -> {},
        () -> {
          met[0] = true;
          database
              .getCollection("inbox")
              .updateOne(Filters.eq("_id", key), Updates.set("nonce", other.getString("nonce")));
        });
    Handled<String> slow = claiming.handle(message, this::add);
    proxy.heal();
    assertTrue(met[0]);
    assertFalse(slow.isDone(), slow::toString);
    assertEquals(0, amount());
  }
}
