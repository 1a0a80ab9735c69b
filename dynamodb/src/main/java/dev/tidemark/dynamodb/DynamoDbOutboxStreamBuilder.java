package dev.tidemark.dynamodb;

import dev.tidemark.dynamodb.DynamoDbOutboxStream.Hints;
import dev.tidemark.dynamodb.DynamoDbOutboxStream.Listener;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** Settings of a {@link DynamoDbOutboxStream}. For one thread. */
public final class DynamoDbOutboxStreamBuilder {
  final DynamoDbStreamsClient streams;
  final DynamoDbOutbox outbox;
  final Hints hints;
  Listener listener = (event, error) -> {};
  Duration wait = Duration.ofMillis(200);
  Runnable sweep = () -> {};
  LongSupplier nanos = System::nanoTime;
  LongConsumer pauses = LockSupport::parkNanos;

  DynamoDbOutboxStreamBuilder(DynamoDbStreamsClient streams, DynamoDbOutbox outbox, Hints hints) {
    this.streams = Objects.requireNonNull(streams, "streams");
    this.outbox = Objects.requireNonNull(outbox, "outbox");
    this.hints = Objects.requireNonNull(hints, "hints");
  }

  /**
   * What to do where something may have been missed, and at the start: have all shards looked at,
   * such as {@code relay::look}. A relay that looks at its shards each second needs none.
   *
   * @param sweep is run on the thread of {@link DynamoDbOutboxStream#poll}
   * @return this builder
   */
  public DynamoDbOutboxStreamBuilder sweep(Runnable sweep) {
    this.sweep = Objects.requireNonNull(sweep, "sweep");
    return this;
  }

  /**
   * Tells a listener what happens to the stream.
   *
   * @param listener is told on the thread of a poll
   * @return this builder
   */
  public DynamoDbOutboxStreamBuilder listener(Listener listener) {
    this.listener = Objects.requireNonNull(listener, "listener");
    return this;
  }

  /**
   * How long a poll rests that had nothing to tell. Each poll reads each shard, so that a shorter
   * rest costs more requests.
   *
   * @param wait 1 millisecond to a minute; 200 milliseconds unless given
   * @return this builder
   */
  public DynamoDbOutboxStreamBuilder waiting(Duration wait) {
    if (wait.compareTo(Duration.ofMillis(1)) < 0 || wait.compareTo(Duration.ofMinutes(1)) > 0) {
      throw new IllegalArgumentException(
          "a poll rests for 1 millisecond to a minute, was given " + wait);
    }
    this.wait = wait;
    return this;
  }

  /** For tests, in which time passes by itself. */
  DynamoDbOutboxStreamBuilder time(LongSupplier nanos, LongConsumer pauses) {
    this.nanos = nanos;
    this.pauses = pauses;
    return this;
  }

  /**
   * Makes a stream, which has not read anything.
   *
   * @return a stream
   */
  public DynamoDbOutboxStream build() {
    return new DynamoDbOutboxStream(this);
  }
}
