package dev.tidemark.outbox;

import dev.tidemark.kernel.Backoff;
import dev.tidemark.kernel.Times;
import dev.tidemark.store.RecordStore;
import java.time.Duration;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link Relay}; no time may be longer than 36,525 days. For one thread. */
public final class RelayBuilder {
  private static final Duration LONGEST_PAUSE = Duration.ofDays(365);

  final OutboxRecords records;
  final Sender sender;
  int batch = 100;
  long size = 32_000_000;
  Duration interval = Duration.ofSeconds(1);
  Retries retries = Retries.DEFAULT;
  @Nullable RelayListener listener;
  @Nullable RecordStore leases;
  Duration lease = Duration.ofSeconds(4);
  Duration grace = Duration.ZERO;
  boolean looks = true;
  @Nullable Pauses pauses;
  LongSupplier nanos = System::nanoTime;

  /** How a relay at rest waits; a test's does not. */
  @FunctionalInterface
  interface Pauses {
    /** Waits until there is something to do, at most so long. */
    void pause(Duration most) throws InterruptedException;
  }

  RelayBuilder(OutboxRecords records, Sender sender) {
    this.records = Objects.requireNonNull(records, "records");
    this.sender = Objects.requireNonNull(sender, "sender");
  }

  /**
   * How many records of each shard a pass takes. What a pass takes is read, sent, and changed
   * together.
   *
   * @param records 1 to 1,000; 100 unless given
   * @return this builder
   */
  public RelayBuilder batch(int records) {
    this.batch = inRange("batch", records, 1_000);
    return this;
  }

  /**
   * About how much memory the messages of a pass may take, those of hints included. A pass that has
   * found as much looks at no further shard, and at no further hint; the next one begins there.
   * What a store has read in one answer, up to 16 MB, comes on top.
   *
   * @param size in bytes, at least 1; 32,000,000 unless given
   * @return this builder
   */
  public RelayBuilder size(long size) {
    if (size < 1) {
      throw new IllegalArgumentException("size must be at least 1, was " + size);
    }
    this.size = size;
    return this;
  }

  /**
   * How long the relay rests once nothing is due, before it looks again: the longest that a message
   * waits which no {@link Relay#hint} tells of. It looks earlier for what it has put off itself,
   * where the store has not answered, and at shards that it takes over. A look costs one request
   * for each shard.
   *
   * @param interval more than 0; one second unless given
   * @return this builder
   */
  public RelayBuilder interval(Duration interval) {
    this.interval = positive("interval", interval);
    return this;
  }

  /**
   * How long an entity rests after one of its messages could not be sent. Each pause is twice as
   * long as the one before.
   *
   * @param first the first pause, at least a millisecond; one second unless given
   * @param longest the longest pause, not below the first, and a year at most; one minute unless
   *     given
   * @return this builder
   */
  public RelayBuilder retryAfter(Duration first, Duration longest) {
    if (positive("the first pause", first).toMillis() < 1
        || longest.compareTo(first) < 0
        || longest.compareTo(LONGEST_PAUSE) > 0) {
      throw new IllegalArgumentException(
          ("the first pause must be at least 1 ms, and the longest not below it, and a year at most,"
                  + " were %s and %s")
              .formatted(first, longest));
    }
    this.retries = new Retries(Backoff.doubling(first, longest), retries.most());
    return this;
  }

  /**
   * After how many tries a message is parked, so that the later messages of its entity go on.
   * {@link ParkedMessages} lists, releases and drops what is parked.
   *
   * <p>A failure that is not the message's fault ({@link Sent#deferred}) is no such try. While
   * nothing else is taken by the {@link Sent#destinations destination} of a message, or by its
   * topic where the sender names none, that destination is the likelier culprit: such a failure
   * does not count among these tries, also once others are taken again, and a message is parked
   * after ten times as many of them, by whichever instances: so what nobody can send is parked in
   * the end, though it is alone. What a relay sent before it was started anew it does not know.
   *
   * @param tries 1 to 1,000; 10 unless given
   * @return this builder
   */
  public RelayBuilder parkAfter(int tries) {
    this.retries = new Retries(retries.pauses(), inRange("parkAfter", tries, 1_000));
    return this;
  }

