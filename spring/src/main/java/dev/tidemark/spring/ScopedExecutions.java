package dev.tidemark.spring;

import dev.tidemark.execution.ExecutionListener;
import dev.tidemark.execution.ExecutionRecords;
import dev.tidemark.execution.Executions;
import dev.tidemark.execution.ExecutionsBuilder;
import org.springframework.beans.factory.ObjectProvider;

/** Makes the executions of a scope, with what is a bean. */
final class ScopedExecutions {
  private ScopedExecutions() {}

  static Executions of(
      String scope,
      ExecutionRecords records,
      ObjectProvider<ExecutionListener> listeners,
      ObjectProvider<ExecutionsCustomizer> customizers) {
    ExecutionsBuilder builder = Executions.builder(scope, records);
    listeners.orderedStream().reduce(ExecutionListener::and).ifPresent(builder::listener);
    customizers.orderedStream().forEach(customizer -> customizer.customize(scope, builder));
    return builder.build();
  }
}
