package dev.tidemark.opentelemetry;

import dev.tidemark.execution.ExecutionEvent;
import dev.tidemark.execution.ExecutionListener;
import dev.tidemark.metrics.Ongoing;
import dev.tidemark.metrics.StoreCall;
import dev.tidemark.metrics.StoreListener;
import dev.tidemark.outbox.RelayListener;
import dev.tidemark.outbox.RelayPass;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.Tracer;
import java.time.Clock;
import java.time.Duration;

/**
 * Spans around the calls of any number of stores, around executions under idempotency keys, and
 * around the passes of relays, as the package's page lists them. While the call, the work or the
 * pass goes on, its span is the current one: spans of the AWS SDK's or MongoDB driver's own
 * instrumentation, and those that a sender makes, are its children.
 *
 * <p>No span has a key, a value, a payload or the text of an exception. Safe for use by many
 * threads, stores, scopes and relays.
 */
public final class TidemarkTracing implements StoreListener, ExecutionListener, RelayListener {
  private static final AttributeKey<String> OPERATION = AttributeKey.stringKey("db.operation.name");
  private static final AttributeKey<String> COLLECTION =
      AttributeKey.stringKey("db.collection.name");
  private static final AttributeKey<String> SCOPE =
      AttributeKey.stringKey("tidemark.execution.scope");
  private static final AttributeKey<String> RECORDS =
      AttributeKey.stringKey("tidemark.outbox.records");

  private final Tracer tracer;
  private final Clock clock;

  /**
   * Spans of a tracer that is named {@code dev.tidemark}.
   *
   * @param telemetry makes the tracer
   */
  public TidemarkTracing(OpenTelemetry telemetry) {
    this(telemetry, Clock.systemUTC());
  }

  TidemarkTracing(OpenTelemetry telemetry, Clock clock) {
    this.tracer = telemetry.getTracer("dev.tidemark");
    this.clock = clock;
  }

  @Override
  public Ongoing<StoreCall> calling(StoreCall.Method method, String store) {
    return OngoingSpan.of(call(method, store).startSpan(), Events::ended);
  }

  @Override
  public Ongoing<ExecutionEvent> executing(String scope) {
    return OngoingSpan.of(execution(scope).startSpan(), Events::happened);
  }

  @Override
  public Ongoing<RelayPass> passing(String records) {
    return OngoingSpan.of(pass(records).startSpan(), Events::passed);
  }

  /** Makes a span of a call that is over: for listeners that pass on ends alone. */
  @Override
  public void ended(StoreCall call) {
    SpanBuilder span = since(call.latency(), call(call.method(), call.store()));
    OngoingSpan.of(span.startSpan(), Events::ended).note(call);
  }

  /** Makes a span of an event; for listeners that pass on events alone, a claim has its own. */
  @Override
  public void happened(ExecutionEvent event) {
    SpanBuilder span = since(event.elapsed(), execution(event.scope()));
    OngoingSpan.<ExecutionEvent>of(
            span.startSpan(),
            (made, told) -> {
              boolean unused = Events.happened(made, told);
              return true;
            })
        .note(event);
  }

  /** Makes a span of a pass that is over: for listeners that pass on ends alone. */
  @Override
  public void passed(RelayPass pass) {
    SpanBuilder span = since(pass.elapsed(), pass(pass.records()));
    OngoingSpan.of(span.startSpan(), Events::passed).note(pass);
  }

  private SpanBuilder since(Duration elapsed, SpanBuilder span) {
    return span.setStartTimestamp(clock.instant().minus(elapsed));
  }

  private SpanBuilder call(StoreCall.Method method, String store) {
    return tracer
        .spanBuilder(method.methodName() + " " + store)
        .setAttribute(OPERATION, method.methodName())
        .setAttribute(COLLECTION, store);
  }

  private SpanBuilder execution(String scope) {
    return tracer.spanBuilder("execute " + scope).setAttribute(SCOPE, scope);
  }

  private SpanBuilder pass(String records) {
    return tracer.spanBuilder("relay " + records).setAttribute(RECORDS, records);
  }
}
