/**
 * Idempotency keys: an effect that happens once per scope and key, and whose result is replayed.
 *
 * <p>{@link dev.tidemark.execution.Executions} claims a key by one conditional write, runs the
 * work, and stores the result by another. Every write of a run is conditional on the revision that
 * the run wrote before, so that an owner which was taken over stops instead of overwriting. Work
 * that has several effects names them as {@link dev.tidemark.execution.Steps steps}; what a crash
 * leaves in doubt is told as such.
 *
 * <p>The package decides and knows no store. Its records are kept in a {@link
 * dev.tidemark.store.RecordStore}.
 */
@NullMarked
package dev.tidemark.execution;

import org.jspecify.annotations.NullMarked;
