package dev.tidemark.dynamodb;

import dev.tidemark.ContentionException;
import dev.tidemark.Outcome;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Write;
import dev.tidemark.kernel.LateParts;
import dev.tidemark.transaction.Committed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.DynamoDbException;
import software.amazon.awssdk.services.dynamodb.model.TransactWriteItem;

/**
 * Tracked writes of several entities, and writes of the caller's own, that are made together or not
 * at all: one {@code TransactWriteItems}. Each tracked write has its guard and its mark, as it has
 * alone, and its own {@link Outcome}. For one use and one thread.
 *
 * <p>The marks decide first, as always. A conflict with another transaction or throttling is tried
 * again, and is never a Duplicate. A reply that was lost is told by the tokens that the transaction
 * wrote. Costs one request, and one read for each write that has to read ({@code apply}, {@code
 * delete}, and {@code createIfMissing} of a change without operations). It is sent once more where
 * a write brings a source to an entity whose sources have to be counted: at each new source where
 * {@link dev.tidemark.Tracking#maxSources} is at most 127, at one of 15 by default. DynamoDB bills
 * twice the units of single writes. A store's listener is not told of it.
 */
public final class DynamoDbTransaction {
  private static final int MOST = 100;

  /** How often a rule may turn false or true between what was read and what is sent. */
  private static final int MOST_TURNS = 10;

  private final DynamoDbClient client;
  private final List<TrackedPart<?>> tracked = new ArrayList<>();
  private final TransactionWrites own = new TransactionWrites(MOST);

  /** Those that drop an event which is late for one of them, and have nothing to record. */
  private final Set<TrackedPart<?>> passed = new HashSet<>();

  private DynamoDbTransaction(DynamoDbClient client) {
    this.client = Objects.requireNonNull(client, "client");
  }

  /**
   * A transaction without writes.
   *
   * @param client sends it; a client of the stores' tables
   * @return the transaction
   */
  public static DynamoDbTransaction on(DynamoDbClient client) {
    return new DynamoDbTransaction(client);
  }

  /**
   * Adds a tracked write.
   *
   * @param store the entity's store
   * @param write what one message does to one entity, which no other write of the transaction names
   * @param <T> the entity's class
   * @return this
   * @throws IllegalArgumentException if the write does not fit the table
   */
  public <T> DynamoDbTransaction write(DynamoDbEntityStore<T> store, Write<T> write) {
    tracked.add(new TrackedPart<>(store.calls().inTransaction(), write));
    return this;
  }

  /**
   * Adds writes of the caller's own, with the conditions that they like.
   *
   * @param writes is given what takes them
   * @return this
   * @throws IllegalArgumentException if there are too many, or two of one item
   */
  public DynamoDbTransaction add(Consumer<TransactionWrites> writes) {
    writes.accept(own);
    return this;
  }

  /**
   * Publishes a message: it is stored with the transaction's writes, by a put of a record of its
   * own, and a relay over that outbox sends it. What belongs to one of the entities is better
   * published by its change, at no cost and in order; messages of records of their own have no
   * order among each other.
   *
   * @param outbox of a table for such messages alone, as {@link DynamoDbOutbox#createTable} makes
   *     it. Where its tracking names no cluster, that of the tracked writes counts
   * @param message without an ID of its own it gets one that follows from the first tracked write,
   *     and from the place among what is published
   * @return this
   * @throws IllegalArgumentException if there are too many writes, or two messages of one ID
   */
  public DynamoDbTransaction publish(DynamoDbOutbox outbox, OutgoingMessage message) {
    own.publish(outbox, message);
    return this;
  }

  /**
   * Makes all of the writes, or none. Where the condition of a write is false that has {@code
   * otherwiseSkip()}, or its function answers {@link dev.tidemark.Decision#skip}, none is made, and
   * the message is recorded on each of the entities in their place; so it is where an event is
   * {@link Outcome.Stale} for one of them, or {@link Outcome.BeyondHorizon} and done, on those
   * others that are there.
   *
   * @return whether they were made, and what each of the tracked ones came to; no reply tells
   *     whether an update has created its entity, nor what it left
   * @throws IllegalArgumentException if there is no write, or there are more than 100, or two of
   *     one item that are not both puts of the caller's, or if a message has no ID and there is no
   *     tracked write from which it could follow; nothing is sent
   * @throws dev.tidemark.InvalidChangeException if DynamoDB does not take one of them; nothing is
   *     written
   * @throws ContentionException if conflicts or throttling outlasted the tries; nothing is written
   * @throws OutcomeUnknownException if no answer came, and the tokens do not tell
   */
  public Committed commit() {
    check();
    List<TransactWriteItem> items =
        own.items(
            tracked.isEmpty() ? null : tracked.get(0)::outgoingId,
            tracked.stream().map(TrackedPart::cluster).toList());
    for (int turns = 0; turns < MOST_TURNS; turns++) {
      boolean drops = !passed.isEmpty();
      List<TrackedPart<?>> refusing =
          drops ? List.of() : having(tracked, TrackedPart::recordsRefusal);
      boolean records = drops || !refusing.isEmpty();
      List<TrackedPart<?>> parts = drops ? dropping() : records ? recording() : tracked;
      List<TrackedPart<?>> open = having(parts, part -> !passed.contains(part));
      Transactions.Ended ended = sent(open, refusing, records ? List.of() : items);
      Committed answer =
          switch (ended.end()) {
            case COMMITTED -> new Committed(!records, records, outcomes(parts), List.of());
            case REFUSED -> new Committed(false, false, outcomes(parts), ended.refused());
            case DECIDED -> decided(parts, false);
            case UNASKED -> decided(parts, true);
            case TURNED -> null; // a condition has become false, or true again
          };
      if (answer != null) {
        return answer;
      }
    }
    throw new ContentionException(
        "others changed " + MOST_TURNS + " times whether a condition of a transaction holds",
        null,
        null);
  }

