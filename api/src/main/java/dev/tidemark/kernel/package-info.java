/**
 * For backends: what decides, without knowing a store. {@link dev.tidemark.kernel.Judge} says what
 * a delivery deserves and what the marks become, {@link dev.tidemark.kernel.Plan} says the same as
 * a guard and operations that a store can run in one write, and {@link dev.tidemark.kernel.Run}
 * goes from the first request to the outcome of each message. A backend renders requests, sends
 * them and reads the replies.
 *
 * <p>Marks are exchanged in one neutral form: a map from flat attribute names ({@link
 * dev.tidemark.kernel.Names}) to strings, booleans, {@code Long}s, {@code BigDecimal}s, read-only
 * {@code ByteBuffer}s, sets and lists of them.
 */
@NullMarked
package dev.tidemark.kernel;

import org.jspecify.annotations.NullMarked;
