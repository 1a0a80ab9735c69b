package dev.tidemark.dynamodb;

import dev.tidemark.ContentionException;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbResponse;

/**
 * That an item has no room for a message ID, or is said to have many sources and has few, which a
 * write of the Enhanced Client cannot mend: its entity does not carry the marks. The write that
 * mends it goes alone; others may have made it.
 */
final class NoRoom extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient Found<?> found;
  private final transient Marking marking;

  NoRoom(Found<?> found, Marking marking) {
    super("no room for a write without marks", null, false, false);
    this.found = found;
    this.marking = marking;
  }

  Found<?> found() {
    return found;
  }

  Marking marking() {
    return marking;
  }

  /** Makes the room; the transaction has to be sent again, whatever came of it. */
  <T, R> CompletableFuture<R> made(Calls<T> calls) {
    Making making = new Making(new Transport.Turn.Ask(calls.writes().room(this)));
    return calls
        .transport()
        .carry(making)
        .thenCompose(
            over ->
                CompletableFuture.failedFuture(
                    new ContentionException(
                        "nothing of the transaction was written, since its marks had to be pruned or"
                            + " counted, which is done by now; send it again",
                        marking.key(),
                        making.error)));
  }

  private static final class Making implements Transport.Exchange {
    private Transport.@Nullable Turn next;
    private @Nullable Throwable error;

    Making(Transport.Turn next) {
      this.next = next;
    }

    @Override
    public Transport.@Nullable Turn next() {
      return next;
    }

    @Override
    public void replied(DynamoDbResponse reply) {
      next = null;
    }

    @Override
    public void failed(Throwable thrown) {
      next = null;
      error = thrown;
    }
  }
}
