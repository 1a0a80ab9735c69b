package dev.tidemark.mongodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.transaction.Committed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Holds the tables of commands in the pages of inboxes and transactions, for MongoDB. */
@DisplayName("On MongoDB, what one entity cannot hold")
final class BeyondOneEntityCostTest {
  private static final Duration LEASE = Duration.ofMinutes(1);

  private final MovableClock clock = MovableClock.later();
  private final String name = UUID.randomUUID().toString();
  private final EntityKey from = key("from-" + name);
  private final EntityKey to = key("to-" + name);
  private final MessageId message = MessageId.of(UUID.randomUUID());
  private final List<String> commands = Collections.synchronizedList(new ArrayList<>());
  private MongoClient client;
  private MongoDatabase database;
  private MongoInbox inbox;
  private MongoInbox claiming;
  private MongoEntityStore<Document> views;

  @BeforeEach
  void open() {
    client =
        MongoClients.create(
            MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(MongoServers.uri()))
                .addCommandListener(
                    new CommandListener() {
                      @Override
                      public void commandStarted(CommandStartedEvent event) {
                        commands.add(event.getCommandName());
                      }
                    })
                .build());
    database = client.getDatabase("cost");
    MongoInbox.createIndex(database, "inbox");
    database.getCollection("accounts").insertOne(new Document("_id", name));
    inbox = MongoInbox.builder(client, database, "inbox", "a").clock(clock).build();
    claiming =
        MongoInbox.builder(client, database, "inbox", "a").clock(clock).claimingFor(LEASE).build();
    views = MongoEntityStore.of(database.getCollection("views"));
    MessageId first = MessageId.of(UUID.randomUUID());
    assertTrue(views.update(first, key(name), change().createIfMissing()).isDone());
    assertTrue(claiming.handle(first, all -> "nothing").isDone());
    assertTrue(inbox.handle(first, all -> "nothing").isDone());
    assertTrue(
        MongoTransaction.on(client)
            .write(views, Write.update(first, key("2" + name), change().createIfMissing()))
            .commit()
            .isCommitted());
    commands.clear();
  }

  @AfterEach
  void close() {
    if (client != null) {
      client.close();
    }
  }

  /** Compares the commands of one call, of which the answer is known. */
  private void costs(String row, String answer, List<String> wanted, Supplier<?> call) {
    int before = commands.size();
    Object given = call.get();
    List<String> sent = List.copyOf(commands.subList(before, commands.size()));
    System.out.printf("cost: store=mongodb what=\"%s\" commands=%d %s%n", row, sent.size(), sent);
    assertEquals(answer, given.getClass().getSimpleName() + word(given), row);
    assertEquals(wanted, sent, row);
  }

  private static String word(Object given) {
    return given instanceof Committed committed
        ? " "
            + (committed.isCommitted()
                ? "now"
                : committed.isRecorded() ? "recorded" : committed.isDone() ? "before" : "not")
        : "";
  }

  private String add(SessionDatabase all) {
    all.collection("accounts")
        .updateOne(
            Filters.eq("_id", name), Updates.inc("amount", 1), new UpdateOptions().upsert(true));
    return "added";
  }

  @Test
  @DisplayName("by an inbox takes the record, the handler's commands and the commit")
  void inbox() {
    costs(
        "inbox: Applied",
        "Applied",
        List.of("findAndModify", "update", "commitTransaction"),
        this::handle);
    costs(
        "inbox: Duplicate",
        "Duplicate",
        List.of("findAndModify", "abortTransaction"),
        this::handle);
  }

  private Object handle() {
    return inbox.handle(message, this::add);
  }

  private Object claim() {
    return claiming.handle(message, this::add);
  }

  @Test
  @DisplayName("by an inbox that claims takes one command more for what is new")
  void claiming() {
    costs(
        "inbox that claims: Applied",
        "Applied",
        List.of("update", "update", "update", "commitTransaction"),
        this::claim);
    costs("inbox that claims: Duplicate", "Duplicate", List.of("update", "find"), this::claim);
    MessageId other = MessageId.of(UUID.randomUUID());
    claiming.handle(
        other,
        all -> {
          costs(
              "inbox that claims: InFlight",
              "InFlight",
              List.of("update", "find"),
              () -> claiming.handle(other, this::add));
          return "nothing";
        });
  }

  @Test
  @DisplayName("by an inbox that meets a claim takes as much as a duplicate")
  void claimed() {
    database
        .getCollection("inbox")
        .insertOne(
            new Document("_id", MessageId.of("a", message.value()).value())
                .append("nonce", "crashed")
                .append("expires", Date.from(clock.instant().plus(LEASE)))
                .append("lease", Date.from(clock.instant().plus(LEASE))));
    commands.clear();
    costs(
        "inbox, met a claim: InFlight",
        "InFlight",
        List.of("findAndModify", "abortTransaction"),
        this::handle);
  }

  private Write<Document> add(EntityKey key, int amount) {
    return Write.update(message, key, change().add("total", amount).createIfMissing());
  }

  private Object transfer() {
    return MongoTransaction.on(client)
        .write(views, add(from, -5))
        .write(views, add(to, 5))
        .commit();
  }

  private Object function() {
    return MongoTransaction.on(client)
        .write(views, Write.apply(message, from, Document::new, view -> view))
        .write(views, add(to, 5))
        .commit();
  }

  @Test
  @DisplayName("in a transaction takes two commands for each tracked write, and the commit")
  void transaction() {
    costs(
        "transaction: 2 updates committed",
        "Committed now",
        List.of("find", "insert", "find", "insert", "commitTransaction"),
        this::transfer);
    costs(
        "transaction: 2 updates Duplicate",
        "Committed before",
        List.of("find", "find", "abortTransaction"),
        this::transfer);
  }

  @Test
  @DisplayName("in a transaction that records a refusal makes a second one")
  void refusal() {
    for (EntityKey key : List.of(from, to)) {
      assertTrue(views.update(MessageId.of("m0"), key, change().createIfMissing()).isDone());
    }
    commands.clear();
    Change never = change().add("total", 1).onlyIf(attribute("total").is(99)).otherwiseSkip();
    List<String> twice = List.of("find", "update", "find", "update");
    List<String> wanted = new ArrayList<>(twice);
    wanted.add("abortTransaction");
    wanted.addAll(twice);
    wanted.add("commitTransaction");
    costs(
        "transaction: one of 2 updates refused, and recorded",
        "Committed recorded",
        wanted,
        () ->
            MongoTransaction.on(client)
                .write(views, Write.update(message, from, never))
                .write(views, add(to, 5))
                .commit());
    MessageId next = MessageId.of(UUID.randomUUID());
    costs(
        "transaction: function skips beside an update, recorded",
        "Committed recorded",
        wanted,
        () ->
            MongoTransaction.on(client)
                .write(views, Write.decide(next, from, view -> Decision.skip()))
                .write(views, Write.update(next, to, change().add("total", 5)))
                .commit());
  }

  @Test
  @DisplayName("in a transaction that drops a late event makes a second one")
  void late() {
    assertTrue(views.update(MessageId.of("m0"), to, change().createIfMissing()).isDone());
    SourceEvent second = SourceEvent.of("Order", "1", 2);
    assertTrue(views.update(second, from, change().createIfMissing()).isDone());
    commands.clear();
    SourceEvent first = SourceEvent.of("Order", "1", 1);
    List<String> once = List.of("find", "find", "update");
    List<String> wanted = new ArrayList<>(once);
    wanted.add("abortTransaction");
    wanted.addAll(once);
    wanted.add("commitTransaction");
    costs(
        "transaction: one of 2 updates Stale, and recorded",
        "Committed recorded",
        wanted,
        () ->
            MongoTransaction.on(client)
                .write(views, Write.update(first, from, change().add("total", -5)))
                .write(views, Write.update(first, to, change().add("total", 5)))
                .commit());
    assertInstanceOf(Outcome.Duplicate.class, views.update(first, to, change().add("total", 5)));
  }

  @Test
  @DisplayName("in a transaction with a function takes as much")
  void functions() {
    costs(
        "transaction: function and update committed",
        "Committed now",
        List.of("find", "insert", "find", "insert", "commitTransaction"),
        this::function);
    costs(
        "transaction: function and update Duplicate",
        "Committed before",
        List.of("find", "find", "abortTransaction"),
        this::function);
  }
}
