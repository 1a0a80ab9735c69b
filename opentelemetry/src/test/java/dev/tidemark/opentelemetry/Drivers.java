package dev.tidemark.opentelemetry;

import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Makes a span of each request at the places where the instrumentations of the AWS SDK and of the
 * MongoDB driver do, with the current span as its parent.
 */
record Drivers(Tracer tracer) implements ExecutionInterceptor, CommandListener {
  @Override
  public void beforeExecution(Context.BeforeExecution context, ExecutionAttributes attributes) {
    span(context.request().getClass().getSimpleName());
  }

  @Override
  public void commandStarted(CommandStartedEvent event) {
    span(event.getCommandName());
  }

  private void span(String name) {
    tracer.spanBuilder(name).setSpanKind(SpanKind.CLIENT).startSpan().end();
  }
}
