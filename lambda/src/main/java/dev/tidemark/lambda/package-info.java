/**
 * AWS Lambda's event source mappings: the messages of an event become deliveries for a projector,
 * and what became of them is the partial batch response by which the mapping knows what to send
 * again. A function is a class of a few lines:
 *
 * <pre>{@code
 * public final class OrdersFunction implements RequestHandler<SQSEvent, SQSBatchResponse> {
 *   private final SqsBatch batch = SqsBatch.of(decoder, projector::handle);
 *
 *   public SQSBatchResponse handleRequest(SQSEvent event, Context context) {
 *     return batch.handle(event);
 *   }
 * }
 * }</pre>
 *
 * <p>Start with {@link dev.tidemark.lambda.SqsBatch}, {@link dev.tidemark.lambda.KinesisBatch},
 * {@link dev.tidemark.lambda.DynamoDbStreamBatch} or {@link dev.tidemark.lambda.KafkaBatch}. All of
 * them promise that nothing is acknowledged but what is handled or kept among the dead letters, and
 * that nothing is acknowledged behind what is not, in the carrier's own order. An event that names
 * its messages badly is refused before any of it is handled. They have no thread and no client of
 * their own, and may be shared by threads.
 *
 * <p><b>An event has one batch.</b> The mapping takes for done whatever the answer does not name,
 * and the answer of a batch knows of no other batch. Two projectors over one event are one handler:
 * {@code deliveries -> orders.handle(deliveries).and(totals.handle(deliveries))}.
 *
 * <p><b>The mapping has to report batch item failures</b> ({@code ReportBatchItemFailures}) where
 * the answer of {@code handle} is given to it. One that does not ignores the answer, and what is
 * not done is lost. A function behind such a mapping calls {@code handleOrThrow}, which answers
 * nothing, and throws while anything is not done.
 */
@NullMarked
package dev.tidemark.lambda;

import org.jspecify.annotations.NullMarked;
