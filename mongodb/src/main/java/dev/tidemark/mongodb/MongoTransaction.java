package dev.tidemark.mongodb;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import dev.tidemark.ContentionException;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Write;
import dev.tidemark.kernel.LateParts;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.kernel.Times;
import dev.tidemark.transaction.Committed;
import dev.tidemark.transaction.OpenTransactions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tracked writes of several entities, and writes of the caller's own, that are made together or not
 * at all, by one transaction. Each tracked write has its guard and its mark, as it has alone, and
 * its own {@link Outcome}. For one use and one thread.
 *
 * <p>Costs two commands for each tracked write, and one for the commit. A transaction that meets
 * another is run again after a pause of 5 ms, half as long again each time, at most 500 ms. A
 * commit whose answer was lost is sent again; at last the revision of an entity tells. Needs a
 * replica set or a sharded cluster. The server keeps the locks of a process that dies in a
 * transaction for {@code transactionLifetimeLimitSeconds}, a minute unless set.
 */
public final class MongoTransaction {
  /** How often a rule may turn false or true between one attempt and the next. */
  private static final int MOST_TURNS = 10;

  private final MongoClient client;
  private final Duration patience;
  private final List<Part<?>> tracked = new ArrayList<>();
  private final List<Own> own = new ArrayList<>();
  private final List<Published> published = new ArrayList<>();

  private MongoTransaction(MongoClient client, Duration patience) {
    this.client = Objects.requireNonNull(client, "client");
    this.patience = patience;
  }

  private static final class Part<T> {
    private final MongoEntityStore<T> store;
    private final Write<T> write;
    private @Nullable Outcome<T> outcome;
    private @Nullable ByteBuffer token;

    Part(MongoEntityStore<T> store, Write<T> write) {
      this.store = Objects.requireNonNull(store, "store");
      this.write = Objects.requireNonNull(write, "write");
    }

    /** Makes the write in a transaction, or only records its message. */
    void make(ClientSession session, boolean skips) {
      token = null;
      if (skips && outcome != null && LateParts.isOver(outcome) && isStillOver(session, outcome)) {
        return; // there is nothing to record, nor on a tombstone
      }
      Write<T> made = skips ? Write.skip(write.message(), write.key()) : write;
      outcome = store.write(session, made, left -> token = left);
    }

    /** Whether what an earlier attempt has found still is so: others may bring an entity back. */
    private boolean isStillOver(ClientSession session, Outcome<T> found) {
      return !(found instanceof Outcome.Deleted) || store.isDeleted(session, write);
    }

    /** Whether its message is recorded in the transaction. */
    boolean isStored() {
      return outcome instanceof Outcome.Applied
          || outcome instanceof Outcome.Recorded
          || recordsRefusal();
    }

    /** Whether that is a refusal. */
    boolean recordsRefusal() {
      return outcome instanceof Outcome.Refused<T> refused && refused.recorded();
    }

    /** Whether its entity has dropped the message for good. */
    boolean isLate() {
      return outcome != null && LateParts.isLate(outcome);
    }

    /** What no other write of the transaction may name: the same guard would refuse it. */
    List<Object> identity() {
      return List.of(
          store.name(),
          store.tracking().subscriber(),
          store.identity(write.key()),
          write.message());
    }

    Optional<Outcome<?>> outcome() {
      return Optional.ofNullable(outcome);
    }

    /** The cluster in which it is written; empty where there is one. */
    String cluster() {
      return store.tracking().cluster();
    }

    /** An outgoing message's ID, which no other transaction's has: this write is made once. */
    String outgoingId(String outbox, int place) {
      String writer = MessageId.of(store.name(), store.tracking().subscriber()).value();
      return Outbox.id(outbox, writer, store.stored(write.key()), write.message(), place);
    }

    void ended() {
      store.ended(write);
    }

    /** Whether the entity still has the token that the write left. */
    boolean isMade() {
      return token != null && store.has(write.key(), token);
    }
  }

  private record Published(MongoOutbox outbox, OutgoingMessage message) {}

  private record Own(MongoDatabase database, Consumer<SessionDatabase> writes) {}

