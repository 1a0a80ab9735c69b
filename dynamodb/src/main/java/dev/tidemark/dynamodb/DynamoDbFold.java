package dev.tidemark.dynamodb;

import dev.tidemark.ContentionException;
import dev.tidemark.Key;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Fold;
import dev.tidemark.kernel.FoldedWrite;
import dev.tidemark.kernel.Marking;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;

/** The writes of one entity in a batch, step by step. */
final class DynamoDbFold<T> {
  /** How often it makes room for others before it gives up. */
  private static final int MOST = 10;

  private final DynamoDbWrites<T> writes;
  private final Key key;
  private final Fold<T> fold;
  private final Function<Write<T>, CompletableFuture<Result<T>>> alone;
  private Fold.Step<T> step;
  private @Nullable Map<String, AttributeValue> read;
  private @Nullable Map<String, AttributeValue> recalled;
  private @Nullable Map<String, AttributeValue> item;
  private @Nullable DynamoDbRetries retries;
  private boolean postponed;
  private int postpones;

  /**
   * Prepares a fold.
   *
   * @param alone makes one write by a call of its own
   */
  DynamoDbFold(
      DynamoDbWrites<T> writes,
      Key key,
      Fold<T> fold,
      Function<Write<T>, CompletableFuture<Result<T>>> alone) {
    this.writes = writes;
    this.key = key;
    this.fold = fold;
    this.alone = alone;
    this.step = fold.next();
  }

  Key key() {
    return key;
  }

  /** Whether it starts with a read. */
  boolean mustLook() {
    return step instanceof Fold.Step.Look && recalled == null;
  }

  /** Gives it the item as it was a while ago; null if that is not known. */
  @SuppressWarnings("unchecked")
  DynamoDbFold<T> recalled(@Nullable Object old) {
    recalled = (Map<String, AttributeValue>) old;
    return this;
  }

  /** Gives it the item that it would read first; an empty one if there is none. */
  void read(Map<String, AttributeValue> item) {
    read = item;
  }

  /** Goes on until every write has a result, or until DynamoDB throttles for too long. */
  CompletableFuture<Void> run() {
    postponed = false;
    return DynamoDbTransport.loop(this::turn);
  }

  /** Whether it has to be run again, when there is room again. */
  boolean isPostponed() {
    return postponed;
  }

  /** What became of all writes, once it is not postponed. */
  List<Result<T>> results() {
    fold.remember(item);
    return fold.results();
  }

  private CompletableFuture<Boolean> turn() {
    if (step instanceof Fold.Step.Finished) {
      return CompletableFuture.completedFuture(false);
    }
    return DynamoDbTransport.then(
        DynamoDbRounds.run(this::take),
        done -> next(),
        error -> {
          if (!(Faults.withKey(error, key) instanceof RuntimeException fault)) {
            return CompletableFuture.failedFuture(error);
          }
          if (fault instanceof ContentionException && postpones < MOST && fold.postpone()) {
            return postponed();
          }
          fold.fault(fault, DynamoDbErrors.mayBeOfOne(fault));
          return next();
        });
  }

  private CompletableFuture<Boolean> postponed() {
    postpones++;
    postponed = true;
    retries = null;
    step = fold.next();
    return CompletableFuture.completedFuture(false);
  }

  private CompletableFuture<Boolean> next() {
    step = fold.next();
    return CompletableFuture.completedFuture(true);
  }

  private CompletableFuture<Void> take() {
    if (step instanceof Fold.Step.Alone<T> single) {
      return alone
          .apply(single.write())
          .thenCompose(
              result -> {
                if (result instanceof Result.Failed<T> failed
                    && failed.fault() instanceof ContentionException
                    && postpones < MOST) {
                  return CompletableFuture.failedFuture(failed.fault());
                }
                fold.end(single.place(), result);
                return CompletableFuture.completedFuture(null);
              });
    }
    if (step instanceof Fold.Step.Blind<T> blind) {
      DynamoDbEdit edit = edit(blind.attempt());
      Marking marking = blind.attempt().marking();
      return send(marking, edit, writes.blind(marking, edit), this::over);
    }
    Map<String, AttributeValue> old = recalled;
    recalled = null;
    if (old != null) {
      DynamoDbStored<T> stored = writes.mapping().stored(old);
      DynamoDbFoldedFunctions<T> functions = functions(stored);
      Optional<FoldedWrite<T>> attempt = fold.assuming(stored.found(), functions);
      if (attempt.isPresent()) {
        return informed(attempt.get(), stored, functions, this::over);
      }
    }
    Map<String, AttributeValue> known = read;
    read = null;
    return known != null ? over(writes.mapping().stored(known)) : look(writes.pressure().epoch());
  }

