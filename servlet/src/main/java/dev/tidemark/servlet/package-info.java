/**
 * Idempotency keys of HTTP requests: for services whose clients send a request again when no answer
 * came.
 *
 * <pre>{@code
 * Filter filter =
 *     IdempotencyFilter.builder(Executions.of("checkout", records))
 *         .tenant(HttpServletRequest::getRemoteUser)
 *         .build();
 * }</pre>
 */
@NullMarked
package dev.tidemark.servlet;

import org.jspecify.annotations.NullMarked;
