package dev.tidemark.mongodb;

import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.rename;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;
import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandSucceededEvent;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityUpdate;
import dev.tidemark.IdPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Patience;
import dev.tidemark.kernel.Reply;
import dev.tidemark.kernel.Request;
import dev.tidemark.kernel.Run;
import dev.tidemark.kernel.Step;
import dev.tidemark.mongodb.MongoNativeUpdate.NativeWrite;
import dev.tidemark.tck.MovableClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.IntStream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.types.Binary;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Kept small, for mutants: what holds for every store is in contracts. */
@DisplayName("Who has read a part of a record neither writes it back nor judges beyond it")
final class PartsOfRecordsTest {
  private static final Change COUNT = change().add("n", 1);

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> documents = fixture.documents();
  private final MovableClock clock = MovableClock.later();
  private final EntityKey key = MongoFixture.key();
  private final MongoEntityStore<Document> store = store(Tracking.defaults());

  @AfterEach
  void close() {
    fixture.close();
  }

  private MongoEntityStore<Document> store(Tracking tracking) {
    return builder(tracking).build();
  }

  private MongoEntityStore.Builder<Document> builder(Tracking tracking) {
    return MongoEntityStore.builder(documents).tracking(tracking).clock(clock);
  }

  private static MessageId id() {
    return MessageId.of(UUID.randomUUID());
  }

  private List<MessageId> told(MongoEntityStore<Document> by) {
    List<MessageId> ids = IntStream.range(0, 5).mapToObj(i -> id()).toList();
    ids.forEach(id -> assertTrue(by.update(id, key, COUNT.createIfMissing()).isApplied()));
    return ids;
  }

  private BsonDocument stored() {
    return Objects.requireNonNull(
        documents.withDocumentClass(BsonDocument.class).find(Filters.eq(name())).first());
  }

  private Object name() {
    return key.parts().get(0);
  }

  private long count() {
    return stored().getNumber("n").longValue();
  }

  private static MongoNativeUpdate counts() {
    return MongoNativeUpdate.of(inc("n", 1L));
  }

  private static List<String> words(List<Result<Document>> results) {
    return results.stream()
        .map(r -> ((Result.Judged<Document>) r).outcome().getClass().getSimpleName())
        .toList();
  }

  @Test
  @DisplayName("operators that revive an entity keep the ids that were not read")
  void revived() {
    List<MessageId> ids = new ArrayList<>(told(store));
    ids.add(id());
    assertTrue(store.delete(ids.get(5), key).isApplied());
    ids.add(id());
    assertTrue(store.update(ids.get(6), key, counts().recreate()).isApplied());
    ids.forEach(
        id ->
            assertInstanceOf(Outcome.Duplicate.class, store.update(id, key, counts().recreate())));
    assertEquals(1, count());
  }

  @Test
  @DisplayName("a tombstone of an entity that had many sources is one, under a raised bound, too")
  void buried() {
    for (int source = 0; source < 3; source++) {
      SourceEvent first = SourceEvent.of("S", "" + source, 1);
      assertTrue(
          store(Tracking.defaults().maxSources(3))
              .update(first, key, COUNT.createIfMissing())
              .isApplied());
    }
    assertTrue(store.delete(SourceEvent.of("S", "0", 2), key).isApplied());
    assertTrue(stored().isString("_rev"));
    assertInstanceOf(
        Outcome.Deleted.class, store.update(id(), key, COUNT.createIfMissing()), "not written");
  }

  /** A tombstone whose revision is that of an entity, as an earlier version has left some. */
  private void leaveOpen() {
    assertTrue(store.delete(id(), key).isApplied());
    assertEquals(
        1,
        documents
            .updateOne(Filters.eq(name()), set("_rev", new Binary((byte) 4, new byte[16])))
            .getModifiedCount());
  }

  @Test
  @DisplayName("a tombstone with the revision of an entity is one to who has not read it, too")
  void open() {
    List<EntityUpdate> updates = List.of(COUNT.createIfMissing(), counts().createIfMissing());
    assertTrue(store.update(id(), key, COUNT.createIfMissing()).isApplied());
    leaveOpen();
    for (int i = 0; i < updates.size(); i++) {
      SourceEvent event = SourceEvent.of("Order", "1", i + 1);
      for (Message message : List.of(id(), event)) {
        Write<Document> write = Write.update(message, key, updates.get(i));
        assertEquals(new Outcome.Deleted<>(), store.write(write));
        assertTrue(store.writeAll(List.of(write)).get(0).isDone());
      }
      assertFalse(stored().containsKey("n"));
    }
    for (EntityUpdate update : List.of(COUNT.recreate(), counts().recreate())) {
      assertTrue(store.update(id(), key, update).isApplied());
      assertEquals(1L, store.find(key).orElseThrow().get("n", Number.class).longValue());
      leaveOpen();
    }
    for (EntityUpdate update : updates) {
      clock.move(Tracking.defaults().tombstonesKeptFor().plusSeconds(5));
      assertTrue(store.update(id(), key, update).isApplied());
      assertEquals(1L, store.find(key).orElseThrow().get("n", Number.class).longValue());
      leaveOpen();
    }
  }