  /** Says that other writes than before are to be made, so that the transaction is taken back. */
  private static final class Turned extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Turned() {
      super("other writes decide for the rest", null, false, false);
    }
  }

  /** Says that a write was refused, so that the transaction is taken back. */
  private static final class Refused extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Refused() {
      super("a tracked write was refused", null, false, false);
    }
  }

  /**
   * A transaction without writes, which is tried for 30 seconds.
   *
   * @param client of the stores' collections
   * @return the transaction
   */
  public static MongoTransaction on(MongoClient client) {
    return on(client, Duration.ofSeconds(30));
  }

  /**
   * A transaction without writes.
   *
   * @param client of the stores' collections
   * @param patience how long it is tried again where others are in its way; more than 0, at most
   *     36,525 days
   * @return the transaction
   */
  public static MongoTransaction on(MongoClient client, Duration patience) {
    return new MongoTransaction(client, Times.positive("patience", patience));
  }

  /**
   * Adds a tracked write.
   *
   * @param store the entity's store, of the same client
   * @param write what one message does to one entity
   * @param <T> the entity's class
   * @return this
   */
  public <T> MongoTransaction write(MongoEntityStore<T> store, Write<T> write) {
    tracked.add(new Part<>(store, write));
    return this;
  }

  /**
   * Adds writes of the caller's own, which are made after the tracked ones, and only if none of
   * those was refused. They may run again where others came in between.
   *
   * @param database of the same client
   * @param writes makes them through the view that it is given; an exception takes the transaction
   *     back, and so does one that a call through the view has thrown, such as a duplicate key, and
   *     that it has caught. Where that was another's write in between, they run again, also where
   *     they have thrown another exception in its place
   * @return this
   */
  public MongoTransaction add(MongoDatabase database, Consumer<SessionDatabase> writes) {
    own.add(new Own(Objects.requireNonNull(database), Objects.requireNonNull(writes)));
    return this;
  }

  /**
   * Publishes a message: it is stored with the transaction's writes, in a document of its own, and
   * a relay over that outbox sends it. One command more. What belongs to one of the entities is
   * better published by its change, at no cost and in order; messages of documents of their own
   * have no order among each other.
   *
   * @param outbox of a collection for such messages alone, of the same client. Where its tracking
   *     names no cluster, that of the tracked writes counts
   * @param message without an ID of its own it gets one that follows from the first tracked write,
   *     and from the place among what is published
   * @return this
   */
  public MongoTransaction publish(MongoOutbox outbox, OutgoingMessage message) {
    published.add(new Published(Objects.requireNonNull(outbox), Objects.requireNonNull(message)));
    return this;
  }

  /**
   * Makes all of the writes, or none. Where the condition of a write is false that has {@code
   * otherwiseSkip()}, or its function answers {@link dev.tidemark.Decision#skip}, none is made, and
   * the message is recorded on each of the entities in their place; so it is where an event is
   * {@link Outcome.Stale} for one of them, or {@link Outcome.BeyondHorizon} and done, on those
   * others that are there.
   *
   * @return whether they were made, and what each of the tracked ones came to. Where one is
   *     refused, the outcomes of the others are what they would have been
   * @throws dev.tidemark.ContentionException if others were in the way for too long, or the thread
   *     was interrupted before the commit; nothing is written
   * @throws dev.tidemark.OutcomeUnknownException if no answer came to the commit, and the revisions
   *     do not tell
   * @throws IllegalArgumentException if there is no write, or two of one entity for one message, or
   *     a message has no ID, and there is no tracked write from which it could follow; nothing is
   *     sent
   * @throws IllegalStateException if the server is standalone, or a transaction of Spring is open
   *     on this thread; nothing is written
   */
  public Committed commit() {
    OpenTransactions.requireNone("a MongoTransaction");
    if (tracked.isEmpty() && own.isEmpty() && published.isEmpty()) {
      throw new IllegalArgumentException("a transaction has at least one write");
    }
    if (tracked.isEmpty() && published.stream().anyMatch(one -> one.message().id().isEmpty())) {
      throw TransactionMessages.nothingToFollow();
    }
    if (tracked.stream().map(Part::identity).distinct().count() < tracked.size()) {
      throw new IllegalArgumentException(
          "a transaction takes one write of an entity for one message; two name the same entity"
              + " and message: make one change of both");
    }
    try {
      return made(new Transactions(client, patience));
    } finally {
      tracked.forEach(Part::ended);
    }
  }

  private Committed made(Transactions transactions) {
    Set<Part<?>> refusing = Set.of();
    for (int turns = 0; turns < MOST_TURNS; turns++) {
      Set<Part<?>> now = refusing;
      boolean records = !now.isEmpty();
      try {
        transactions.run(scope -> made(scope, now), () -> tracked.stream().anyMatch(Part::isMade));
        return new Committed(!records, records, outcomes(), List.of());
      } catch (Refused e) {
        return new Committed(false, false, outcomes(), List.of());
      } catch (Turned e) {
        refusing = refusing();
      }
    }
    throw new ContentionException(
        "others changed " + MOST_TURNS + " times whether a condition of a transaction holds",
        null,
        null);
  }

  /** Those for which the message is late, if there are any; else those that record a refusal. */
  private Set<Part<?>> refusing() {
    boolean late = tracked.stream().anyMatch(Part::isLate);
    return tracked.stream()
        .filter(late ? Part::isLate : Part::recordsRefusal)
        .collect(Collectors.toUnmodifiableSet());
  }

  /**
   * All tracked writes are tried, so that each is told of, though one is refused.
   *
   * @param refusing those that are to drop the message, or to record a refusal; if there are any,
   *     the others change nothing
   */
  private boolean made(SessionScope scope, Set<Part<?>> refusing) {
    boolean records = !refusing.isEmpty();
    tracked.forEach(part -> part.make(scope.session(), records && !refusing.contains(part)));
    if (!tracked.stream().allMatch(Part::isStored) && !LateParts.drop(outcomes())) {
      throw new Refused();
    }
    if (!refusing().equals(refusing)) {
      throw new Turned();
    }
    if (records) {
      return true;
    }
    TransactionMessages messages =
        new TransactionMessages(
            scope,
            tracked.isEmpty() ? null : tracked.get(0)::outgoingId,
            tracked.stream().map(Part::cluster).toList());
    published.forEach(one -> messages.publish(one.outbox(), one.message()));
    own.forEach(one -> one.writes().accept(new SessionDatabase(one.database(), scope, messages)));
    return true;
  }

  private List<Optional<Outcome<?>>> outcomes() {
    List<Optional<Outcome<?>>> outcomes = new ArrayList<>();
    tracked.forEach(part -> outcomes.add(part.outcome()));
    return outcomes;
  }
}
