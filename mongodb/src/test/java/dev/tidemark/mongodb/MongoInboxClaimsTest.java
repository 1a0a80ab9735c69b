package dev.tidemark.mongodb;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import dev.tidemark.ContentionException;
import dev.tidemark.MessageId;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.inbox.Handled;
import dev.tidemark.tck.MovableClock;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An inbox on MongoDB")
final class MongoInboxClaimsTest {
  private static final int UNAUTHORIZED = 13;

  private final MovableClock clock = MovableClock.later();
  private final MessageId message = MessageId.of(UUID.randomUUID());
  private final String account = "account-" + UUID.randomUUID();
  private MongoProxy proxy;
  private MongoClient client;
  private MongoDatabase database;

  @BeforeEach
  void open() {
    var address = new com.mongodb.ConnectionString(MongoServers.uri()).getHosts().get(0);
    var host = new com.mongodb.ServerAddress(address);
    proxy = new MongoProxy(host.getHost(), host.getPort());
    client = MongoClients.create(MongoBackend.settings(proxy.port()).build());
    database = client.getDatabase("inbox");
    MongoInbox.createIndex(database, "inbox");
    database.getCollection("accounts").insertOne(new Document("_id", "warm" + account));
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

  private String add(SessionDatabase all) {
    all.collection("accounts")
        .updateOne(
            Filters.eq("_id", account), Updates.inc("amount", 1), new UpdateOptions().upsert(true));
    return "added";
  }

  private int amount() {
    Document found = database.getCollection("accounts").find(Filters.eq("_id", account)).first();
    return found == null ? 0 : found.getInteger("amount");
  }

  @Test
  @DisplayName("that claims has half of the lease left when its handler runs, however long it took")
  void claimedLate() {
    MongoInbox claiming = builder("billing").claimingFor(Duration.ofSeconds(60)).build();
    assertTrue(claiming.handle(MessageId.of(UUID.randomUUID()), all -> "").isDone());
    for (int seconds : new int[] {31, 61}) {
      MessageId late = MessageId.of(UUID.randomUUID());
      String key = MessageId.of("billing", late.value()).value();
      proxy.delay(1, () -> {}, () -> clock.move(Duration.ofSeconds(seconds)));
      Date[] lease = new Date[1];
      Handled<String> slow =
          claiming.handle(
              late,
              all -> {
                proxy.heal();
                Document claim =
                    database.getCollection("inbox").find(Filters.eq("_id", key)).first();
                lease[0] = Objects.requireNonNull(claim).getDate("lease");
                return add(all);
              });
      assertEquals(new Handled.Applied<>("added"), slow);
      assertEquals(Date.from(clock.instant().plusSeconds(60)), lease[0]);
    }
    assertEquals(2, amount());
  }

  @Test
  @DisplayName("that claims gives the claim up whatever its handler throws, interrupted too")
  void givenUpWhatever() {
    MongoInbox claiming = builder("billing").claimingFor(Duration.ofSeconds(60)).build();
    List<RuntimeException> errors =
        List.of(
            new ContentionException("of another store", null, null),
            new OutcomeUnknownException("of another store", null, null));
    for (RuntimeException error : errors) {
      RuntimeException thrown =
          assertThrows(
              RuntimeException.class,
              () ->
                  claiming.handle(
                      message,
                      all -> {
                        Thread.currentThread().interrupt();
                        throw error;
                      }));
      assertTrue(Thread.interrupted());
      assertSame(error, thrown);
    }
    assertEquals(new Handled.Applied<>("added"), claiming.handle(message, this::add));
  }

  @Test
  @DisplayName("that claims knows its own claim when replies are lost, however many")
  void lostClaims() {
    MongoInbox claiming = builder("billing").claimingFor(Duration.ofSeconds(60)).build();
    assertTrue(claiming.handle(MessageId.of(UUID.randomUUID()), all -> "").isDone());
    for (int lost = 1; lost < 5; lost++) {
      MessageId one = MessageId.of(UUID.randomUUID());
      proxy.loseReplies(0, lost, () -> {});
      assertEquals(new Handled.Applied<>("added"), claiming.handle(one, this::add));
      assertEquals(new Handled.Duplicate<>(), claiming.handle(one, this::add));
    }
    assertEquals(4, amount());
  }

  @Test
  @DisplayName("that claims gives a claim back to which no answer comes, and says so")
  void unansweredClaim() {
    try (Proxied silent = Proxied.open(Duration.ofMillis(300))) {
      MongoDatabase inboxes = silent.client().getDatabase("inbox");
      MongoInbox claiming =
          MongoInbox.builder(silent.client(), inboxes, "inbox", "billing")
              .claimingFor(Duration.ofSeconds(60))
              .build();
      assertTrue(claiming.handle(MessageId.of(UUID.randomUUID()), all -> "").isDone());
      silent.proxy().swallowReplies(Deadlines.MOST, () -> {});
      assertThrows(OutcomeUnknownException.class, () -> claiming.handle(message, this::add));
      assertEquals(new Handled.Applied<>("added"), claiming.handle(message, all -> "added"));
    }
    assertEquals(0, amount());
  }

  @Test
  @DisplayName("that claims leaves no claim where its thread is asked to stop")
  void interruptedClaim() {
    MongoInbox claiming = builder("billing").claimingFor(Duration.ofSeconds(60)).build();
    assertTrue(claiming.handle(MessageId.of(UUID.randomUUID()), all -> "").isDone());
    Thread.currentThread().interrupt();
    assertThrows(ContentionException.class, () -> claiming.handle(message, this::add));
    assertTrue(Thread.interrupted());
    assertEquals(new Handled.Applied<>("added"), claiming.handle(message, this::add));
    Thread.currentThread().interrupt();
    assertEquals(new Handled.Duplicate<>(), claiming.handle(message, this::add));
    assertTrue(Thread.interrupted());
    assertEquals(1, amount());
  }

  @Test
  @DisplayName(
      "that claims for longer than it remembers lets one handler run at a time all the same")
  void claimsForLonger() {
    MongoInbox claiming =
        builder("billing")
            .keptFor(Duration.ofSeconds(2))
            .claimingFor(Duration.ofSeconds(60))
            .build();
    Handled<String> handled =
        claiming.handle(
            message,
            all -> {
              clock.move(Duration.ofSeconds(10));
              assertInstanceOf(Handled.InFlight.class, claiming.handle(message, this::add));
              return add(all);
            });
    assertEquals(new Handled.Applied<>("added"), handled);
    clock.move(Duration.ofSeconds(10));
    assertEquals(new Handled.Applied<>("added"), claiming.handle(message, this::add));
  }

  @Test
  @DisplayName("that claims gives a claim up whose renewal fails, and throws why")
  void failedRenewal() {
    MongoInbox claiming = builder("billing").claimingFor(Duration.ofSeconds(60)).build();
    assertTrue(claiming.handle(MessageId.of(UUID.randomUUID()), all -> "").isDone());
    proxy.loseReplies(
        0,
        1,
        () -> {
          clock.move(Duration.ofSeconds(31));
          proxy.refuse(1, 1, UNAUTHORIZED, () -> {}); // not the driver's second attempt
        });
    MongoException thrown =
        assertThrows(MongoException.class, () -> claiming.handle(message, this::add));
    assertEquals(UNAUTHORIZED, thrown.getCode());
    assertEquals(new Handled.Applied<>("added"), claiming.handle(message, this::add));
    assertEquals(1, amount());
  }

  @Test
  @DisplayName("that meets an error at its first claim sends no more, since nothing is claimed")
  void failedClaim() {
    MongoInbox claiming = builder("billing").claimingFor(Duration.ofSeconds(60)).build();
    assertTrue(claiming.handle(MessageId.of(UUID.randomUUID()), all -> "").isDone());
    proxy.refuse(2, UNAUTHORIZED);
    MongoException thrown =
        assertThrows(MongoException.class, () -> claiming.handle(message, this::add));
    assertEquals(UNAUTHORIZED, thrown.getCode());
    assertEquals(0, thrown.getSuppressed().length);
    proxy.heal();
    assertEquals(new Handled.Applied<>("added"), claiming.handle(message, this::add));
  }

  @Test
  @DisplayName("stores nothing of a handler that returns a future, with a claim and without")
  void futures() {
    MongoInbox.Builder builder = builder("billing");
    for (MongoInbox inbox :
        List.of(builder.build(), builder.claimingFor(Duration.ofSeconds(60)).build())) {
      MessageId begun = MessageId.of(UUID.randomUUID());
      assertThrows(
          IllegalStateException.class,
          () -> inbox.handle(begun, all -> CompletableFuture.completedFuture(add(all))));
      assertEquals(0, amount());
      assertEquals(new Handled.Applied<>(7), inbox.handle(begun, all -> 7));
    }
  }

  @Test
  @DisplayName("is not told to keep or claim messages for longer than any record lives")
  void forEver() {
    Duration forEver = ChronoUnit.FOREVER.getDuration();
    MongoInbox.Builder builder = builder("billing");
    assertThrows(IllegalArgumentException.class, () -> builder.keptFor(forEver));
    assertThrows(IllegalArgumentException.class, () -> builder.claimingFor(forEver));
    assertThrows(IllegalArgumentException.class, () -> builder.patience(forEver));
    Duration most = Duration.ofDays(36_525);
    MongoInbox longest = builder.keptFor(most).claimingFor(most).patience(most).build();
    assertEquals(new Handled.Applied<>("added"), longest.handle(message, this::add));
  }
}