  @Test
  @DisplayName("those that begin anew over a tombstone past its expiry leave nobody's marks")
  void anew() {
    List<MessageId> ids = told(store(Tracking.defaults().as("search")));
    assertTrue(store.delete(id(), key).isApplied());
    clock.move(Tracking.defaults().tombstonesKeptFor().plusSeconds(5));
    SourceEvent first = SourceEvent.of("Order", "1", 1);
    assertTrue(store.update(first, key, counts().createIfMissing()).isApplied());
    assertTrue(stored().keySet().stream().noneMatch(field -> field.startsWith("messageIDs")));
    MongoEntityStore<Document> search = store(Tracking.defaults().as("search"));
    ids.forEach(id -> assertTrue(search.update(id, key, COUNT).isApplied()));
  }

  @Test
  @DisplayName("the filter of one update says nothing of the next")
  void filterOfAnother() {
    MessageId known = told(store).get(0);
    List<Write<Document>> batch =
        List.of(
            Write.update(known, key, counts().onlyIf(Filters.eq("n", 0))),
            Write.update(id(), key, counts().onlyIf(Filters.eq("n", 5))));
    assertEquals(List.of("Duplicate", "Applied"), words(store.writeAll(batch)));
    assertEquals(6, count());
  }

  @Test
  @DisplayName("refusals of one change are none of another's")
  void refusals() {
    MessageId known = told(store).get(0);
    Change refused = COUNT.onlyIf(attribute("n").is(0));
    List<Write<Document>> batch = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      batch.add(Write.update(known, key, refused));
      batch.add(Write.update(id(), key, i < 3 ? refused : COUNT.onlyIf(attribute("n").is(5))));
    }
    List<String> words = words(store.writeAll(batch));
    assertEquals("Applied", words.get(words.size() - 1));
    assertEquals(6, count());
  }

  @Test
  @DisplayName("an id in the other form is known, where the revision is text and the rule is false")
  void otherForm() {
    for (IdPolicy policy : List.of(IdPolicy.forEver(), IdPolicy.last(100))) {
      documents.deleteOne(Filters.eq(name()));
      Tracking full = Tracking.defaults().maxSources(1).messageIds(policy);
      List<MessageId> ids = told(store(full));
      assertTrue(store(full).update(SourceEvent.of("Order", "1", 1), key, COUNT).isApplied());
      MongoEntityStore<Document> compact = store(full.messageIds(policy.compact()));
      List<EntityUpdate> updates = List.of(COUNT, COUNT.onlyIf(attribute("n").is(0)));
      for (EntityUpdate update : updates) {
        ids.forEach(
            id -> assertInstanceOf(Outcome.Duplicate.class, compact.update(id, key, update)));
      }
      assertEquals(6, count());
      assertTrue(compact.update(id(), key, COUNT).isApplied());
      assertTrue(
          stored().getArray("messageIDs").stream().allMatch(form -> form.isBinary()),
          "ids are moved into the form of the policy");
    }
  }

  @Test
  @DisplayName("a refusal that is recorded moves all ids into the form of the policy")
  void recordedForm() {
    for (String slot : List.of("messageIDs", "messageIDs#1")) {
      documents.deleteOne(Filters.eq(name()));
      List<MessageId> ids = told(store(Tracking.defaults().messageIds(IdPolicy.forEver())));
      if (!slot.equals("messageIDs")) {
        documents.updateOne(
            Filters.eq(name()),
            combine(rename("messageIDs", slot), set("messageIDs#closed", List.of(1L, 0L))));
      }
      MongoEntityStore<Document> compact =
          store(Tracking.defaults().messageIds(IdPolicy.forEver().compact()));
      Change never = COUNT.onlyIf(attribute("n").is(0)).otherwiseSkip();
      assertInstanceOf(Outcome.Refused.class, compact.update(id(), key, never));
      ids.forEach(id -> assertInstanceOf(Outcome.Duplicate.class, compact.update(id, key, COUNT)));
      assertFalse(stored().toString().contains(ids.get(0).value()), "ids are moved");
    }
  }

  @Test
  @DisplayName("an id in a closed slot of the other form is known, where no slot is open")
  void closedSlots() {
    for (IdPolicy policy : List.of(IdPolicy.forEver(), IdPolicy.last(100))) {
      for (int slot = 1; slot <= 2; slot++) {
        documents.deleteOne(Filters.eq(name()));
        MessageId id = told(store(Tracking.defaults().messageIds(policy))).get(0);
        documents.updateOne(Filters.eq(name()), rename("messageIDs", "messageIDs#" + slot));
        MongoEntityStore<Document> compact =
            store(Tracking.defaults().messageIds(policy.compact()));
        for (EntityUpdate update : List.of(COUNT, counts())) {
          assertInstanceOf(Outcome.Duplicate.class, compact.update(id, key, update));
        }
      }
    }
  }

  @Test
  @DisplayName(
      "a read for many entities brings all ids of those alone that have no room for theirs")
  void roomOfEach() {
    told(store);
    clock.move(Duration.ofDays(20)); // so that the slot may be closed
    List<Write<Document>> writes = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      EntityKey one = i == 0 ? key : MongoFixture.key();
      writes.add(Write.apply(id(), one, Document::new, view -> view.append("n", 9L)));
    }
    List<Integer> read = new ArrayList<>();
    try (MongoClient client = listening(read)) {
      MongoEntityStore<Document> other =
          MongoEntityStore.builder(
                  client
                      .getDatabase("tests")
                      .getCollection(documents.getNamespace().getCollectionName()))
              .clock(clock)
              .build();
      other.writeAll(writes).forEach(result -> assertTrue(result.isDone()));
    }
    assertEquals(List.of(0), read);
  }

  /** Notes how many ids of the open slot of the first document each find brings. */
  private static MongoClient listening(List<Integer> read) {
    CommandListener listener =
        new CommandListener() {
          @Override
          public void commandSucceeded(CommandSucceededEvent event) {
            if (event.getCommandName().equals("find")) {
              BsonDocument first =
                  event
                      .getResponse()
                      .getDocument("cursor")
                      .getArray("firstBatch")
                      .get(0)
                      .asDocument();
              read.add(first.getDocument("_tidemark#marks").getArray("messageIDs").size());
            }
          }
        };
    return MongoClients.create(
        MongoClientSettings.builder()
            .applyConnectionString(new ConnectionString(MongoServers.uri()))
            .addCommandListener(listener)
            .build());
  }

  private static MongoNativeUpdate says() {
    return counts().publish(OutgoingMessage.to("t", "p"));
  }

  @Test
  @DisplayName("operators that publish leave the time from which on messages wait as it is")
  void due() {
    assertTrue(store.update(id(), key, says().createIfMissing()).isApplied());
    long due = clock.millis();
    clock.move(Duration.ofSeconds(5));
    assertTrue(store.update(id(), key, says()).isApplied());
    assertEquals(
        List.of("Applied"), words(store.writeAll(List.of(Write.update(id(), key, says())))));
    assertEquals(due, stored().getNumber("_outbox#due").longValue());
    documents.updateOne(Filters.eq(name()), set("_outbox#due", due + 60_000));
    assertTrue(store.update(id(), key, says()).isApplied());
    assertEquals(due + 60_000, stored().getNumber("_outbox#due").longValue());
  }

  /** A request over what is stored, which nobody has sent yet. */
  private Request<Document> request(Context<Document> context, EntityUpdate update) {
    Write<Document> write = Write.update(id(), key, update);
    Run<Document> run =
        new Run<>(
            List.of(write),
            context.tracking(),
            context.names(),
            clock,
            unchecked -> unchecked,
            context.recall(),
            new Patience(9, 9, 0, tries -> Duration.ZERO, race -> Duration.ZERO));
    Step<Document> blind = run.next();
    assertInstanceOf(Step.Send.class, blind);
    StoredDocument<Document> found =
        new Lookups<>(context).look(key, write.message(), clock.instant());
    run.on(new Reply.Refused<>(found, null), false, Duration.ZERO);
    return ((Step.Send<Document>) run.next()).request();
  }

  @Test
  @DisplayName("messages wait to be found also where those before them are sent in between")
  void sentInBetween() {
    assertTrue(store.update(id(), key, says().createIfMissing()).isApplied());
    Context<Document> context = builder(Tracking.defaults()).context();
    Request<Document> request = request(context, NativeWrite.of(context, key, says()));
    documents.updateOne(
        Filters.eq(name()),
        combine(unset("_outbox"), unset("_outbox#shard"), unset("_outbox#due")));
    Command command = Objects.requireNonNull(Command.of(context, request, true, false));
    documents.withDocumentClass(BsonDocument.class).bulkWrite(List.of(command.model()));
    assertEquals(1, stored().getArray("_outbox").size());
    assertEquals(clock.millis(), stored().getNumber("_outbox#due").longValue());
  }
}
