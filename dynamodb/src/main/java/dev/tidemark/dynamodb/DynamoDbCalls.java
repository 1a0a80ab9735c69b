package dev.tidemark.dynamodb;

import dev.tidemark.Change;
import dev.tidemark.Key;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Tracking;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Recall;
import dev.tidemark.kernel.TrackedCall;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The tracked calls of one store, on either client. */
final class DynamoDbCalls<T> {
  private final DynamoDbWrites<T> writes;
  private final Tracking tracking;
  private final Names names;
  private final Clock clock;
  private final Recall recall;

  DynamoDbCalls(DynamoDbWrites<T> writes, Tracking tracking, Clock clock, Recall recall) {
    this.writes = writes;
    this.tracking = tracking;
    this.names = Names.flat(tracking);
    this.clock = clock;
    this.recall = recall;
  }

  /** Does some work for a message, once. */
  CompletableFuture<Outcome<T>> run(Message message, Key given, DynamoDbWork<T> work) {
    return DynamoDbTransport.start(() -> start(message, given, work));
  }

  private CompletableFuture<Outcome<T>> start(Message message, Key given, DynamoDbWork<T> work) {
    Key key = recall.isOn() ? writes.canonical(given) : given;
    Optional<Outcome<T>> sure = recall.sure(message, key);
    if (sure.isPresent()) {
      return CompletableFuture.completedFuture(sure.get());
    }
    DynamoDbRun<T> run = run(message, key, work, Marking.newToken());
    Object recalled = recall.stored(key);
    if (work.erases()) {
      recall.forget(key);
    }
    return withKey(key, work.rules(), () -> run.start(recalled))
        .thenApply(
            outcome -> {
              recall.saw(message, key, outcome, work.erases(), run.item());
              return outcome;
            });
  }

  /** Goes on after a write of somebody else's, with the given token, that was refused. */
  CompletableFuture<Outcome<T>> resume(
      Message message,
      ByteBuffer token,
      Key key,
      DynamoDbWork<T> work,
      @Nullable DynamoDbStored<T> stored,
      boolean uncertain) {
    return withKey(
        key, work.rules(), () -> run(message, key, work, token).resume(stored, uncertain));
  }

  private DynamoDbRun<T> run(Message message, Key key, DynamoDbWork<T> work, ByteBuffer token) {
    TrackedCall call = new TrackedCall(message, key, tracking, names, clock, token);
    return new DynamoDbRun<>(writes, call, work);
  }

  @SuppressWarnings("FutureReturnValueIgnored")
  private CompletableFuture<Outcome<T>> withKey(
      Key key, Change rules, Supplier<CompletableFuture<Outcome<T>>> run) {
    return DynamoDbTransport.start(run)
        .handle(
            (outcome, error) ->
                error == null
                    ? CompletableFuture.completedFuture(outcome)
                    : CompletableFuture.<Outcome<T>>failedFuture(
                        Faults.withKey(
                            DynamoDbErrors.ofChange(DynamoDbErrors.unwrap(error), rules), key)))
        .thenCompose(Function.identity());
  }
}
