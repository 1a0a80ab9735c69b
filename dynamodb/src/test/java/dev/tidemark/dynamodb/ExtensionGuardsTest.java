package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.ContentionException;
import dev.tidemark.EventPolicy;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Tracking.AttributeNames;
import dev.tidemark.kernel.UnfitChangeException;
import dev.tidemark.marks.Marks;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.Sender;
import dev.tidemark.tck.MovableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClient;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbEnhancedClientExtension;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbExtensionContext;
import software.amazon.awssdk.enhanced.dynamodb.DynamoDbTable;
import software.amazon.awssdk.enhanced.dynamodb.Expression;
import software.amazon.awssdk.enhanced.dynamodb.Key;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.extensions.WriteModification;
import software.amazon.awssdk.enhanced.dynamodb.model.PutItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.WriteBatch;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.ReturnValue;

@DisplayName("The extension's writes fail closed")
final class ExtensionGuardsTest {
  private static final TableSchema<Account> SCHEMA = TableSchema.fromBean(Account.class);
  private static final DynamoDbFaults HTTP = DynamoDbTables.faults();
  private static final String OUTBOX = AttributeNames.defaults().outbox();
  private static DynamoDbClient client;
  private static DynamoDbEnhancedClient plain;
  private static String name;

  private final String id = UUID.randomUUID().toString();
  private final Change paid = change().add("total", 1).publish(OutgoingMessage.to("paid", id));
  private final MovableClock clock = new MovableClock();
  private ExtensionSubject subject;
  private DynamoDbEnhancedClient enhanced;
  private DynamoDbTable<Account> table;
  private DynamoDbEntityStore<Account> store;

  ExtensionGuardsTest() {
    use(new ExtensionSubject());
  }

  private void use(ExtensionSubject tested) {
    subject = tested;
    enhanced =
        DynamoDbEnhancedClient.builder()
            .dynamoDbClient(client)
            .extensions(tested.extension(client, TidemarkExtension.create(clock)))
            .build();
    table = enhanced.table(name, SCHEMA);
    store = DynamoDbEntityStore.builder(client, table).clock(clock).build();
  }

  /** The same tests of what is wrong. */
  static ExtensionGuardsTest of(ExtensionSubject wrong) {
    ExtensionGuardsTest test = new ExtensionGuardsTest();
    test.use(wrong);
    return test;
  }

  @BeforeAll
  static void open() {
    client = DynamoDbTables.client(HTTP, new DynamoDbTables.Capacity(), 3);
    plain = DynamoDbEnhancedClient.builder().dynamoDbClient(client).build();
    name = DynamoDbTables.createWithOutbox(client, SCHEMA);
  }

  @AfterAll
  static void close() {
    client.close();
  }

