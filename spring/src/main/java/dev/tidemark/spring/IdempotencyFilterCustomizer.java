package dev.tidemark.spring;

import dev.tidemark.servlet.IdempotencyFilter;

/**
 * Sets what the filter of idempotency keys needs beside the defaults, such as a tenant in place of
 * the authenticated principal. Beans of this type are asked in their order. Beside a filter of the
 * application's own they would have no effect, and the application does not start.
 */
@FunctionalInterface
public interface IdempotencyFilterCustomizer {
  /**
   * Changes the settings of the filter.
   *
   * @param filter its settings
   */
  void customize(IdempotencyFilter.Builder filter);
}
