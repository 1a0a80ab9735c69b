package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import dev.tidemark.tck.View;
import dev.tidemark.transaction.Committed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Messages that a transaction on DynamoDB publishes")
final class TransactionMessagesTest extends InboxScene {
  private static final OutgoingMessage PAID = OutgoingMessage.to("payments", "paid");

  private final String name = UUID.randomUUID().toString();
  private final String table = "outgoing-" + name;
  private DynamoDbEntityStore<View> views;
  private DynamoDbOutbox outbox;

  @BeforeEach
  void createTable() {
    DynamoDbOutbox.createTable(client, table);
    outbox = DynamoDbOutbox.of(client, table, Tracking.defaults(), clock);
    views = DynamoDbEntityStore.of(client, accounts, DynamoDbBackend.schema(false));
  }

  private DynamoDbTransaction paying(MessageId by, String account) {
    Write<View> write =
        Write.update(by, key(account + name), change().add("total", 1).createIfMissing());
    return DynamoDbTransaction.on(client).write(views, write);
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

  private boolean isEmpty() {
    return client.scan(scan -> scan.tableName(table).consistentRead(true)).items().isEmpty();
  }

  @Test
  @DisplayName("that are too large are told as that, and nothing is stored; the longest ID fits")
  void tooLarge() {
    OutgoingMessage large = OutgoingMessage.to("payments", "x".repeat(450_000));
    assertThrows(
        TooLargeException.class,
        () -> inbox.handle(message, writes -> writes.publish(outbox, large)));
    assertThrows(
        TooLargeException.class, () -> paying(message, "a").publish(outbox, large).commit());
    assertThrows(
        IllegalArgumentException.class,
        () -> inbox.handle(MessageId.of("x".repeat(2_100)), writes -> 1));
    assertTrue(isEmpty());
    OutgoingMessage longest = PAID.id("€".repeat(512));
    assertTrue(inbox.handle(message, writes -> writes.publish(outbox, longest)).isDone());
  }

  @Test
  @DisplayName("wait in records of their own, which go when they are sent, and cost no request")
  void whole() {
    int writes = FAULTS.writes();
    Committed committed =
        paying(message, "a")
            .publish(outbox, PAID.key("k"))
            .publish(outbox, PAID.id("own"))
            .commit();
    assertTrue(committed.isCommitted());
    assertEquals(1, FAULTS.writes() - writes);
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
    assertTrue(isEmpty());
    assertTrue(paying(message, "a").publish(outbox, PAID).commit().isDone());
    assertTrue(isEmpty(), "a duplicate publishes nothing");
  }

  @Test
  @DisplayName("are not stored where a write is refused, the caller's own too, and named as before")
  void refused() {
    DynamoDbTransaction absent =
        DynamoDbTransaction.on(client)
            .publish(outbox, PAID)
            .write(views, Write.update(message, key("absent" + name), change().add("total", 1)));
    assertFalse(absent.commit().isCommitted());
    Committed own =
        paying(message, "b")
            .publish(outbox, PAID)
            .add(
                writes ->
                    writes.check(
                        check ->
                            check
                                .tableName(accounts)
                                .key(id())
                                .conditionExpression("attribute_exists(id)")))
            .commit();
    assertEquals(List.of(0), own.refused());
    assertTrue(isEmpty());
  }

  @Test
  @DisplayName("have IDs that follow from the first tracked write, each by its place")
  void following() {
    FAULTS.loseReplies(0, 4, () -> {});
    Committed first =
        paying(message, "a")
            .publish(outbox, PAID)
            .publish(outbox, PAID)
            .add(writes -> writes.publish(outbox, PAID))
            .commit();
    FAULTS.heal();
    assertTrue(first.isCommitted());
    assertEquals(3, ids().size());
    assertTrue(paying(message, "b").publish(outbox, PAID).commit().isCommitted());
    assertEquals(4, ids().size());
    assertTrue(paying(MessageId.of("other"), "a").publish(outbox, PAID).commit().isCommitted());
    assertEquals(5, ids().size());
    MessageId last = MessageId.of("last");
    Write<View> publishing =
        Write.update(
            last, key("c" + name), change().add("total", 1).createIfMissing().publish(PAID));
    DynamoDbTransaction both = DynamoDbTransaction.on(client).write(views, publishing);
    assertTrue(both.publish(outbox, PAID).commit().isCommitted());
    assertEquals(6, ids().size());
    DynamoDbOutbox entities = DynamoDbOutbox.of(client, accounts, Tracking.defaults(), clock);
    OutboxRecord entity = entities.read(entities.key(OutboxItems.key("c" + name))).orElseThrow();
    assertFalse(
        ids().contains(entity.waiting().get(0).id()), "the entity's own message has another");
  }

  @Test
  @DisplayName("come from the cluster of the entities, or from that which their outbox names")
  void clusters() {
    DynamoDbEntityStore<View> eu =
        DynamoDbEntityStore.builder(client, accounts, DynamoDbBackend.schema(false))
            .tracking(Tracking.defaults().cluster("eu"))
            .build();
    Write<View> first =
        Write.update(message, key("a" + name), change().add("total", 1).createIfMissing());
    Write<View> second =
        Write.update(message, key("b" + name), change().add("total", 1).createIfMissing());
    DynamoDbTransaction transaction = DynamoDbTransaction.on(client).write(views, first);
    assertTrue(
        transaction
            .write(eu, second)
            .publish(outbox, PAID)
            .add(writes -> writes.publish(outbox, PAID))
            .commit()
            .isCommitted());
    assertEquals(List.of("eu", "eu"), origins());
    DynamoDbOutbox us = DynamoDbOutbox.of(client, table, Tracking.defaults().cluster("us"), clock);
    assertTrue(paying(message, "c").publish(us, PAID).commit().isCommitted());
    assertEquals(List.of("eu", "eu", "us"), origins());
    DynamoDbTransaction mixed = DynamoDbTransaction.on(client).write(eu, first).publish(us, PAID);
    assertThrows(IllegalArgumentException.class, mixed::commit);
    assertEquals(3, origins().size());
  }

  private List<String> origins() {
    return stored().stream().map(one -> one.waiting().get(0).origin()).sorted().toList();
  }

  @Test
  @DisplayName("need IDs of their own where there is no tracked write, and one for each")
  void own() {
    int writes = FAULTS.writes();
    DynamoDbTransaction bare = DynamoDbTransaction.on(client).publish(outbox, PAID);
    assertThrows(IllegalArgumentException.class, bare::commit);
    DynamoDbTransaction twice = DynamoDbTransaction.on(client).publish(outbox, PAID.id("a"));
    assertThrows(IllegalArgumentException.class, () -> twice.publish(outbox, PAID.id("a")));
    DynamoDbTransaction full = DynamoDbTransaction.on(client);
    for (int i = 0; i < 100; i++) {
      full.publish(outbox, PAID);
    }
    assertThrows(IllegalArgumentException.class, () -> full.publish(outbox, PAID));
    assertEquals(writes, FAULTS.writes());
    for (int i = 0; i < 2; i++) {
      assertTrue(
          DynamoDbTransaction.on(client)
              .publish(outbox, PAID.id("a"))
              .add(all -> all.publish(outbox, PAID.id("b")))
              .commit()
              .isCommitted());
    }
    assertEquals(Set.of("a", "b"), ids());
    OutgoingMessage large = OutgoingMessage.to("payments", "x".repeat(420_000));
    DynamoDbTransaction tooLarge = paying(message, "d").publish(outbox, large);
    assertThrows(TooLargeException.class, tooLarge::commit);
  }

  @Test
  @DisplayName("of a handler are stored with its record: once, and the same at every try")
  void handled() {
    FAULTS.loseReplies(0, 4, () -> {});
    Handled<String> first = inbox.handle(message, this::publishing);
    FAULTS.heal();
    assertEquals(new Handled.Applied<>("added"), first);
    Set<String> ids = ids();
    assertEquals(2, ids.size());
    assertEquals(new Handled.Duplicate<>(), inbox.handle(message, this::publishing));
    assertEquals(ids, ids());
    assertThrows(IllegalStateException.class, () -> inbox("search").handle(message, this::failing));
    assertEquals(ids, ids());
    assertTrue(inbox("search").handle(message, this::publishing).isDone());
    assertEquals(4, ids().size());
    assertTrue(
        builder("claiming")
            .claimingFor(Duration.ofMinutes(1))
            .build()
            .handle(message, this::publishing)
            .isDone());
    assertEquals(6, ids().size());
    assertEquals(3, amount());
  }

  private String publishing(TransactionWrites writes) {
    writes.publish(outbox, PAID);
    writes.publish(outbox, PAID);
    return add(writes);
  }

  private String failing(TransactionWrites writes) {
    writes.publish(outbox, PAID);
    throw new IllegalStateException("thrown");
  }
}
