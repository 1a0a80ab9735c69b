package dev.tidemark.outbox;

import dev.tidemark.kernel.Telling;
import dev.tidemark.metrics.Ongoing;
import dev.tidemark.transaction.OpenTransactions;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends the messages that entities publish, and takes them off afterwards:
 *
 * <pre>{@code
 * Relay relay = Relay.builder(records, sender).sharedBy(leases).build();
 * relay.run(); // until it is stopped, on a thread of yours
 * }</pre>
 *
 * <p><b>Promised.</b> A message that was published is sent, at least once. What is sent twice has
 * the same {@link OutboxMessage#id}. The messages of one entity are sent in the order in which they
 * were published, but for those that are {@link dev.tidemark.OutgoingMessage#unordered}: none is
 * sent before the one before it was taken by the sender. This holds with any number of relays, with
 * and without leases, and after a crash at any step. A consumer that drops what has an ID that it
 * has seen sees each message once and in order.
 *
 * <p><b>Not promised.</b> No order among entities. A message that fails again and again is parked,
 * as in a dead-letter queue, and the later ones of its entity are sent without it; see {@link
 * RelayBuilder#parkAfter}.
 *
 * <p><b>A pass</b> looks for records that are due, one request for each shard, and sends their
 * messages in waves: of each record one ordered message at a time, and all unordered ones at once.
 * What was sent it takes off by its IDs, many records in one call: behind each call of the sender
 * once 20 messages or more were sent, and at the end. So a crash sends again at most what the
 * sender had in hand, 500 messages, and 19 before them. A record with a message that could not be
 * sent is put off, and no other one is. Errors of the store, of the sender and of the listener end
 * no pass and lose no message; {@link RelayPass#error} tells one of them. The log has the class of
 * an error, not its text, which may quote what is stored: at once, and at growing distance while
 * passes go on to fail.
 *
 * <p>A pass lasts as long as its slowest call of the sender, and others wait for that: let a sender
 * bound the time that one message may take, or use {@link Sender#concurrent}, which does.
 *
 * <p>No pass is made in an open transaction of Spring, in which a sender may take part, so that a
 * rollback would take back what the relay takes off: an {@link IllegalStateException} says so.
 *
 * <p>A relay starts no thread. One thread at a time makes its passes; {@link #hint} and {@link
 * #stop} are for any thread.
 */
public final class Relay {
  private static final System.Logger LOGGER = System.getLogger(Relay.class.getName());

  private final OutboxRecords records;
  private final Duration interval;

  /** How long it takes to see that the owner of a shard is silent. */
  private final Duration takeover;

  private final Hints hints;
  private final Shards shards;
  private final Patience patience;
  private final VainPasses vain;
  private final Finding finding;
  private final Outgoing outgoing;
  private final Clearing clearing;
  private final @Nullable RelayListener listener;
  private final Telling telling;
  private final RelayBuilder.Pauses pauses;
  private final LongSupplier nanos;
  private final ErrorLog errors;

  /** Held during a pass, and while shards are given back. */
  private final ReentrantLock working = new ReentrantLock();

  private volatile boolean isRunning;
  private volatile boolean isStopped;

  /** What the last pass has counted; for the thread that makes one. */
  private Tally before = new Tally();

  /** When the last pass began; for the thread that makes it. */
  private long start;

  Relay(RelayBuilder builder) {
    this.records = builder.records;
    this.interval = builder.interval;
    this.takeover = builder.leases == null ? Duration.ZERO : builder.lease.multipliedBy(2);
    this.hints = new Hints(records::bare);
    this.patience = new Patience(builder.retries, builder.nanos);
    this.vain = new VainPasses(builder.retries, builder.nanos);
    this.outgoing = new Outgoing(builder.sender, patience, this::sending);
    this.clearing = new Clearing(records, patience);
    this.listener = builder.listener;
    this.telling =
        new Telling(RelayListener.class, "The listener of the relay of " + records.name());
    this.pauses = builder.pauses == null ? hints::await : builder.pauses;
    this.nanos = builder.nanos;
    this.errors = new ErrorLog(LOGGER, nanos);
    this.shards =
        builder.leases == null
            ? Shards.ALL
            : new Leases(builder.leases, records, builder.lease, builder.nanos);
    this.finding = new Finding(builder, hints, shards, clearing);
  }

  /**
   * Settings of a relay.
   *
   * @param records where messages wait
   * @param sender takes them
   * @return a builder
   */
  public static RelayBuilder builder(OutboxRecords records, Sender sender) {
    return new RelayBuilder(records, sender);
  }

  /**
   * Tells the relay that a record has messages now, so that the record need not wait for the next
   * look at its shard. The streams of a store give such hints. Returns at once. A hint costs one
   * read, or less if the store reads several records at once. The relay keeps one hint for each
   * record. A lost hint costs time, and no message: the relay drops hints of shards that others
   * work on, of shards that its records do not have, hints beyond 10,000, and those of records that
   * are put off. A look finds all that. Where the store refuses looks, it waits until one is
   * answered. The shard that is read of the record decides whose it is, whatever the hint says.
   *
   * @param shard of the record
   * @param key as {@link OutboxRecord#key} has it
   * @return false if it was dropped for want of room
   */
  public boolean hint(int shard, Object key) {
    Objects.requireNonNull(key, "key");
    return shard < 0 || shard >= records.shards() || hints.add(shard, key);
  }

  /**
   * Has the relay look at all of its shards at once, where something may have been missed that a
   * hint should have told of. It does so on its own thread; this method returns at once.
   */
  public void look() {
    hints.look();
  }

  /**
   * Makes passes on this thread: one after the other while there is something to send, otherwise
   * one for each interval and for hints. Returns once the relay is stopped, the thread is
   * interrupted, or the sender has thrown an {@link InterruptedException}; the thread is
   * interrupted then. Before this method returns, the relay takes off the messages that were sent,
   * and gives its leases back.
   *
   * @throws IllegalStateException if another thread is in this method
   */
  public void run() {
    run(null);
  }

  /**
   * Makes passes on this thread until nothing is left that was due when it began, or time is over,
   * and gives leases back: for a function, or whatever else a timer calls. What cannot be sent is
   * left to the next one, so a broker that is away does not keep it for longer than one try of each
   * message takes. Nor does a shard that cannot be read. What is published meanwhile is sent if it
   * comes by a hint. While other instances have some of the shards it goes on for two leases, in
   * which it takes over those whose owner is silent. All hints that it got before are worked on.
   * May be called again.
   *
   * <p>An {@link InterruptedException} of the sender's, or an interrupt of the thread, ends it.
   * {@link RelayPass#error} tells the exception in place of the thread's interrupt, since it may be
   * that of another thread, such as one of the sender's client whose task was cancelled. A thread
   * that somebody has interrupted stays interrupted.
   *
   * @param most for how long; at least one pass is made, unless the relay was stopped, or the
   *     thread was interrupted before, which {@link RelayPass#error} tells
   * @return the sums of what its passes did; the shards and what waits are those of the last one,
   *     and what is held back or cannot be read is the most that one of them has seen
   * @throws IllegalStateException if another thread is in this method or in {@link #run}
   * @throws IllegalArgumentException if {@code most} is more than 36,525 days
   */
  public RelayPass drain(Duration most) {
    Drain drain = new Drain(nanos, most, takeover, records);
    if (Thread.currentThread().isInterrupted()) {
      drain.notBegun("the thread was interrupted before the drain, which has made no pass");
    }
    run(drain);
    return drain.total();
  }

  private void run(@Nullable Drain drain) {
    working.lock();
    try {
      if (isRunning) {
        throw new IllegalStateException("the relay runs on another thread");
      }
      isRunning = true;
    } finally {
      working.unlock();
    }
    if (drain != null) {
      finding.beginDrain();
    }
    try {
      loop(drain);
    } finally {
      finding.endDrain();
      release();
      isRunning = false;
    }
  }

  private void loop(@Nullable Drain drain) {
    long next = nanos.getAsLong();
    while (!isOver()) {
      long now = nanos.getAsLong();
      boolean asked = hints.takeLook();
      Made made = pass(asked || now - next >= 0);
      if (drain != null && drain.isOverBehind(made.pass(), made.tally(), hints.isEmpty())) {
        return;
      }
      if (drain == null && made.tally().isInterrupted) {
        Thread.currentThread().interrupt(); // which ends the loop
      }
      boolean rests = drain == null ? made.pass().sent() == 0 : drain.isIdle();
      if (made.looked()) {
        next = rests ? now + interval.toNanos() : now;
      }
      long present = nanos.getAsLong();
      Duration most = Duration.ofNanos(Math.max(0, next - present));
      most = shorter(most, drain == null ? made.untilRetry() : Optional.of(drain.left()));
      if (drain == null) {
        next = present + most.toNanos();
      }
      if (rests) {
        rest(most);
      } else if (drain != null) {
        next = now;
      }
    }
  }

  private boolean isOver() {
    return isStopped || Thread.currentThread().isInterrupted();
  }

  private static Duration shorter(Duration one, Optional<Duration> other) {
    return other.filter(time -> time.compareTo(one) < 0).orElse(one);
  }

  private void rest(Duration most) {
    try {
      pauses.pause(shorter(most, Optional.of(shards.untilNext())));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Makes one pass over all shards that this relay works on, and over the records of hints: for
   * callers that have a timer of their own. An instance that shares its work, and makes passes less
   * often than every third of a lease, should stop its relay after its passes. Otherwise the other
   * instances have to wait for a lease before they take over its shards.
   *
   * <p>An owner that died leaves its leases behind. A relay takes one over once its own passes have
   * seen it unchanged for as long as it lasts, so the first pass of a relay never takes over what a
   * dead one held. Where each call of a timer makes a relay of its own, as in a function, let it
   * {@link #drain} instead.
   *
   * <p>An {@link InterruptedException} of the sender's ends it as it ends a {@link #drain}.
   *
   * @return what it did
   */
  public RelayPass sweep() {
    return pass(true).pass();
  }

  /**
   * Ends {@link #run}, which finishes the batch that it has in hand, and gives leases back, so that
   * others go on at once. Does not wait for that: join the thread. Where nothing runs, leases are
   * given back before this method returns. A relay that was stopped stays so.
   */
  public void stop() {
    isStopped = true;
    hints.wake();
    if (!isRunning) {
      release();
    }
  }

  private void release() {
    working.lock();
    try {
      shards.release();
    } finally {
      working.unlock();
    }
  }

  /** A pass, which looks at shards if that is asked for, or if some are new. */
  private Made pass(boolean asked) {
    OpenTransactions.requireNone("a relay");
    working.lock();
    try {
      Tally tally = new Tally();
      start = nanos.getAsLong();
      if (isStopped) {
        return made(false, tally, told(tally));
      }
      shards.tend(tally);
      boolean looks = shards.hasNew() || asked; // at which nobody has looked for a lease
      Ongoing<RelayPass> told = listening();
      try (Ongoing.Scope unused = told.enter()) {
        work(looks, tally);
        standBack(tally);
        tally.goesOn(before, looks);
        before = tally;
        RelayPass pass = told(tally);
        errors.note(pass);
        told.note(pass);
        return made(looks, tally, pass);
      }
    } finally {
      working.unlock();
    }
  }

  /**
   * What a pass came to.
   *
   * @param looked whether it has looked at shards
   * @param untilRetry when to look again, if that is before the interval is over
   */
  private record Made(boolean looked, Tally tally, RelayPass pass, Optional<Duration> untilRetry) {}

  private Made made(boolean looked, Tally tally, RelayPass pass) {
    return new Made(looked, tally, pass, finding.untilRetry(tally.isSettled()));
  }

  private void work(boolean looks, Tally tally) {
    patience.begin();
    List<Parcel> parcels = finding.found(looks, tally);
    outgoing.send(
        parcels,
        parcel -> !isStopped && shards.isMine(parcel.shard()),
        () -> {
          clearing.takeOff(parcels, tally);
          shards.tend(tally);
        },
        tally);
    clearing.clear(parcels, tally);
    tally.again.forEach((key, shard) -> hints.add(shard, key));
  }

  /** A drain gives its leases back soon, and its shards are the next one's then. */
  private void standBack(Tally tally) {
    if (!finding.isDrain() && vain.isOver(tally)) {
      shards.standBack(vain.rest());
    }
  }

  private RelayPass told(Tally tally) {
    return tally.pass(records.name(), Duration.ofNanos(nanos.getAsLong() - start));
  }

  private Ongoing.Scope sending(Tally tally) {
    RelayListener asked = listener;
    return asked == null ? Ongoing.Scope.NONE : telling.enter(() -> asked.sending(told(tally)));
  }

  private Ongoing<RelayPass> listening() {
    RelayListener asked = listener;
    return asked == null ? pass -> {} : telling.begin(() -> asked.passing(records.name()));
  }
}
