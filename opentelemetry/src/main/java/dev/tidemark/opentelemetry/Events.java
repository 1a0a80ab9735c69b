package dev.tidemark.opentelemetry;

import dev.tidemark.execution.ExecutionEvent;
import dev.tidemark.execution.ExecutionEvent.Kind;
import dev.tidemark.metrics.StoreCall;
import dev.tidemark.outbox.RelayPass;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Writes what listeners are told into spans. Each method says whether the span is over. */
final class Events {
  private static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");
  private static final AttributeKey<Long> BATCH_SIZE =
      AttributeKey.longKey("db.operation.batch.size");
  private static final AttributeKey<String> EVENT =
      AttributeKey.stringKey("tidemark.execution.event");

  /** What the conventions have where no one class says it. */
  private static final String OTHER = "_OTHER";

  private Events() {}

  static boolean ended(Span span, StoreCall call) {
    int messages = call.heldBack() + sum(call.outcomes()) + sum(call.faults());
    if (call.method() == StoreCall.Method.WRITE_ALL && messages != 1) {
      span.setAttribute(BATCH_SIZE, (long) messages);
    }
    call.outcomes().forEach((outcome, count) -> messages(span, outcome, count));
    call.faults().forEach((fault, count) -> messages(span, fault, count));
    messages(span, "HeldBack", call.heldBack());
    StoreCall.Requests requests = call.requests();
    span.setAttribute("tidemark.requests.read", requests.reads());
    span.setAttribute("tidemark.requests.write", requests.writes());
    int repeats = requests.attempts() - requests.reads() - requests.writes();
    span.setAttribute("tidemark.requests.repeat", repeats);
    requests.readUnits().ifPresent(units -> span.setAttribute("tidemark.units.read", units));
    requests.writeUnits().ifPresent(units -> span.setAttribute("tidemark.units.write", units));
    Set<String> faults = call.faults().keySet();
    if (!faults.isEmpty()) {
      failed(span, faults.size() == 1 ? faults.iterator().next() : OTHER);
    }
    return true;
  }

  static boolean passed(Span span, RelayPass pass) {
    span.setAttribute("tidemark.outbox.shards", pass.shards());
    span.setAttribute("tidemark.outbox.pending", pass.pending());
    span.setAttribute("tidemark.outbox.sent", pass.sent());
    span.setAttribute("tidemark.outbox.failed", pass.failed());
    span.setAttribute("tidemark.outbox.parked", pass.parked());
    span.setAttribute("tidemark.outbox.prevented", pass.prevented());
    span.setAttribute("tidemark.outbox.refused", pass.refused());
    span.setAttribute("tidemark.outbox.takeovers", pass.takenOver());
    span.setAttribute("tidemark.outbox.held_back", pass.heldBack());
    span.setAttribute("tidemark.outbox.ahead", pass.ahead());
    span.setAttribute("tidemark.outbox.unreadable", pass.unreadable());
    Throwable error = pass.error();
    if (error != null) {
      failed(span, error.getClass().getName());
    }
    return true;
  }

  /** A claim is an event in the span; what comes of the work is its end. */
  static boolean happened(Span span, ExecutionEvent event) {
    String name = event.kind().name().toLowerCase(Locale.ROOT);
    if (event.kind() == Kind.CLAIMED || event.kind() == Kind.TAKEN_OVER) {
      span.addEvent(name);
      return false;
    }
    span.setAttribute(EVENT, name);
    if (event.kind() == Kind.FAULT || event.kind() == Kind.RELEASED) {
      failed(span, name);
    }
    return true;
  }

  private static int sum(Map<String, Integer> counts) {
    return counts.values().stream().mapToInt(Integer::intValue).sum();
  }

  private static void messages(Span span, String what, int count) {
    if (count > 0) {
      span.setAttribute("tidemark.messages." + what, count);
    }
  }

  /** By the class alone: the text of an exception may name what must not be told. */
  private static void failed(Span span, String type) {
    span.setStatus(StatusCode.ERROR);
    span.setAttribute(ERROR_TYPE, type);
  }
}
