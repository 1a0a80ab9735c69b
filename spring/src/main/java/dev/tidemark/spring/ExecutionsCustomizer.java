package dev.tidemark.spring;

import dev.tidemark.execution.ExecutionsBuilder;

/**
 * Sets what executions need beside the defaults, such as a lease, or failures that are final. Beans
 * of this type are asked in their order, for the executions of {@code tidemark.executions.scope}
 * and those of the filter of idempotency keys.
 */
@FunctionalInterface
public interface ExecutionsCustomizer {
  /**
   * Changes the settings of the executions of one scope.
   *
   * @param scope keeps their keys apart from those of others
   * @param builder their settings
   */
  void customize(String scope, ExecutionsBuilder builder);
}