  /**
   * Tells a listener what the relay does.
   *
   * @param listener is told on the relay's thread
   * @return this builder
   */
  public RelayBuilder listener(RelayListener listener) {
    this.listener = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /**
   * Shares the work with other instances that have the same leases: each works on shards of its
   * own, of which there should be at least as many as instances. A shard whose owner goes silent is
   * taken over once its lease was seen unchanged for as long as it lasts, by the elapsed time of
   * who looks, and never by clocks of different machines. Without leases every instance sends
   * everything, so there should be one.
   *
   * <p>Leases save work; they are not what keeps the order, or what loses nothing. A lease that
   * nobody renews is forgotten a day after its end, as by functions that are called more seldom.
   * Every third of a lease an instance makes a request for each shard: a write where it owns it,
   * else a read.
   *
   * <p>An instance may be cut off from the broker while others are not, or lack a right to the
   * store. So one whose sender has taken nothing, or to which the store has refused all looks or
   * all changes, in as many passes as {@link #parkAfter} says, for at least the longest pause of
   * {@link #retryAfter}, gives its shards up. For twice that pause it takes what nobody else has
   * taken for a lease, and nothing from others. What it could not send, they send long before it
   * would be parked. A relay that sends something, be it to another topic, or what a hint told of
   * while all its looks are refused, keeps its shards: what it has put off, or had no hint of,
   * waits for a look then. A {@link Relay#drain} gives them back at its end in any case.
   *
   * <p>A lease is of a shard of {@link OutboxRecords#name}. Relays over different records of the
   * same name, such as tables of two regions, want leases in different tables: otherwise each would
   * leave to the other what the other cannot see.
   *
   * @param leases where they are kept, in records of their own
   * @return this builder
   */
  public RelayBuilder sharedBy(RecordStore leases) {
    this.leases = Objects.requireNonNull(leases, "leases");
    return this;
  }

  /**
   * How long a lease lasts. It has to be longer than a call of the sender takes: a shard whose
   * owner is in a call for longer is taken over, and what is on its way is sent twice.
   *
   * @param lease at least 10 ms; four seconds unless given
   * @return this builder
   */
  public RelayBuilder lease(Duration lease) {
    this.lease = Times.within("lease", Duration.ofMillis(10), lease);
    return this;
  }

  /**
   * For how long this relay leaves a message to the relays that hints tell of the message. This is
   * for a relay beside others that work on {@link #hintsOnly hints alone}: this relay finds the
   * messages that no hint told of, and does not get in the way of the others.
   *
   * @param grace not negative; none unless given
   * @return this builder
   */
  public RelayBuilder grace(Duration grace) {
    this.grace = Times.within("grace", Duration.ZERO, grace);
    return this;
  }

  /**
   * Has the relay work on nothing but what {@link Relay#hint} tells of: it looks at no index. For
   * the records of a stream that a function is called with. Another relay has to find what no hint
   * tells of, and what could not be sent.
   *
   * @return this builder
   */
  public RelayBuilder hintsOnly() {
    this.looks = false;
    return this;
  }

  /** For tests, in which time passes by itself. */
  RelayBuilder time(LongSupplier nanos, Pauses pauses) {
    this.nanos = nanos;
    this.pauses = pauses;
    return this;
  }

  /**
   * Makes a relay, which does nothing yet.
   *
   * @return a relay
   */
  public Relay build() {
    return new Relay(this);
  }

  private static Duration positive(String name, Duration time) {
    return Times.within(name, Duration.ofNanos(1), time);
  }

  private static int inRange(String name, int value, int most) {
    if (value < 1 || value > most) {
      throw new IllegalArgumentException(name + " must be 1 to " + most + ", was " + value);
    }
    return value;
  }
}
