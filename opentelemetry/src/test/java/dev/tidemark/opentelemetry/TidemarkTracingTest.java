package dev.tidemark.opentelemetry;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static dev.tidemark.opentelemetry.Spans.attribute;
import static dev.tidemark.opentelemetry.Spans.attributes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.dynamodb.DynamoDbAsyncEntityStore;
import dev.tidemark.dynamodb.DynamoDbEntityStore;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.mongodb.MongoEntityStore;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import software.amazon.awssdk.enhanced.dynamodb.AttributeConverterProvider;
import software.amazon.awssdk.enhanced.dynamodb.AttributeValueType;
import software.amazon.awssdk.enhanced.dynamodb.TableMetadata;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;
import software.amazon.awssdk.enhanced.dynamodb.document.EnhancedDocument;
import software.amazon.awssdk.services.dynamodb.DynamoDbAsyncClient;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeDefinition;
import software.amazon.awssdk.services.dynamodb.model.BillingMode;
import software.amazon.awssdk.services.dynamodb.model.KeySchemaElement;
import software.amazon.awssdk.services.dynamodb.model.KeyType;
import software.amazon.awssdk.services.dynamodb.model.ScalarAttributeType;

@DisplayName("Spans of stores are made of")
class TidemarkTracingTest {
  @RegisterExtension
  static final OpenTelemetryExtension TELEMETRY = OpenTelemetryExtension.create();

  private static final Tracer TRACER = TELEMETRY.getOpenTelemetry().getTracer("test");
  private static final Spans SPANS = new Spans(TELEMETRY);
  private static final Drivers DRIVERS = SPANS.drivers();
  private static final DynamoDbClient DYNAMO_DB = Servers.client(DynamoDbClient.builder(), DRIVERS);
  private static final DynamoDbAsyncClient ASYNC =
      Servers.client(DynamoDbAsyncClient.builder(), DRIVERS);
  private static final MongoClient MONGO_DB = SPANS.mongo();
  private static final Tracking TRACKING = Tracking.defaults();
  private static final Change COUNT = change().add("total", 1).createIfMissing();

  private final TidemarkTracing tracing = new TidemarkTracing(TELEMETRY.getOpenTelemetry());
  private final String table = "orders-" + UUID.randomUUID();
  private final EntityKey key = key("secret-" + UUID.randomUUID());
  private final MessageId message = MessageId.of("secret-" + UUID.randomUUID());

  @BeforeEach
  void create() {
    DYNAMO_DB.createTable(
        all ->
            all.tableName(table)
                .billingMode(BillingMode.PAY_PER_REQUEST)
                .keySchema(
                    KeySchemaElement.builder().attributeName("id").keyType(KeyType.HASH).build())
                .attributeDefinitions(
                    AttributeDefinition.builder()
                        .attributeName("id")
                        .attributeType(ScalarAttributeType.S)
                        .build()));
    SPANS.clear();
  }

  @AfterEach
  void leakNothing() {
    SPANS.leakNothing();
  }

  private static TableSchema<EnhancedDocument> schema() {
    return TableSchema.documentSchemaBuilder()
        .addIndexPartitionKey(TableMetadata.primaryIndexName(), "id", AttributeValueType.S)
        .attributeConverterProviders(AttributeConverterProvider.defaultProvider())
        .build();
  }

  private MongoCollection<Document> collection() {
    return MONGO_DB.getDatabase("shop").getCollection(table);
  }

