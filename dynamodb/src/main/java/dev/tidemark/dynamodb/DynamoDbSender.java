package dev.tidemark.dynamodb;

import dev.tidemark.kernel.Marking;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** Sends one conditional write until it is accepted, refused, or met by a fault. */
final class DynamoDbSender<T> {
  private final DynamoDbWrites<T> writes;
  private final Marking marking;
  private final DynamoDbRetries retries;

  DynamoDbSender(DynamoDbWrites<T> writes, Marking marking, DynamoDbRetries retries) {
    this.writes = writes;
    this.marking = marking;
    this.retries = retries;
  }

  /**
   * Sends a write.
   *
   * @param accepted goes on with the item after it
   * @param refused goes on with what refused it, or with what is there since
   */
  <R> CompletableFuture<R> send(
      DynamoDbWrite write,
      Function<Map<String, AttributeValue>, CompletableFuture<R>> accepted,
      Function<DynamoDbStored<T>, CompletableFuture<R>> refused) {
    DynamoDbAttempts attempts = new DynamoDbAttempts(writes.transport().metricPublishers());
    int epoch = writes.pressure().epoch();
    return DynamoDbTransport.then(
        write.send(attempts),
        item -> {
          writes.pressure().saw(epoch, attempts.wereThrottled(null));
          return accepted.apply(item);
        },
        error -> {
          writes.pressure().saw(epoch, attempts.wereThrottled(error));
          if (attempts.wereUncertain(error)) {
            retries.uncertain();
          }
          Supplier<CompletableFuture<R>> resend = () -> send(write, accepted, refused);
          return switch (DynamoDbErrors.kind(error, attempts)) {
            case REFUSED -> refused(DynamoDbErrors.item(error), refused);
            case CONTENDED ->
                retries.again(
                    error, attempts.wereRepeated(error) ? DynamoDbRetries.REPEATED : 1, resend);
            case UNCERTAIN -> retries.lost(error, resend);
            case ABANDONED -> CompletableFuture.failedFuture(marking.unknown(error));
            case FAULT -> retries.fault(error);
          };
        });
  }

  /** A refusal without an item is no proof that there is none: not every server sends it. */
  private <R> CompletableFuture<R> refused(
      Map<String, AttributeValue> item, Function<DynamoDbStored<T>, CompletableFuture<R>> refused) {
    if (!item.isEmpty()) {
      return refused.apply(writes.mapping().stored(item).ofRefusal());
    }
    return DynamoDbTransport.then(
        writes.read(marking.key(), true),
        refused,
        error ->
            DynamoDbErrors.isContended(error)
                ? retries.again(error, DynamoDbRetries.REPEATED, () -> refused(item, refused))
                : retries.fault(error));
  }
}
