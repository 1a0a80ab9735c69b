package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoException;
import com.mongodb.MongoExecutionTimeoutException;
import com.mongodb.MongoInterruptedException;
import com.mongodb.MongoServerUnavailableException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.ServerAddress;
import com.mongodb.client.ClientSession;
import com.mongodb.client.FindIterable;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.connection.ClusterId;
import com.mongodb.connection.ServerId;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.tidemark.ContentionException;
import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.inbox.Handled;
import dev.tidemark.inbox.Handler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Connections, servers and threads that end a transaction while its handler goes on. */
@DisplayName("A transaction on MongoDB that something breaks off")
final class BrokenTransactionsTest {
  private static final Duration PATIENCE = Duration.ofMillis(300);

  private final MessageId message = MessageId.of(UUID.randomUUID());
  private final String account = "account-" + UUID.randomUUID();
  private final AtomicInteger runs = new AtomicInteger();
  private volatile BsonDocument session = new BsonDocument();
  private MongoProxy proxy;
  private MongoClient client;
  private MongoClient other;
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
                        session = event.getCommand().getDocument("lsid", new BsonDocument());
                      }
                    })
                .build());
    other = MongoClients.create(MongoServers.uri());
    database = client.getDatabase("inbox");
    MongoInbox.createIndex(database, "inbox");
    database.getCollection("accounts").insertOne(new Document("_id", account));
    inbox = inbox(client, Duration.ofSeconds(30));
    inbox.handle(MessageId.of(UUID.randomUUID()), all -> "warm");
  }

  @AfterEach
  void close() {
    boolean unused = Thread.interrupted();
    if (client != null) {
      client.close();
      other.close();
      proxy.close();
    }
  }

  private static MongoInbox inbox(MongoClient client, Duration patience) {
    return MongoInbox.builder(client, client.getDatabase("inbox"), "inbox", "billing")
        .patience(patience)
        .build();
  }

  private String add(SessionDatabase all) {
    all.collection("accounts")
        .updateOne(
            Filters.eq("_id", account), Updates.inc("amount", 1), new UpdateOptions().upsert(true));
    return "added";
  }

  private int amount() {
    Document found = database.getCollection("accounts").find(Filters.eq("_id", account)).first();
    return found == null ? 0 : found.getInteger("amount", 0);
  }

  /** Goes on after whatever one write throws. */
  private Handler<SessionDatabase, String, RuntimeException> after(
      Consumer<SessionDatabase> fails, Consumer<SessionDatabase> then) {
    return all -> {
      runs.incrementAndGet();
      try {
        fails.accept(all);
      } catch (MongoException e) {
        then.accept(all);
      }
      return "handled";
    };
  }

  @Test
  @DisplayName("makes no write twice, and no other one, where a handler goes on after a lost reply")
  void lostReply() {
    List<Consumer<SessionDatabase>> goesOn =
        List.of(
            this::add,
            all -> all.collection("failed").insertOne(new Document("_id", account)),
            all -> {
              throw new MongoException("as the handler likes");
            });
    for (int i = 0; i < goesOn.size(); i++) {
      runs.set(0);
      proxy.loseReplies(1, 1, () -> {});
      Handled<String> handled =
          inbox.handle(MessageId.of(UUID.randomUUID()), after(this::add, goesOn.get(i)));
      proxy.heal();
      assertEquals(new Handled.Applied<>("handled"), handled);
      assertEquals(2, runs.get());
      assertEquals(i + 1, amount());
    }
    assertEquals(0, database.getCollection("failed").countDocuments(Filters.eq(account)));
  }

  @Test
  @DisplayName("stores a message once, and the caller's own writes, where a reply was lost")
  void lostReplyOfOwn() {
    String outgoing = "outgoing-" + account;
    database.createCollection(outgoing);
    MongoOutbox outbox = MongoOutbox.of(database.getCollection(outgoing));
    Consumer<SessionDatabase> publishes =
        all -> all.publish(outbox, OutgoingMessage.to("there", "x"));
    proxy.loseReplies(1, 1, () -> {});
    assertTrue(inbox.handle(message, after(publishes, publishes)).isDone());
    proxy.heal();
    assertEquals(1, database.getCollection(outgoing).countDocuments());
    proxy.loseReplies(0, 1, () -> {});
    Handler<SessionDatabase, String, RuntimeException> adds = after(this::add, this::add);
    Consumer<SessionDatabase> own = all -> assertEquals("handled", adds.handle(all));
    assertTrue(MongoTransaction.on(client).add(database, own).commit().isCommitted());
    proxy.heal();
    assertEquals(1, amount());
  }

  @Test
  @DisplayName(
      "stores nothing where a read gets no more, whichever way its handler has asked, and goes on")
  void noMore() {
    List<Consumer<FindIterable<Document>>> ways =
        List.of(
            found -> StreamSupport.stream(found.spliterator(), false).forEach(one -> {}),
            found -> ((Iterable<Document>) found).iterator().forEachRemaining(one -> {}),
            found -> found.cursor().forEachRemaining(one -> {}),
            found -> found.map(one -> one).spliterator().forEachRemaining(one -> {}),
            found -> found.forEach(one -> {}));
    String second = "second-" + account;
    database.getCollection("accounts").insertOne(new Document("_id", second));
    try (MongoClient reading = MongoClients.create(MongoServers.uri() + "&appName=more")) {
      for (Consumer<FindIterable<Document>> way : ways) {
        failOnce("getMore", "more");
        Consumer<SessionDatabase> reads =
            all -> {
              Bson both = Filters.in("_id", account, second);
              way.accept(all.collection("accounts").find(both).batchSize(1));
            };
        runs.set(0);
        Handler<SessionDatabase, String, RuntimeException> goesOn =
            all -> after(reads, failed -> {}).handle(all) + add(all);
        MongoInbox own = inbox(reading, Duration.ofSeconds(30));
        assertThrows(MongoSocketReadException.class, () -> own.handle(message, goesOn));
        assertEquals(1, runs.get());
      }
    }
    assertEquals(0, amount());
  }

  private void failOnce(String command, String application) {
    String point =
        "{configureFailPoint: 'failCommand', mode: {times: 1}, data: {failCommands: ['%s'],"
            + " closeConnection: true, appName: '%s'}}";
    other.getDatabase("admin").runCommand(Document.parse(point.formatted(command, application)));
  }

  @Test
  @DisplayName("runs again where a call got no connection, since another's had broken")
  void poolCleared() {
    ServerId server = new ServerId(new ClusterId(), new ServerAddress());
    runsAgain(new MongoConnectionPoolClearedException(server, null));
  }

  @Test
  @DisplayName("runs again where the server of a call is no longer one of the cluster's")
  void serverGone() {
    runsAgain(new MongoServerUnavailableException("the server is no longer available"));
  }

  private void runsAgain(MongoException once) {
    Handled<String> handled =
        inbox.handle(
            message,
            all -> {
              if (runs.incrementAndGet() == 1) {
                throw once;
              }
              return add(all);
            });
    assertEquals(new Handled.Applied<>("added"), handled);
    assertEquals(2, runs.get());
    assertEquals(1, amount());
  }

  @Test
  @DisplayName("is not run again where its commit is in doubt, and the next one gets no connection")
  void commitInDoubt() {
    ServerId server = new ServerId(new ClusterId(), new ServerAddress());
    isNotRunAgain(new MongoConnectionPoolClearedException(server, null));
  }

  @Test
  @DisplayName("is not run again where its commit is in doubt, and its server is gone then")
  void commitInDoubtServerGone() {
    isNotRunAgain(new MongoServerUnavailableException("the server is no longer available"));
  }

  private void isNotRunAgain(MongoException second) {
    AtomicInteger commits = new AtomicInteger();
    MongoException unanswered = new MongoException("no answer");
    unanswered.addLabel(MongoException.UNKNOWN_TRANSACTION_COMMIT_RESULT_LABEL);
    UnaryOperator<@Nullable Object> breaking =
        answer -> {
          switch (commits.incrementAndGet()) {
            case 1 -> throw unanswered;
            case 2 -> throw second;
            default -> {}
          }
          return answer;
        };
    MongoClient broken =
        around(
            MongoClient.class,
            client,
            (method, answer) ->
                answer instanceof ClientSession own
                    ? around(
                        ClientSession.class,
                        own,
                        (called, told) ->
                            called.equals("commitTransaction") ? breaking.apply(told) : told)
                    : answer);
    Consumer<SessionDatabase> own =
        all -> {
          runs.incrementAndGet();
          add(all);
        };
    assertTrue(MongoTransaction.on(broken).add(database, own).commit().isCommitted());
    assertEquals(3, commits.get());
    assertEquals(1, runs.get());
    assertEquals(1, amount());
  }

  /** The real thing, whose answers pass through something. */
  private static <T> T around(
      Class<T> type, T real, BiFunction<String, @Nullable Object, @Nullable Object> answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> {
              try {
                return answers.apply(method.getName(), method.invoke(real, arguments));
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            }));
  }

  @Test
  @DisplayName("asks again what kind of server there is, where it is the first to ask")
  void firstQuestion() {
    failOnce("ping", "first");
    String uri = MongoServers.uri() + "&appName=first";
    try (MongoClient first = MongoClients.create(uri)) {
      MongoTransaction transaction =
          MongoTransaction.on(first).add(first.getDatabase("inbox"), this::add);
      assertTrue(transaction.commit().isCommitted());
    }
    assertEquals(1, amount());
  }

  @Test
  @DisplayName("throws a time limit of the server by its name, and runs no second time")
  void timeLimit() {
    Consumer<SessionDatabase> slow =
        all -> {
          Document unused =
              all.collection("accounts")
                  .find(Filters.where("sleep(10000) || true"))
                  .maxTime(50, TimeUnit.MILLISECONDS)
                  .first();
        };
    assertThrows(
        MongoExecutionTimeoutException.class, () -> inbox.handle(message, after(slow, this::add)));
    assertEquals(1, runs.get());
    assertEquals(new Handled.Applied<>("added"), inbox.handle(message, this::add));
  }

  @Test
  @DisplayName("names the server's own limit where that has ended each attempt")
  void endedByServer() {
    Consumer<SessionDatabase> ended =
        all -> {
          add(all);
          var unused =
              other.getDatabase("admin").runCommand(new Document("killSessions", List.of(session)));
          add(all);
        };
    ContentionException thrown =
        assertThrows(
            ContentionException.class,
            () -> inbox(client, PATIENCE).handle(message, after(ended, this::add)));
    assertTrue(String.valueOf(thrown.getMessage()).contains("transactionLifetimeLimitSeconds"));
    assertEquals(0, amount());
  }

  /** Another transaction meets a lock at once, where a plain write would wait for it. */
  private void assertUnlocked() {
    assertTrue(Thread.interrupted(), "the thread is still asked to stop");
    MongoInbox impatient = inbox(other, Duration.ofNanos(1));
    assertEquals(
        new Handled.Applied<>("added"),
        impatient.handle(MessageId.of(UUID.randomUUID()), this::add));
  }

  @Test
  @DisplayName("leaves no lock where its handler throws, as one does that is asked to stop")
  void interruptedHandler() {
    Handler<SessionDatabase, String, IllegalStateException> stops =
        all -> {
          add(all);
          Thread.currentThread().interrupt();
          throw new IllegalStateException("stopped");
        };
    assertThrows(IllegalStateException.class, () -> inbox.handle(message, stops));
    assertUnlocked();
    assertEquals(1, amount());
  }

  @Test
  @DisplayName("is committed where its thread is asked to stop once its handler has returned")
  void interruptedAtCommit() {
    Handler<SessionDatabase, String, RuntimeException> returns =
        all -> {
          Thread.currentThread().interrupt();
          return "handled";
        };
    Handler<SessionDatabase, String, RuntimeException> adds =
        all -> {
          add(all);
          return returns.handle(all);
        };
    assertEquals(new Handled.Applied<>("handled"), inbox.handle(message, adds));
    assertUnlocked();
    assertEquals(2, amount());
  }

  @Test
  @DisplayName("stores nothing after an interrupt that a handler has caught")
  void caughtInterrupt() {
    Consumer<SessionDatabase> interrupted =
        all -> {
          add(all);
          Thread.currentThread().interrupt();
          add(all);
        };
    Consumer<SessionDatabase> goesOn =
        all -> {
          assertTrue(Thread.interrupted());
          add(all);
          Thread.currentThread().interrupt();
        };
    ContentionException thrown =
        assertThrows(
            ContentionException.class, () -> inbox.handle(message, after(interrupted, goesOn)));
    assertInstanceOf(MongoInterruptedException.class, thrown.getCause());
    assertEquals(1, runs.get());
    assertUnlocked();
    assertEquals(1, amount());
  }

  @Test
  @DisplayName("leaves no lock where a duplicate is met by a thread that is asked to stop")
  void interruptedDuplicate() {
    assertTrue(inbox.handle(message, this::add).isDone());
    Thread.currentThread().interrupt();
    assertThrows(ContentionException.class, () -> inbox.handle(message, this::add));
    assertUnlocked();
  }
}
