/**
 * The decisions that all backends share: what a delivery deserves, and what to write next. The
 * package knows no store, and callers of Tidemark do not need it.
 *
 * <p><b>Calling.</b> A {@link dev.tidemark.kernel.Batch} sorts writes by entity. A {@link
 * dev.tidemark.kernel.Run} takes the writes of one entity from the first request to the outcome of
 * each; a single call is a run of one write. A backend asks the run for its next {@link
 * dev.tidemark.kernel.Step}, gives a {@link dev.tidemark.kernel.Request} the store's form and sends
 * it, and tells the run the {@link dev.tidemark.kernel.Reply}, or what it has read as {@link
 * dev.tidemark.kernel.Stored}. The run keeps one {@code Task} for each write. {@code Gatherer} and
 * its two walks gather the tasks that go together into the next request; {@code Attempt} is such a
 * request with what it means for the tasks, and {@code LostAttempts} are those without an answer.
 *
 * <p><b>Judging.</b> {@link dev.tidemark.kernel.Verdict} says what the stored marks mean for one
 * delivery, by {@link dev.tidemark.kernel.Judge} over {@link dev.tidemark.kernel.SourceMark} and
 * {@code Slots}; {@code Verdicts} asks it for the tasks of a run, and then whether an entity is
 * there. {@link dev.tidemark.kernel.Marking} is the same for a write: the guard that a store asks
 * of the marks, and the operations that record the messages ({@link dev.tidemark.kernel.Plan}
 * without a read, {@code Rewrite} over what was read). The guard is true only where the judge says
 * fresh. What the state of the entity means for a write is said by {@link
 * dev.tidemark.kernel.Requirement} for who has not read, and by {@link
 * dev.tidemark.kernel.Transition} for who has; {@code RuleRefusal} tells whether the caller's own
 * rule refused it.
 *
 * <p><b>Marks</b> are exchanged in one neutral form: a map from flat attribute names ({@link
 * dev.tidemark.kernel.Names}) to strings, booleans, {@code Long}s, {@code BigDecimal}s, read-only
 * {@code ByteBuffer}s, sets and lists of them. {@link dev.tidemark.kernel.Evaluator} says what
 * conditions and operations mean over such a map.
 *
 * <p><b>Plain records</b> are what Tidemark keeps beside entities, in a {@link
 * dev.tidemark.store.RecordStore}. {@link dev.tidemark.kernel.RecordCodec} says what the fields of
 * one kind of them mean, {@link dev.tidemark.kernel.TypedRecords} binds it to a store, and {@link
 * dev.tidemark.kernel.RecordWrites} writes until the store has answered.
 */
@NullMarked
package dev.tidemark.kernel;

import org.jspecify.annotations.NullMarked;
