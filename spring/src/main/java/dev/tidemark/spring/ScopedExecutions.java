package dev.tidemark.spring;

import dev.tidemark.execution.ExecutionListener;
import dev.tidemark.execution.Executions;
import dev.tidemark.execution.ExecutionsBuilder;
import dev.tidemark.store.RecordStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;

/** Makes the executions of a scope, with what is a bean. */
final class ScopedExecutions {
  private ScopedExecutions() {}

  static Executions of(
      String scope,
      RecordStore records,
      ObjectProvider<ExecutionListener> listeners,
      ObjectProvider<ExecutionsCustomizer> customizers) {
    requireJackson();
    ExecutionsBuilder builder = Executions.builder(scope, records);
    listeners.orderedStream().reduce(ExecutionListener::and).ifPresent(builder::listener);
    customizers.orderedStream().forEach(customizer -> customizer.customize(scope, builder));
    return builder.build();
  }

  /** Spring Boot 4 has Jackson 3 of its own, so that an application may have left out Jackson 2. */
  private static void requireJackson() {
    if (!ClassUtils.isPresent("com.fasterxml.jackson.databind.ObjectMapper", null)) {
      throw new SetupException(
          "Executions store results by Jackson 2, and it is not on the class path. Spring Boot 4"
              + " has Jackson 3, which is another library.",
          "Add com.fasterxml.jackson.core:jackson-databind, and do not exclude it from"
              + " tidemark-api.");
    }
  }
}
