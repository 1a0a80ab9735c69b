package dev.tidemark.dynamodb;

import dev.tidemark.Condition;
import dev.tidemark.ContentionException;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.OwnUpdate;
import dev.tidemark.marks.Marks;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.model.PutItemEnhancedRequest;
import software.amazon.awssdk.enhanced.dynamodb.model.UpdateItemEnhancedRequest;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.CancellationReason;
import software.amazon.awssdk.services.dynamodb.model.ConditionalCheckFailedException;
import software.amazon.awssdk.services.dynamodb.model.TransactionCanceledException;

/**
 * What it means that a write of the Enhanced Client with {@link TidemarkExtension} was refused: the
 * call of a store goes on from there, with that write's token.
 */
record RefusedWrites<T>(Calls<T> calls) {

  /**
   * One of them. An update can be made again if nothing was written since its entity was read; a
   * whole entity, and one write of a transaction, cannot.
   *
   * @param mapping maps the entity
   * @param entity what was written
   * @param update the same as an update; null if it cannot be made again
   * @param whole whether it was to replace the item
   */
  record Refused<T>(Mapping<T> mapping, T entity, @Nullable Edit update, boolean whole)
      implements OwnUpdate {
    /** Also of one without a condition of its own: another extension may have added one. */
    @Override
    public boolean hasRule() {
      return true;
    }

    /** That of the entity's version. */
    @Override
    public @Nullable Condition rule() {
      return update == null ? null : update.rule();
    }

    @Override
    public Rules rules() {
      return Rules.defaults().createIfMissing().returning();
    }

    @Override
    public boolean goesBlindly() {
      return false;
    }

    @Override
    public boolean recordsOnly() {
      return false;
    }

    /** Whether it passes what it requires beside marks and the caller's rule. */
    boolean accepts(Item<T> item) {
      Found<T> found = item.found();
      if (!isOfNow(found)) {
        return !whole && mapping.counters().isStaleVersion(entity, item.attributes());
      }
      if (mapping.carriesMarks() ? !found.isSame(read(), mapping.names()) : hasToBeRead(found)) {
        return false;
      }
      if (update == null && isSentSince(found)) {
        return false;
      }
      if (whole && !read().marks().keySet().equals(item.found().marks().keySet())) {
        throw new IllegalArgumentException(
            "the put would erase marks, since those of the entity are of a projection; read the"
                + " whole item first");
      }
      return update == null || update.accepts(item.attributes());
    }

    /**
     * The same write once more, over what is stored.
     *
     * @throws ContentionException if that is not what was read
     * @throws NoRoom if it cannot be made before another write has made room for its message ID, or
     *     has counted the sources again
     * @throws InvalidChangeException if only who has read the marks can make it
     */
    Edit again(Found<?> found, Marking marking) {
      if (update == null && !whole && !mapping.carriesMarks()) {
        requireBlind(found, marking);
      }
      boolean nothing =
          read().marks().isEmpty()
              && found.state(mapping.names(), marking.now()) == Found.State.ABSENT;
      if (update == null || !(nothing || isOfNow(found))) {
        throw new ContentionException(
            "nothing was written, and another write came since the entity was read; read it again",
            marking.key(),
            null);
      }
      return update;
    }

    /** That the marks are such as who has not read them can write in a transaction. */
    private void requireBlind(Found<?> found, Marking marking) {
      boolean isKept = !marking.acceptsBlindly(marking.marks(found));
      boolean isCounted =
          hasToBeRead(found) && found.state(mapping.names(), marking.now()) == Found.State.LIVE;
      boolean isId = marking.messages().get(0) instanceof MessageId;
      if (isCounted ? marking.opens(found) : isKept && isId) {
        throw new NoRoom(found, marking);
      }
      if (isCounted || isKept) {
        throw new InvalidChangeException(
            (isCounted
                    ? "the entity has marks of so many sources that each write has to count them"
                    : "the mark of the event's source can be written only by who has read it")
                + ": give "
                + mapping.type().getSimpleName()
                + " a property of type Marks, or write it in a DynamoDbTransaction",
            marking.key(),
            null);
      }
    }

    /** Whether what was read is what is stored, as far as the entity tells. */
    private boolean isOfNow(Found<?> found) {
      return !mapping.carriesMarks()
          || Objects.equals(read().revision(mapping.names()), found.revision(mapping.names()));
    }

    /** Whether messages that were read as waiting are not those that are stored. */
    private boolean isSentSince(Found<T> found) {
      Map<String, Object> marks = read().marks();
      return mapping.names().waiting().stream()
          .filter(marks::containsKey)
          .anyMatch(name -> !isSame(marks.get(name), found.marks().get(name)));
    }

    private static boolean isSame(@Nullable Object one, @Nullable Object other) {
      return one != null && other != null && Values.toNative(one).equals(Values.toNative(other));
    }

    private boolean hasToBeRead(Found<?> found) {
      return found.revision(mapping.names()) != null && !found.isOpen(mapping.names());
    }

    private Found<T> read() {
      Marks marks = mapping.marks(mapping.attributesOf(entity));
      return new Found<>(true, marks == null ? Map.of() : marks.attributes(), null);
    }
  }