  private EntityStore<?> store(String which, StoreListener listener) {
    EntityStore<?> store =
        which.equals("dynamodb")
            ? DynamoDbEntityStore.builder(DYNAMO_DB, table, schema())
                .tracking(TRACKING)
                .listener(listener)
                .build()
            : MongoEntityStore.builder(collection()).tracking(TRACKING).listener(listener).build();
    SPANS.clear(); // of what MongoDB was asked
    return store;
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"dynamodb", "mongodb"})
  @DisplayName("calls: outcomes and requests, in the caller's trace and around the client's spans")
  void calls(String which) {
    EntityStore<?> store = store(which, tracing);
    Span caller = TRACER.spanBuilder("handler").setSpanKind(SpanKind.CONSUMER).startSpan();
    try (Scope unused = caller.makeCurrent()) {
      assertTrue(store.update(message, key, COUNT).isApplied());
      assertSame(caller, Span.current());
    } finally {
      caller.end();
    }
    SpanData update = SPANS.named("update " + table);
    assertEquals(caller.getSpanContext().getSpanId(), update.getParentSpanId());
    assertEquals(StatusCode.UNSET, update.getStatus().getStatusCode());
    Map<String, Object> attributes = attributes(update);
    assertEquals(which.equals("dynamodb") ? 1.0 : null, attributes.remove("tidemark.units.write"));
    assertEquals(
        Map.of(
            "db.operation.name", "update",
            "db.collection.name", table,
            "tidemark.messages.Applied", 1L,
            "tidemark.requests.read", 0L,
            "tidemark.requests.write", 1L,
            "tidemark.requests.repeat", 0L),
        attributes);
    SPANS.assertChildren(1, update);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"dynamodb", "mongodb"})
  @DisplayName("outcomes that are not done, which are no errors")
  void outcomes(String which) {
    EntityStore<?> store = store(which, tracing);
    assertInstanceOf(Outcome.Missing.class, store.apply(message, key, view -> view));
    SpanData apply = SPANS.named("apply " + table);
    assertEquals(StatusCode.UNSET, apply.getStatus().getStatusCode());
    assertEquals(1L, attribute(apply, "tidemark.messages.Missing"));
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"dynamodb", "mongodb"})
  @DisplayName("faults, as errors with the exception's class and never its text")
  void faults(String which) {
    EntityStore<?> store = store(which, tracing);
    assertTrue(store.update(message, key, COUNT).isApplied());
    SPANS.clear();
    assertThrows(
        IllegalStateException.class,
        () ->
            store.apply(
                MessageId.of("secret"),
                key,
                view -> {
                  throw new IllegalStateException("secret " + key.parts());
                }));
    SpanData apply = SPANS.named("apply " + table);
    assertEquals(StatusCode.ERROR, apply.getStatus().getStatusCode());
    assertEquals("", apply.getStatus().getDescription());
    assertEquals(List.of(), apply.getEvents());
    assertEquals("IllegalStateException", attribute(apply, "error.type"));
    assertEquals(1L, attribute(apply, "tidemark.messages.IllegalStateException"));
    SPANS.assertChildren(1, apply);
  }

  @ParameterizedTest(name = "{0}")
  @ValueSource(strings = {"dynamodb", "mongodb"})
  @DisplayName("batches, with the number of their messages and of each outcome and fault")
  void batches(String which) {
    batch(store(which, tracing), table);
  }

  private <T> void batch(EntityStore<T> store, String name) {
    List<Result<T>> results =
        store.writeAll(
            List.of(
                Write.update(message, key, COUNT),
                Write.update(message, key("secret-2"), COUNT),
                Write.apply(
                    message,
                    key("secret-3"),
                    () -> {
                      throw new IllegalStateException("secret");
                    },
                    view -> view)));
    assertEquals(3, results.size());
    SpanData batch = SPANS.named("writeAll " + name);
    assertEquals(3L, attribute(batch, "db.operation.batch.size"));
    assertEquals(2L, attribute(batch, "tidemark.messages.Applied"));
    assertEquals("IllegalStateException", attribute(batch, "error.type"));
    assertEquals(StatusCode.ERROR, batch.getStatus().getStatusCode());
    SPANS.assertChildren(SPANS.of(SpanKind.CLIENT).size(), batch);
  }

  @Test
  @DisplayName("calls of an asynchronous client, around requests that its own threads send too")
  void asynchronous() {
    DynamoDbAsyncEntityStore<EnhancedDocument> store =
        DynamoDbAsyncEntityStore.builder(ASYNC, table, schema())
            .tracking(TRACKING)
            .listener(tracing)
            .build();
    Outcome<EnhancedDocument> outcome =
        store
            .apply(
                message,
                key,
                () -> EnhancedDocument.builder().putString("status", "new").build(),
                view -> view)
            .join();
    assertTrue(outcome.isApplied());
    SpanData apply = SPANS.named("apply " + table);
    SPANS.assertChildren(2, apply);
    assertFalse(Span.current().getSpanContext().isValid());
  }

  @Test
  @DisplayName("calls that were over when it was told of them, with the time that they took")
  void afterwards() {
    EntityStore<?> store = store("mongodb", call -> tracing.ended(call));
    assertTrue(store.update(message, key, COUNT).isApplied());
    SpanData update = SPANS.named("update " + table);
    assertEquals(1L, attribute(update, "tidemark.messages.Applied"));
    assertTrue(update.getEndEpochNanos() > update.getStartEpochNanos());
  }
}
