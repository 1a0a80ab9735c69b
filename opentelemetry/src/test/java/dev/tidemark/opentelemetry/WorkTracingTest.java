package dev.tidemark.opentelemetry;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static dev.tidemark.opentelemetry.Spans.attribute;
import static dev.tidemark.opentelemetry.Spans.attributes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import dev.tidemark.Change;
import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Tracking;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoOutbox;
import dev.tidemark.mongodb.MongoRecordStore;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.Sender;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.Map;
import java.util.UUID;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

@DisplayName("Spans of work are made of")
class WorkTracingTest {
  @RegisterExtension
  static final OpenTelemetryExtension TELEMETRY = OpenTelemetryExtension.create();

  private static final Spans SPANS = new Spans(TELEMETRY);
  private static final Tracer TRACER = TELEMETRY.getOpenTelemetry().getTracer("test");
  private static final MongoClient CLIENT = SPANS.mongo();
  private static final Change COUNT = change().add("total", 1).createIfMissing();

  private final OpenTelemetry openTelemetry = TELEMETRY.getOpenTelemetry();
  private final TidemarkTracing tracing = new TidemarkTracing(openTelemetry);
  private final Tracking tracking = Tracking.defaults();
  private final String table = "orders-" + UUID.randomUUID();
  private final MongoCollection<Document> collection =
      CLIENT.getDatabase("shop").getCollection(table);
  private final MongoCollection<Document> keys =
      CLIENT.getDatabase("shop").getCollection("keys-" + table);
  private final EntityKey key = key("secret-" + UUID.randomUUID());
  private final MessageId message = MessageId.of("secret-" + UUID.randomUUID());

  @AfterEach
  void leakNothing() {
    SPANS.leakNothing();
  }

  private void publish() {
    OutgoingMessage outgoing = OutgoingMessage.to("orders", "secret-text");
    MongoEntityStore<Document> store =
        MongoEntityStore.builder(collection).tracking(tracking).build();
    assertTrue(store.update(message, key, COUNT.publish(outgoing)).isApplied());
  }

  @Test
  @DisplayName("executions, around the work and the requests of their records")
  void executions() {
    // snippet: tracing
    TidemarkTracing tracing = new TidemarkTracing(openTelemetry);
    MongoEntityStore<Document> orders =
        MongoEntityStore.builder(collection).tracking(tracking).listener(tracing).build();
    Executions checkouts =
        Executions.builder("checkout", MongoRecordStore.of(keys)).listener(tracing).build();
    // end
    assertTrue(checkouts.forget("none")); // asks for the kind of the collection
    SPANS.clear();
    Execution<String> done =
        checkouts.run(
            "secret-key",
            "secret-request",
            String.class,
            steps -> orders.update(message, key, COUNT).isApplied() ? "secret-result" : "");
    assertInstanceOf(Execution.Executed.class, done);
    SpanData execution = SPANS.named("execute checkout");
    SpanData update = SPANS.named("update " + table);
    assertEquals(execution.getSpanId(), update.getParentSpanId());
    assertEquals(
        Map.of("tidemark.execution.scope", "checkout", "tidemark.execution.event", "completed"),
        attributes(execution));
    assertEquals("claimed", execution.getEvents().get(0).getName());
    assertEquals(StatusCode.UNSET, execution.getStatus().getStatusCode());
    assertEquals(2, SPANS.childrenOf(execution)); // the claim and the end
  }

  @Test
  @DisplayName("executions whose work throws, as errors")
  void released() {
    Executions checkouts =
        Executions.builder("checkout", MongoRecordStore.of(keys)).listener(tracing).build();
    SPANS.clear();
    assertThrows(
        IllegalStateException.class,
        () ->
            checkouts.run(
                "secret-key",
                null,
                String.class,
                steps -> {
                  throw new IllegalStateException("secret");
                }));
    SpanData execution = SPANS.named("execute checkout");
    assertEquals(StatusCode.ERROR, execution.getStatus().getStatusCode());
    assertEquals("released", attribute(execution, "error.type"));
  }

  @Test
  @DisplayName("passes of relays, around the sender's own spans")
  void passes() {
    publish();
    MongoOutbox outbox = MongoOutbox.of(collection);
    outbox.createIndex();
    SPANS.clear();
    Relay relay =
        Relay.builder(
                outbox,
                Sender.each(
                    one ->
                        TRACER
                            .spanBuilder("send")
                            .setSpanKind(SpanKind.PRODUCER)
                            .startSpan()
                            .end()))
            .listener(tracing)
            .build();
    assertEquals(1, relay.sweep().sent());
    SpanData pass = SPANS.named("relay " + outbox.name());
    assertEquals(1L, attribute(pass, "tidemark.outbox.sent"));
    assertEquals(StatusCode.UNSET, pass.getStatus().getStatusCode());
    assertEquals(pass.getSpanId(), SPANS.of(SpanKind.PRODUCER).get(0).getParentSpanId());
    SPANS.assertChildren(SPANS.of(SpanKind.CLIENT).size(), pass);
  }

  @Test
  @DisplayName("passes in which a message fails, as errors with the exception's class")
  void failedPass() {
    publish();
    MongoOutbox outbox = MongoOutbox.of(collection);
    outbox.createIndex();
    SPANS.clear();
    Relay relay =
        Relay.builder(
                outbox,
                Sender.each(
                    one -> {
                      throw new IllegalStateException("secret");
                    }))
            .listener(tracing)
            .build();
    assertEquals(1, relay.sweep().failed());
    SpanData pass = SPANS.named("relay " + outbox.name());
    assertEquals(StatusCode.ERROR, pass.getStatus().getStatusCode());
    assertEquals("java.lang.IllegalStateException", attribute(pass, "error.type"));
  }
}
