package dev.tidemark.mongodb;

import dev.tidemark.kernel.Times;
import dev.tidemark.mongodb.MongoOutboxStream.Listener;
import dev.tidemark.mongodb.MongoOutboxStream.Tokens;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Settings of a {@link MongoOutboxStream}. For one thread. */
public final class MongoOutboxStreamBuilder {
  final MongoOutbox outbox;
  final MongoOutboxStream.Hints hints;
  @Nullable Tokens tokens;
  Runnable sweep = () -> {};
  Listener listener = (event, error) -> {};
  Duration wait = Duration.ofSeconds(1);
  Duration savingEvery = Duration.ofSeconds(5);
  LongSupplier nanos = System::nanoTime;
  LongConsumer pauses = LockSupport::parkNanos;

  MongoOutboxStreamBuilder(MongoOutbox outbox, MongoOutboxStream.Hints hints) {
    this.outbox = Objects.requireNonNull(outbox, "outbox");
    this.hints = Objects.requireNonNull(hints, "hints");
  }

  /**
   * Keeps the stream's place, so that a process goes on where the one before it ended.
   *
   * @param tokens nothing is kept unless given: each process starts from now, and has all shards
   *     looked at
   * @return this builder
   */
  public MongoOutboxStreamBuilder tokens(Tokens tokens) {
    this.tokens = Objects.requireNonNull(tokens, "tokens");
    return this;
  }

  /**
   * What to do where something may have been missed: have all shards looked at, such as {@code
   * relay::look}. A relay that looks at its shards each second needs none.
   *
   * @param sweep is run on the thread of {@link MongoOutboxStream#poll}, after the stream was
   *     opened
   * @return this builder
   */
  public MongoOutboxStreamBuilder sweep(Runnable sweep) {
    this.sweep = Objects.requireNonNull(sweep, "sweep");
    return this;
  }

  /**
   * Is told of what happens to the stream.
   *
   * @param listener none unless given
   * @return this builder
   */
  public MongoOutboxStreamBuilder listener(Listener listener) {
    this.listener = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /**
   * How long a poll waits for an event. Where the client has a {@code timeoutMS}, it is half of
   * that at most.
   *
   * @param wait at least a millisecond; one second unless given
   * @return this builder
   */
  public MongoOutboxStreamBuilder waiting(Duration wait) {
    this.wait = positive("the wait of a poll", wait);
    return this;
  }

  /**
   * How often the place is kept: one write each time, while it changes. A place is kept for a quiet
   * collection too; on a busy one it is as old as this at a crash.
   *
   * @param time at least a millisecond; five seconds unless given
   * @return this builder
   */
  public MongoOutboxStreamBuilder savingEvery(Duration time) {
    this.savingEvery = positive("the time between two places", time);
    return this;
  }

  /** For tests, in which time passes by itself. */
  MongoOutboxStreamBuilder time(LongSupplier nanos, LongConsumer pauses) {
    this.nanos = nanos;
    this.pauses = pauses;
    return this;
  }

  /**
   * Makes the stream, which is opened by its first poll.
   *
   * @return the stream
   */
  public MongoOutboxStream build() {
    return new MongoOutboxStream(this);
  }

  private static Duration positive(String name, Duration time) {
    return Times.within(name, Duration.ofMillis(1), time);
  }
}
