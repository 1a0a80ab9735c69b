package dev.tidemark.opentelemetry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.testing.junit5.OpenTelemetryExtension;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The spans of a test, none of which may name what the tests call secret. */
record Spans(OpenTelemetryExtension telemetry) {
  /** A client whose commands have spans. */
  MongoClient mongo() {
    return MongoClients.create(Servers.mongo().addCommandListener(drivers()).build());
  }

  Drivers drivers() {
    return new Drivers(telemetry.getOpenTelemetry().getTracer("drivers"));
  }

  void clear() {
    telemetry.clearSpans();
  }

  List<SpanData> of(SpanKind kind) {
    return telemetry.getSpans().stream().filter(span -> span.getKind() == kind).toList();
  }

  /** The one span of Tidemark's that has a name. */
  SpanData named(String name) {
    List<SpanData> spans =
        of(SpanKind.INTERNAL).stream().filter(span -> span.getName().equals(name)).toList();
    assertEquals(1, spans.size(), () -> name + " of " + telemetry.getSpans());
    return spans.get(0);
  }

  static @Nullable Object attribute(SpanData span, String name) {
    return attributes(span).get(name);
  }

  static Map<String, Object> attributes(SpanData span) {
    return span.getAttributes().asMap().entrySet().stream()
        .collect(Collectors.toMap(one -> one.getKey().getKey(), Map.Entry::getValue));
  }

  /** How many requests of the clients are children of a span. */
  long childrenOf(SpanData parent) {
    return of(SpanKind.CLIENT).stream()
        .filter(request -> request.getParentSpanId().equals(parent.getSpanId()))
        .count();
  }

  void assertChildren(int count, SpanData parent) {
    assertEquals(count, of(SpanKind.CLIENT).size(), () -> "" + of(SpanKind.CLIENT));
    assertEquals(count, childrenOf(parent), () -> "" + of(SpanKind.CLIENT));
  }

  void leakNothing() {
    List<SpanData> told = telemetry.getSpans();
    assertFalse(told.isEmpty());
    assertFalse(told.toString().contains("secret"), told::toString);
    assertFalse(Span.current().getSpanContext().isValid(), "a span is left on the thread");
  }
}
