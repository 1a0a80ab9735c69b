package dev.tidemark.mongodb;

import static com.mongodb.client.model.Updates.inc;
import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.EntityKey.key;
import static dev.tidemark.NotBefore.notBefore;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EventPolicy;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.metrics.SizeGuard;
import dev.tidemark.metrics.StoreCall;
import dev.tidemark.metrics.StoreCall.Method;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.tck.Backend;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.bson.Document;
import org.bson.RawBsonDocument;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A listener is told of every call")
class ObservedTest {
  private static final Tracking TRACKING =
      Tracking.defaults().events("Order", EventPolicy.contiguous());
  private static final Change COUNT = change().add("total", 1L).createIfMissing();

  private final MongoFixture fixture = new MongoFixture();
  private final MongoCollection<Document> collection = fixture.documents();
  private final List<StoreCall> calls = new ArrayList<>();
  private final MongoEntityStore<Document> views = store(calls::add);
  private final String id = "secret-" + UUID.randomUUID();
  private final EntityKey key = key(id);

  @AfterEach
  void close() {
    fixture.close();
  }

  private MongoEntityStore<Document> store(StoreListener listener) {
    return MongoEntityStore.builder(collection).tracking(TRACKING).listener(listener).build();
  }

  private static MessageId message() {
    return MessageId.of("secret-" + UUID.randomUUID());
  }

  private static Document counted(Document view) {
    Long total = view.getLong("total");
    view.put("total", total == null ? 1L : total + 1);
    return view;
  }

  /** Makes a call, and compares what was told of it with the commands that were sent. */
  private StoreCall told(Supplier<?> call) {
    calls.clear();
    Backend.Cost cost = fixture.commands.measure(() -> assertNotNull(call.get()));
    assertEquals(1, calls.size());
    StoreCall told = calls.get(0);
    assertEquals(collection.getNamespace().getCollectionName(), told.store());
    assertTrue(told.latency().toNanos() > 0);
    assertEquals(
        new StoreCall.Requests(
            cost.reads(),
            cost.writes(),
            cost.reads() + cost.writes(),
            OptionalDouble.empty(),
            OptionalDouble.empty()),
        told.requests());
    assertFalse(told.toString().contains("secret"), told::toString);
    return told;
  }

  private StoreCall told(Method method, String outcome, Supplier<?> call) {
    StoreCall told = told(call);
    assertEquals(method, told.method());
    assertEquals(outcome.isEmpty() ? Map.of() : Map.of(outcome, 1), told.outcomes());
    assertEquals(Map.of(), told.faults());
    return told;
  }

  private long bytes() {
    RawBsonDocument document =
        collection.withDocumentClass(RawBsonDocument.class).find(new Document("_id", id)).first();
    return Objects.requireNonNull(document).getByteBuffer().remaining();
  }

  @Test
  @DisplayName("with its outcome and commands")
  void single() {
    MessageId first = message();
    Change secret = COUNT.set("note", "secret");
    told(Method.UPDATE, "Applied", () -> views.update(first, key, secret));
    told(Method.UPDATE, "Duplicate", () -> views.update(first, key, secret));
    told(Method.UPDATE, "Applied", () -> views.update(message(), key, inc("total", 1L)));
    told(Method.APPLY, "Applied", () -> views.apply(message(), key, ObservedTest::counted));
    told(Method.SKIP, "Recorded", () -> views.skip(message(), key));
    Change refused = change().onlyIf(attribute("total").is(-1));
    told(Method.UPDATE, "Refused", () -> views.update(message(), key, refused));
    SourceEvent second = SourceEvent.of("Order", "1", 2);
    told(Method.UPDATE, "Gap", () -> views.update(second, key, COUNT));
    told(Method.FIND, "", () -> views.find(key));
    told(Method.FIND, "Fresh", () -> views.find(key, notBefore(first)));
    told(Method.FIND, "NotYet", () -> views.find(key, notBefore(second)));
    told(Method.DELETE, "Applied", () -> views.delete(message(), key));
    told(
        Method.DELETE_EXISTING,
        "Missing",
        () -> views.deleteExisting(message(), key(id + "-other")));
    told(Method.FORGET, "Applied", () -> views.forget(message(), key));
  }

  @Test
  @DisplayName("with the requests of the change stream that it waited on")
  void waiting() {
    SourceEvent event = SourceEvent.of("Order", "1", 1);
    StoreCall told =
        told(
            Method.FIND,
            "NotYet",
            () -> views.find(key, notBefore(event).within(Duration.ofMillis(1_500))));
    assertTrue(told.requests().reads() > 4);
    assertTrue(told.latency().toMillis() >= 1_400);
  }

  @Test
  @DisplayName("with the sizes of document and marks, where the server tells them")
  void sizes() {
    MessageId first = message();
    StoreCall created = told(Method.UPDATE, "Applied", () -> views.update(first, key, COUNT));
    assertEquals(bytes(), created.sizes().get(0).bytes());
    for (int i = 0; i < 20; i++) {
      assertTrue(views.update(message(), key, COUNT.set("note", "n".repeat(i))).isApplied());
    }
    long bytes = bytes();
    StoreCall duplicate = told(Method.UPDATE, "Duplicate", () -> views.update(first, key, COUNT));
    StoreCall.Size size = duplicate.sizes().get(0);
    assertEquals(bytes, size.bytes());
    assertEquals(16 << 20, size.limit());
    long own = bytes - size.marks().bytes();
    assertTrue(own > 60 && own < 160, () -> size + " of which its own " + own);
    assertTrue(size.marks().writeUnits().isEmpty());
    assertEquals(
        List.of(size),
        told(Method.FIND, "NotYet", () -> views.find(key, notBefore(message()))).sizes());
    StoreCall deleted = told(Method.DELETE, "Applied", () -> views.delete(message(), key));
    assertEquals(bytes(), deleted.sizes().get(0).bytes());
  }