  private CompletableFuture<Void> look(int epoch) {
    return DynamoDbTransport.then(
        writes.read(key, true), this::over, error -> unread(epoch, error));
  }

  /** A throttled read makes room before it is postponed. */
  private CompletableFuture<Void> unread(int epoch, Throwable error) {
    if (!DynamoDbErrors.isContended(error)) {
      return CompletableFuture.failedFuture(error);
    }
    writes.pressure().saw(epoch, true);
    return writes
        .transport()
        .pause(DynamoDbRetries.BACKOFF.computeDelay(postpones + 1))
        .thenCompose(
            done ->
                CompletableFuture.failedFuture(
                    new ContentionException("reads are being throttled", key, error)));
  }

  private DynamoDbEdit edit(FoldedWrite<T> attempt) {
    return DynamoDbEdit.of(attempt.change(), writes.mapping().properties());
  }

  private DynamoDbFoldedFunctions<T> functions(DynamoDbStored<T> stored) {
    return new DynamoDbFoldedFunctions<>(writes.mapping(), writes.mapping().keys().of(key), stored);
  }

  /** What is stored decides. */
  private CompletableFuture<Void> over(DynamoDbStored<T> stored) {
    saw(stored.item());
    DynamoDbFoldedFunctions<T> functions = functions(stored);
    Optional<FoldedWrite<T>> attempt = fold.over(stored.found(), functions);
    if (attempt.isEmpty()) {
      return CompletableFuture.completedFuture(null);
    }
    Marking marking = attempt.get().marking();
    return informed(
        attempt.get(),
        stored,
        functions,
        later ->
            marking.token().equals(later.found().revision(writes.names()))
                ? over(later)
                : retries(marking).again(null, 1, () -> over(later)));
  }

  private CompletableFuture<Void> informed(
      FoldedWrite<T> attempt,
      DynamoDbStored<T> stored,
      DynamoDbFoldedFunctions<T> functions,
      Function<DynamoDbStored<T>, CompletableFuture<Void>> refused) {
    DynamoDbEdit edit =
        attempt.isOfFunctions()
            ? DynamoDbEdit.of(attempt.change(), DynamoDbConverter.NEUTRAL)
                .with(functions.difference())
            : edit(attempt);
    Marking marking = attempt.marking();
    DynamoDbWrite write =
        attempt.isOfTombstone()
            ? writes.recorded(marking, stored)
            : writes.informed(marking, stored, edit);
    return send(marking, edit, write, refused);
  }

  private void saw(Map<String, AttributeValue> last) {
    item = last.isEmpty() || DynamoDbValues.has(last, writes.names().tombstone()) ? null : last;
  }

  private CompletableFuture<Void> send(
      Marking marking,
      DynamoDbEdit edit,
      DynamoDbWrite write,
      Function<DynamoDbStored<T>, CompletableFuture<Void>> refused) {
    return new DynamoDbSender<>(writes, marking, retries(marking))
        .send(write, item -> accepted(marking, edit, item), refused);
  }

  /** The tries are those of the whole fold. */
  private DynamoDbRetries retries(Marking marking) {
    DynamoDbRetries before = retries;
    DynamoDbRetries now =
        before == null ? new DynamoDbRetries(marking, writes.transport()) : before.of(marking);
    retries = now;
    return now;
  }

  private CompletableFuture<Void> accepted(
      Marking marking, DynamoDbEdit edit, Map<String, AttributeValue> item) {
    saw(item);
    DynamoDbMapping<T> mapping = writes.mapping();
    boolean created = edit.rules().creates() && mapping.isCreated(item, marking, edit.touched());
    boolean deleted = DynamoDbValues.has(item, writes.names().tombstone());
    T entity = deleted ? null : mapping.entityIfMapped(item);
    fold.accepted(created, entity, mapping.marks(item, writes.names()::isMark));
    boolean flagged = DynamoDbValues.has(item, writes.names().full());
    if (!marking.mustFlagFull(writes.names().countSources(item.keySet()), flagged)) {
      return CompletableFuture.completedFuture(null);
    }
    DynamoDbAttempts attempts = new DynamoDbAttempts(writes.transport().metricPublishers());
    return writes.flagFull(marking).send(attempts).handle((reply, error) -> null);
  }
}