  CompletableFuture<Outcome<T>> update(
      ConditionalCheckFailedException error, UpdateItemEnhancedRequest<T> request) {
    Edit edit = calls.natives().edit(request, Rules.defaults().createIfMissing());
    Refused<T> refused = new Refused<>(mapping(), request.item(), edit, false);
    CompletableFuture<Outcome<T>> outcome = resume(refused, error);
    return edit.hasRule() ? outcome : outcome.thenApply(told -> explained(told, request.item()));
  }

  /** Requires that something of which a store knows has refused a write without a condition. */
  private Outcome<T> explained(Outcome<T> outcome, T entity) {
    if (outcome instanceof Outcome.Refused) {
      throw new ContentionException(
          "nothing was written: a condition of another extension has refused it, or another write"
              + " came since; read the entity again",
          mapping().keyOf(entity),
          null);
    }
    return outcome;
  }

  CompletableFuture<Outcome<T>> put(
      ConditionalCheckFailedException error, PutItemEnhancedRequest<T> request) {
    Refused<T> refused = new Refused<>(mapping(), request.item(), null, true);
    return resume(refused, error);
  }

  /** What one write of a cancelled transaction met; empty if it was not what stopped it. */
  CompletableFuture<Optional<Outcome<T>>> transacted(
      TransactionCanceledException cancelled, int index, T entity) {
    List<CancellationReason> reasons = cancelled.cancellationReasons();
    if (index < 0 || index >= reasons.size()) {
      throw new IllegalArgumentException(
          "there is no item %d: the transaction was of %d items".formatted(index, reasons.size()));
    }
    CancellationReason reason = reasons.get(index);
    if (Transactions.isNone(reason)) {
      return CompletableFuture.completedFuture(Optional.empty());
    }
    if (!Transactions.isRefusal(reason)) {
      Throwable fault = Faults.of(reason, cancelled, mapping().keyOf(entity));
      return CompletableFuture.failedFuture(fault);
    }
    Refused<T> refused = new Refused<>(mapping(), entity, null, false);
    return resume(refused, reason.item(), false)
        .<Optional<Outcome<T>>>thenApply(Optional::of)
        .exceptionallyCompose(
            error ->
                Errors.unwrap(error) instanceof NoRoom none
                    ? none.made(calls)
                    : CompletableFuture.failedFuture(error));
  }

  private CompletableFuture<Outcome<T>> resume(
      Refused<T> refused, ConditionalCheckFailedException error) {
    return resume(refused, error.item(), Errors.wereUncertain(error));
  }

  /** Goes on with the item that refused it, as it was told; it is read where none was. */
  private CompletableFuture<Outcome<T>> resume(
      Refused<T> refused, Map<String, AttributeValue> told, boolean uncertain) {
    T entity = refused.entity();
    Processing processing = mapping().processing(mapping().attributesOf(entity));
    if (processing == null) {
      throw new IllegalArgumentException(name() + " has no Processing");
    }
    Write<T> write = Write.update(processing.message(), mapping().keyOf(entity), refused);
    Map<String, AttributeValue> item = Errors.item(told, mapping().keyAttributes(entity));
    return calls.resume(write, token(processing), item, uncertain);
  }

  /** The token of the write; refused unless it was made under this store's tracking and table. */
  private ByteBuffer token(Processing processing) {
    if (!calls.tracking().equals(Tracking.of(mapping().type()))) {
      throw new IllegalArgumentException(
          ("the extension wrote under the tracking that @Tracked of %s says, and this store has"
                  + " another one, %s; ask a store that was made without a tracking of its own")
              .formatted(name(), calls.tracking()));
    }
    return processing
        .note()
        .token(calls.writes().table(), mapping().type())
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "the extension has not written this %s to table '%s' with this Processing"
                        .formatted(name(), calls.writes().table())));
  }

  private Mapping<T> mapping() {
    return calls.mapping();
  }

  private String name() {
    return mapping().type().getSimpleName();
  }
}