  @Test
  @DisplayName("with the class of its fault")
  void faults() {
    StoreCall bad =
        told(
            () ->
                assertThrows(
                    IllegalArgumentException.class,
                    () -> views.update(message(), key, change().set("_id", "secret"))));
    assertEquals(Map.of("IllegalArgumentException", 1), bad.faults());
    assertEquals(0, bad.requests().attempts());
    assertTrue(views.update(message(), key, COUNT.set("address", "secret")).isDone());
    StoreCall shape =
        told(
            () ->
                assertThrows(
                    InvalidChangeException.class,
                    () -> views.update(message(), key, change().set("address.city", "secret"))));
    assertEquals(Map.of("InvalidChangeException", 1), shape.faults());
    assertEquals(Map.of(), shape.outcomes());
  }

  @Test
  @DisplayName("once for a batch, with what became of its messages")
  void batch() {
    assertTrue(views.update(message(), key(id + 6), COUNT).isApplied());
    MessageId twice = message();
    List<Write<Document>> writes =
        List.of(
            Write.update(twice, key, COUNT),
            Write.update(twice, key, COUNT),
            Write.apply(message(), key(id + 1), Document::new, ObservedTest::counted),
            Write.update(message(), key(id + 3), change().set("_id", "secret")),
            Write.update(SourceEvent.of("Order", "1", 2), key(id + 4), COUNT),
            Write.update(SourceEvent.of("Order", "1", 3), key(id + 4), COUNT),
            Write.delete(message(), key(id + 5)));
    StoreCall told = told(() -> views.writeAll(writes));
    assertEquals(Method.WRITE_ALL, told.method());
    assertEquals(Map.of("Applied", 3, "Duplicate", 1, "Gap", 1), told.outcomes());
    assertEquals(Map.of("IllegalArgumentException", 1), told.faults());
    assertEquals(1, told.heldBack());
    StoreCall bulk = told(() -> views.writeAll(many()));
    assertEquals(Map.of("Applied", 249, "Deleted", 1), bulk.outcomes());
    assertEquals(1, bulk.requests().reads());
    assertEquals(2, bulk.requests().writes()); // inserts and updates
    assertEquals(3, bulk.sizes().size()); // of those that were there
    StoreCall again = told(() -> views.writeAll(many())); // of documents that are all there
    assertEquals(1, again.requests().reads());
    assertEquals(1, again.requests().writes());
    assertEquals(250, again.sizes().size());
  }

  private List<Write<Document>> many() {
    return IntStream.range(0, 250)
        .mapToObj(i -> Write.apply(message(), key(id + i), Document::new, ObservedTest::counted))
        .toList();
  }

  @Test
  @DisplayName("with the commands that the store sent again, and not those that the driver did")
  void again() {
    try (Proxied server = Proxied.open()) {
      MongoProxy proxy = server.proxy();
      MongoEntityStore<Document> far =
          MongoEntityStore.builder(server.collection(collection)).listener(calls::add).build();
      assertTrue(far.update(message(), key, COUNT).isApplied());
      calls.clear();
      proxy.refuse(2, 16500);
      assertTrue(far.update(message(), key, COUNT).isApplied());
      assertEquals(3, calls.get(0).requests().writes());
      calls.clear();
      proxy.loseReplies(0, 1, () -> {});
      assertTrue(far.update(message(), key, COUNT).isApplied());
      assertEquals(Map.of("Applied", 1), calls.get(0).outcomes());
      assertEquals(1, calls.get(0).requests().attempts());
    }
  }

  @Test
  @DisplayName("and may fail: the call does not")
  void throwing() {
    MongoEntityStore<Document> broken =
        store(
            call -> {
              calls.add(call);
              throw new IllegalStateException("on purpose");
            });
    MessageId message = message();
    try (MongoLog log = MongoLog.of(StoreListener.class)) {
      told(Method.UPDATE, "Applied", () -> broken.update(message, key, COUNT));
      told(() -> broken.writeAll(List.of(Write.update(message, key, COUNT))));
      assertEquals(Map.of("Duplicate", 1), calls.get(0).outcomes());
      told(Method.FIND, "", () -> broken.find(key));
      assertEquals(1, log.said().size());
    }
  }

  @Test
  @DisplayName("and a guard warns at its share of 16 MB, without the key")
  void guard() {
    try (MongoLog log = MongoLog.of(SizeGuard.class)) {
      MongoEntityStore<Document> guarded = store(SizeGuard.of(Clock.systemUTC()).from(0.01));
      Change large = COUNT.set("note", "n".repeat(160_000));
      assertTrue(guarded.update(message(), key, large).isApplied());
      assertTrue(guarded.update(message(), key, large).isApplied());
      assertEquals(List.of(), log.said());
      Change larger = COUNT.set("note", "n".repeat(170_000));
      assertTrue(guarded.update(message(), key, larger).isApplied());
      assertTrue(guarded.skip(message(), key) instanceof Outcome.Recorded);
      assertEquals(1, log.said().size());
      assertTrue(log.said().get(0).contains(" has 1 % of the 16777216 bytes"));
      assertFalse(log.said().get(0).contains(id));
    }
  }
}