  static String table() {
    return name;
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  @Test
  @DisplayName("no condition asks for the property of all marks, which is stored elsewhere")
  void asked() {
    Change asking = paid.createIfMissing().onlyIf(attribute("marks").isMissing());
    assertThrows(UnfitChangeException.class, () -> store.update(message(), key(id), asking));
  }

  private Account read() {
    return Objects.requireNonNull(
        table.getItem(r -> r.key(Key.builder().partitionValue(id).build()).consistentRead(true)));
  }

  private static void assertTells(@Nullable String told, String... words) {
    for (String word : words) {
      assertTrue(String.valueOf(told).contains(word), told);
    }
  }

  private Account placed(MessageId message) {
    return Objects.requireNonNull(table.updateItem(Account.of(id).processing(message)));
  }

  private static ConditionalCheckFailedException refused(Executable write) {
    return assertThrows(ConditionalCheckFailedException.class, write);
  }

  private static <T> List<Executable> writes(
      DynamoDbEnhancedClient by, DynamoDbTable<T> to, Class<T> type, T item) {
    return List.of(
        () -> to.updateItem(item),
        () -> to.putItem(item),
        () -> by.transactWriteItems(r -> r.addUpdateItem(to, item)),
        () -> by.transactWriteItems(r -> r.addPutItem(to, item)),
        () ->
            by.batchWriteItem(
                r ->
                    r.addWriteBatch(
                        WriteBatch.builder(type)
                            .mappedTableResource(to)
                            .addPutItem(item)
                            .build())));
  }

  @Test
  @DisplayName("a client without the extension writes no message and no marks, and is told why")
  void withoutExtension() {
    DynamoDbTable<Account> unguarded = plain.table(table.tableName(), SCHEMA);
    List<Account> accounts =
        List.of(
            Account.of(id).marks(null).processing(message()),
            Account.of(id).processing(SourceEvent.of("Order", id, 1)),
            Account.of(id));
    for (Account account : accounts) {
      for (Executable write : writes(plain, unguarded, Account.class, account)) {
        String told = assertThrows(RuntimeException.class, write).getMessage();
        assertTells(told, "TidemarkExtension");
        assertNull(table.getItem(account));
      }
    }
    assertNull(unguarded.getItem(accounts.get(0)));
    assertNull(unguarded.deleteItem(accounts.get(0)));
  }

  @Test
  @DisplayName("a class with a Processing that is not tracked is written by no operation")
  void withoutAnnotation() {
    TableSchema<Parcel> schema = TableSchema.fromBean(Parcel.class);
    DynamoDbTable<Parcel> parcels = enhanced.table(DynamoDbTables.create(client, schema), schema);
    Parcel parcel = new Parcel();
    parcel.setId(id);
    parcel.setProcessing(Processing.of(message()));
    for (Executable write : writes(enhanced, parcels, Parcel.class, parcel)) {
      String told = assertThrows(IllegalArgumentException.class, write).getMessage();
      assertTells(told, "Parcel", "@Tracked");
      assertNull(parcels.getItem(parcel));
    }
  }

  @Test
  @DisplayName("batches cannot carry a guard, and are refused before they are sent")
  void batches() {
    Account account = Account.of(id).processing(message());
    Executable batch = writes(enhanced, table, Account.class, account).get(4);
    assertThrows(IllegalArgumentException.class, batch);
    assertNull(table.getItem(account));
  }

  @Test
  @DisplayName("a store with another tracking or table gives no outcome, and writes nothing")
  void otherTracking() {
    MessageId message = message();
    placed(message);
    Account again = read().total(7).processing(message);
    ConditionalCheckFailedException refused = refused(() -> table.updateItem(again));
    Tracking own = Tracking.of(Account.class);
    AttributeNames names =
        new AttributeNames("ids", "sources", "_rev", "_born", "deletedUntil", "_outbox");
    for (Tracking other :
        List.of(own.as("other"), own.names(names), own.events(EventPolicy.contiguous()))) {
      assertForeign(
          DynamoDbEntityStore.builder(client, table).tracking(other).build(), refused, again);
    }
    String elsewhere = DynamoDbTables.create(client, SCHEMA);
    assertForeign(DynamoDbEntityStore.of(client, elsewhere, SCHEMA), refused, again);
    assertEquals(0, read().getTotal());
    assertInstanceOf(Outcome.Duplicate.class, outcome(refused, again));
  }

  private Outcome<Account> outcomeOfPut(ConditionalCheckFailedException refused, Account entity) {
    return store.outcomeOf(
        refused, PutItemEnhancedRequest.builder(Account.class).item(entity).build());
  }

  private Outcome<Account> outcome(ConditionalCheckFailedException refused, Account entity) {
    return subject.outcome(store, refused, entity);
  }

  private void assertForeign(
      DynamoDbEntityStore<Account> other, ConditionalCheckFailedException refused, Account entity) {
    int requests = HTTP.reads() + HTTP.writes();
    assertThrows(IllegalArgumentException.class, () -> subject.outcome(other, refused, entity));
    assertEquals(requests, HTTP.reads() + HTTP.writes());
  }

  @Test
  @DisplayName("a Processing that no extension has written gives no outcome")
  void unwritten() {
    MessageId message = message();
    placed(message);
    Account again = read().processing(message);
    ConditionalCheckFailedException refused = refused(() -> table.updateItem(again));
    Account never = read().processing(message);
    assertThrows(IllegalArgumentException.class, () -> outcome(refused, never));
  }

  @Test
  @DisplayName("an update from a stale read is refused: no effect is lost")
  void stale() {
    placed(message());
    Account first = read();
    Account second = read();
    table.updateItem(first.total(10).processing(message()));
    MessageId late = message();
    second.total(5).processing(late);
    ConditionalCheckFailedException refused = refused(() -> table.updateItem(second));
    assertThrows(ContentionException.class, () -> outcome(refused, second));
    assertEquals(10, read().getTotal());
    table.updateItem(read().total(15).processing(late));
    assertEquals(15, read().getTotal());
    assertInstanceOf(Outcome.Duplicate.class, store.skip(late, key(id)));
  }

  /** Keeps a total below 10. */
  private static final class Limit implements DynamoDbEnhancedClientExtension {
    @Override
    public WriteModification beforeWrite(DynamoDbExtensionContext.BeforeWrite context) {
      return WriteModification.builder()
          .additionalConditionalExpression(
              Expression.builder()
                  .expression("attribute_not_exists(#limited) OR #limited < :limit")
                  .putExpressionName("#limited", "total")
                  .putExpressionValue(":limit", AttributeValue.fromN("10"))
                  .build())
          .build();
    }
  }

  @Test
  @DisplayName("what a condition of another extension refuses is not written by the store")
  void others() {
    DynamoDbTable<Account> limited =
        DynamoDbEnhancedClient.builder()
            .dynamoDbClient(client)
            .extensions(new Limit(), TidemarkExtension.create(clock))
            .build()
            .table(name, SCHEMA);
    placed(message());
    limited.updateItem(read().total(10).processing(message()));
    Account more = read().total(11).processing(message());
    ConditionalCheckFailedException refused = refused(() -> limited.updateItem(more));
    assertThrows(ContentionException.class, () -> outcome(refused, more));
    assertEquals(10, read().getTotal());
  }

  @Test
  @DisplayName("an entity that was never read does not overwrite one that is there")
  void unread() {
    placed(message());
    table.updateItem(read().total(10).processing(message()));
    Account blind = Account.of(id).marks(null).total(1).processing(message());
    ConditionalCheckFailedException refused = refused(() -> table.updateItem(blind));
    assertThrows(ContentionException.class, () -> outcome(refused, blind));
    assertEquals(10, read().getTotal());
  }

  @Test
  @DisplayName("the marks that an update returns in part allow an update, and no put")
  void updatedNew() {
    MessageId first = message();
    placed(first);
    store.update(SourceEvent.of("Order", id, 1), key(id), change());
    Account part =
        table
            .updateItemWithResponse(
                r ->
                    r.item(read().total(3).processing(message()))
                        .returnValues(ReturnValue.UPDATED_NEW))
            .attributes();
    Account next = Account.of(id).marks(part.getMarks()).total(4).processing(message());
    String told =
        assertThrows(IllegalArgumentException.class, () -> table.putItem(next)).getMessage();
    assertTells(told, "Account", "read");
    table.updateItem(next);
    assertEquals(4, read().getTotal());
    assertInstanceOf(Outcome.Duplicate.class, store.skip(first, key(id)));
    assertInstanceOf(Outcome.Duplicate.class, store.skip(SourceEvent.of("Order", id, 1), key(id)));
  }

  @Test
  @DisplayName("a put of marks from a projection is refused, and erases nothing")
  void projection() {
    MessageId first = message();
    placed(first);
    store.update(SourceEvent.of("Order", id, 1), key(id), change());
    for (List<String> attributes :
        List.of(
            List.of("total", "_rev"),
            List.of("id", "total"),
            List.of("id", "total", "_rev"),
            List.of("id", "total", "_rev", "messageIDs", "messageIDs#since"),
            List.of("id", "total", "_rev", "_born"))) {
      Account part =
          table.scan(r -> r.attributesToProject(attributes)).items().stream()
              .filter(a -> a.getId() == null || id.equals(a.getId()))
              .findFirst()
              .orElseThrow();
      part.setId(id);
      assertThrows(
          RuntimeException.class, () -> table.putItem(part.total(9)), attributes::toString);
    }
    assertEquals(0, read().getTotal());
    assertInstanceOf(Outcome.Duplicate.class, store.skip(first, key(id)));
    table.putItem(read().total(5));
    assertInstanceOf(Outcome.Duplicate.class, store.skip(first, key(id)));
    assertInstanceOf(Outcome.Duplicate.class, store.skip(SourceEvent.of("Order", id, 1), key(id)));
  }

  @Test
  @DisplayName("a put without marks is refused: a new entity has Marks.none()")
  void noMarks() {
    Account unread = Account.of(id).marks(null).processing(message());
    String told =
        assertThrows(IllegalArgumentException.class, () -> table.putItem(unread)).getMessage();
    assertTells(told, "Account", "Marks.none()");
    assertNull(table.getItem(unread));
    table.putItem(unread.marks(Marks.none()));
    assertEquals(0, read().getTotal());
  }

  @Test
  @DisplayName("a changed entity that keeps its old Processing is a Duplicate: it was not written")
  void kept() {
    Account account = Account.of(id).processing(message()).total(1);
    table.updateItem(account);
    account.marks(read().getMarks()).total(100);
    ConditionalCheckFailedException refused = refused(() -> table.updateItem(account));
    assertInstanceOf(Outcome.Duplicate.class, outcome(refused, account));
    assertInstanceOf(Outcome.Duplicate.class, outcome(refused, account));
    assertEquals(1, read().getTotal());
  }

  @Test
  @DisplayName("a lost reply is Applied, as often as one asks")
  void lostReply() {
    placed(message());
    Account next = read().total(1).processing(message());
    HTTP.loseReplies(1, () -> {});
    ConditionalCheckFailedException refused = refused(() -> table.updateItem(next));
    assertTrue(outcome(refused, next).isApplied());
    assertTrue(outcome(refused, next).isApplied());
    assertEquals(1, read().getTotal());
  }

  @Test
  @DisplayName("an update over an expired tombstone is refused, and then creates the entity anew")
  void expiredTombstone() {
    placed(message());
    assertTrue(store.delete(message(), key(id)).isApplied());
    clock.move(Duration.ofDays(31)); // and DynamoDB has not collected it yet
    MessageId message = message();
    Account next = read().total(25).processing(message);
    ConditionalCheckFailedException refused = refused(() -> table.updateItem(next));
    assertTrue(outcome(refused, next).isApplied());
    assertEquals(25, store.find(key(id)).map(Account::getTotal).orElseThrow());
    assertInstanceOf(Outcome.Duplicate.class, store.skip(message, key(id)));
  }

  @Test
  @DisplayName("a put brings no message back that a relay has sent since the entity was read")
  void sent() {
    placed(message());
    assertTrue(store.update(message(), key(id), paid).isApplied());
    Account next = read().total(7).processing(message());
    List<String> sent = new ArrayList<>();
    Relay relay =
        Relay.builder(
                DynamoDbOutbox.of(client, name, store.tracking(), clock),
                Sender.each(outgoing -> sent.add(outgoing.message().text().orElseThrow())))
            .build();
    relay.sweep();
    ConditionalCheckFailedException refused = refused(() -> table.putItem(next));
    assertThrows(ContentionException.class, () -> outcomeOfPut(refused, next));
    clock.move(Duration.ofMinutes(1));
    relay.sweep();
    assertEquals(1, Collections.frequency(sent, id)); // others may be in the table
    assertEquals(1, read().getTotal());
    table.putItem(read().total(7).processing(message()));
    assertEquals(7, read().getTotal());
  }

  @Test
  @DisplayName("a put keeps the messages that wait since before the entity was read")
  void waiting() {
    placed(message());
    assertTrue(store.update(message(), key(id), paid).isApplied());
    Marks before = Objects.requireNonNull(read().getMarks());
    table.putItem(read().total(7).processing(message()));
    Marks after = Objects.requireNonNull(read().getMarks());
    assertTrue(before.attributes().containsKey(OUTBOX));
    assertEquals(before.attributes().get(OUTBOX), after.attributes().get(OUTBOX));
  }
}