  /** What a refusal that is recorded makes of the writes: the others change nothing. */
  private List<TrackedPart<?>> recording() {
    List<TrackedPart<?>> parts = new ArrayList<>();
    tracked.forEach(part -> parts.add(part.recordsRefusal() ? part : part.skipping()));
    return parts;
  }

  /** What a late event makes of the writes: those that have not passed it change nothing. */
  private List<TrackedPart<?>> dropping() {
    List<TrackedPart<?>> parts = new ArrayList<>();
    tracked.forEach(part -> parts.add(passed.contains(part) ? part : part.skipping()));
    return parts;
  }

  private static List<TrackedPart<?>> having(
      List<TrackedPart<?>> parts, Predicate<TrackedPart<?>> what) {
    List<TrackedPart<?>> some = new ArrayList<>(parts);
    some.removeIf(what.negate());
    return some;
  }

  private Transactions.Ended sent(
      List<TrackedPart<?>> parts, List<TrackedPart<?>> refusing, List<TransactWriteItem> items) {
    try {
      return Transactions.send(client, parts, refusing, items);
    } catch (DynamoDbException e) {
      throw Transport.<RuntimeException>plain(tracked.isEmpty() ? e : Faults.ofTransaction(e));
    }
  }

  private void check() {
    int count = tracked.size() + own.size();
    if (count == 0 || count > MOST) {
      throw new IllegalArgumentException(
          "a transaction has 1 to " + MOST + " writes, was " + count);
    }
    Set<TransactionWrites.Target> targets = new HashSet<>();
    for (TrackedPart<?> part : tracked) {
      if (own.isWriting(part.target()) || !targets.add(part.target())) {
        throw new IllegalArgumentException(
            "a transaction takes one write of an item; two name one of table '"
                + part.target().table()
                + "'");
      }
    }
  }

  /**
   * The end where a write has an outcome without being sent now: all of them were made by an
   * attempt whose reply was lost, as the token of any tells, or none is. Where those that have one
   * were done before, a read tells whether the others were too.
   *
   * @param unasked whether nothing was sent, so that reads tell whether one of the others is late
   * @return null if the writes of a late event are to be tried once more, without what has passed
   *     it
   */
  private @Nullable Committed decided(List<TrackedPart<?>> parts, boolean unasked) {
    boolean made = isMade(parts);
    boolean done = having(parts, TrackedPart::hasEnded).stream().allMatch(TrackedPart::isDone);
    if (made || unasked || (done && !LateParts.drop(outcomes(parts)))) {
      parts.forEach(part -> part.lookAgain(client));
    }
    if (!made) {
      parts.forEach(TrackedPart::requireNoFault);
    }
    if (!made && LateParts.drop(outcomes(parts))) {
      passed.addAll(having(parts, TrackedPart::hasNothingToRecord));
      List<TrackedPart<?>> now = dropping();
      return passed.containsAll(now) ? new Committed(false, true, outcomes(now), List.of()) : null;
    }
    boolean recorded =
        made && (!passed.isEmpty() || parts.stream().anyMatch(TrackedPart::hasRecordedRefusal));
    return new Committed(made && !recorded, recorded, outcomes(parts), List.of());
  }

  private static boolean isMade(List<TrackedPart<?>> parts) {
    return parts.stream().anyMatch(TrackedPart::isMade);
  }

  private static List<Optional<Outcome<?>>> outcomes(List<TrackedPart<?>> parts) {
    List<Optional<Outcome<?>>> outcomes = new ArrayList<>();
    parts.forEach(part -> outcomes.add(part.outcome()));
    return outcomes;
  }
}
