package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static dev.tidemark.Condition.attribute;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Change;
import dev.tidemark.ContentionException;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.tck.View;
import java.util.UUID;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@DisplayName("Attempts without an answer, repeated by the SDK or by the store itself")
final class LostReplyTest {
  private static final TableSchema<View> SCHEMA = DynamoDbBackend.schema(false);
  private static final Change COUNT = change().add("total", 1).createIfMissing();
  private static final Change PLACE =
      change()
          .set("status", "PLACED")
          .add("total", 1)
          .onlyIf(attribute("status").isMissing())
          .createIfMissing();

  private static final DynamoDbFaults HTTP = DynamoDbTables.faults();
  private static DynamoDbClient repeating;
  private static DynamoDbClient single;
  private static String table;

  private final EntityKey key = key(UUID.randomUUID().toString());

  @BeforeAll
  static void open() {
    repeating = DynamoDbTables.client(HTTP, new DynamoDbTables.Capacity(), 3);
    single = DynamoDbTables.client(HTTP, new DynamoDbTables.Capacity(), 1);
    table = DynamoDbTables.create(single, SCHEMA);
  }

  @AfterAll
  static void close() {
    repeating.close();
    single.close();
  }

  private static DynamoDbEntityStore<View> store(boolean repeated) {
    return DynamoDbEntityStore.of(repeated ? repeating : single, table, SCHEMA);
  }

  private static MessageId message() {
    return MessageId.of(UUID.randomUUID());
  }

  private long total(DynamoDbEntityStore<View> views) {
    Long total = views.find(key).orElseThrow().getTotal();
    return total == null ? 0 : total;
  }

  private static <R> R losing(int replies, Supplier<R> call) {
    HTTP.loseReplies(replies, () -> {});
    try {
      return call.get();
    } finally {
      HTTP.heal();
    }
  }

  @ParameterizedTest(name = "by the SDK: {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("the first attempt made the caller's own condition false: Applied, created")
  void ownCondition(boolean sdk) {
    DynamoDbEntityStore<View> views = store(sdk);
    Outcome<View> outcome = losing(2, () -> views.update(message(), key, PLACE));
    assertTrue(outcome instanceof Outcome.Applied<View> applied && applied.created());
    assertEquals(1, total(views));
    Outcome<View> function = losing(1, () -> views.apply(message(), key, NativeViews::counted));
    assertTrue(function.isApplied());
    Outcome<View> deletion = losing(1, () -> views.delete(message(), key));
    assertTrue(deletion.isApplied());
    Outcome<View> revived = losing(1, () -> views.update(message(), key, PLACE.recreate()));
    assertTrue(revived instanceof Outcome.Applied<View> applied && applied.created());
  }

  @ParameterizedTest(name = "by the SDK: {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("another writer in between: OutcomeUnknownException; a redelivery settles it")
  void otherWriter(boolean sdk) {
    DynamoDbEntityStore<View> views = store(sdk);
    MessageId id = message();
    HTTP.loseReplies(1, () -> assertTrue(views.update(message(), key, COUNT).isApplied()));
    assertThrows(OutcomeUnknownException.class, () -> views.update(id, key, PLACE));
    assertInstanceOf(Outcome.Duplicate.class, views.update(id, key, PLACE));
    assertEquals(2, total(views));
  }

  @ParameterizedTest(name = "by the SDK: {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("the record of a refused message is told as such after a lost reply")
  void recorded(boolean sdk) {
    DynamoDbEntityStore<View> views = store(sdk);
    assertTrue(views.update(message(), key, PLACE).isApplied());
    MessageId id = message();
    HTTP.heal();
    Outcome<View> outcome = losing(2, () -> views.update(id, key, PLACE.otherwiseSkip()));
    assertTrue(outcome.isDone() || outcome instanceof Outcome.Refused);
    assertInstanceOf(Outcome.Refused.class, outcome);
    assertInstanceOf(Outcome.Duplicate.class, views.update(id, key, PLACE));
  }

  @ParameterizedTest(name = "by the SDK: {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("a write that retires its own source is not applied twice")
  void retired(boolean sdk) {
    DynamoDbEntityStore<View> views = store(sdk);
    Source source = Source.of("Order", "1");
    assertTrue(views.update(message(), key, COUNT).isApplied());
    SourceEvent last = SourceEvent.of(source, dev.tidemark.Position.of(9));
    Outcome<View> outcome = losing(1, () -> views.update(last, key, COUNT.retire(source)));
    assertTrue(outcome.isApplied());
    assertEquals(2, total(views));
  }

  @ParameterizedTest(name = "by the SDK: {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("throttling and conflicts are certain: a duplicate stays Duplicate; a 500 is not")
  void certainty(boolean sdk) {
    DynamoDbEntityStore<View> views = store(sdk);
    MessageId id = message();
    assertTrue(views.update(id, key, COUNT).isApplied());
    HTTP.throttle(1);
    assertInstanceOf(Outcome.Duplicate.class, views.update(id, key, COUNT));
    HTTP.conflict(3);
    assertInstanceOf(Outcome.Duplicate.class, views.update(id, key, COUNT));
    HTTP.refuse(1, "InternalServerError");
    assertThrows(OutcomeUnknownException.class, () -> views.update(id, key, COUNT));
    HTTP.refuse(1, "InternalServerError");
    assertTrue(views.update(message(), key, COUNT).isApplied());
    assertEquals(2, total(views));
  }

  @ParameterizedTest(name = "by the SDK: {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("errors that last are faults: ContentionException if nothing was written for sure")
  void lasting(boolean sdk) {
    DynamoDbEntityStore<View> views = store(sdk);
    HTTP.throttle(10_000);
    assertThrows(ContentionException.class, () -> views.update(message(), key, COUNT));
    HTTP.heal();
    HTTP.refuse(10_000, "InternalServerError");
    OutcomeUnknownException unknown =
        assertThrows(OutcomeUnknownException.class, () -> views.update(message(), key, COUNT));
    HTTP.heal();
    assertEquals(key, unknown.key().orElseThrow());
    assertTrue(views.find(key).isEmpty());
  }
}
