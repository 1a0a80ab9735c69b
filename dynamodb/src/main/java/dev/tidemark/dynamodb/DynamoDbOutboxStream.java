package dev.tidemark.dynamodb;

import dev.tidemark.kernel.Uninterrupted;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamRequest;
import software.amazon.awssdk.services.dynamodb.model.DescribeStreamResponse;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.SequenceNumberRange;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * Tells a relay at once which records have messages, by the stream of their table, so that it need
 * not wait for its next look:
 *
 * <pre>{@code
 * DynamoDbOutboxStream stream =
 *     DynamoDbOutboxStream.builder(streams, outbox, relay::hint).build();
 * while (running) {
 *   stream.poll();
 * }
 * }</pre>
 *
 * <p>A stream is a hint, and what is stored is the truth: a stream that is switched off, has lost
 * its history or cannot be read costs time, and no message. The listener is told of that, and
 * {@link #poll} throws nothing of it.
 *
 * <p>A poll reads each open shard once: one {@code GetRecords} for a shard, of which a table has
 * about one for each of its partitions. Shards that were there before are read from now on. Every
 * ten seconds, and each second after a shard has ended, a poll asks for the table's stream and its
 * shards; those that are new are read from their start, so that no split and no switch of the
 * stream is missed. An iterator that has expired is taken anew behind the last record that was
 * read, or at what is left of a history that was trimmed.
 *
 * <p>A stream of new images ({@code NEW_IMAGE}, {@code NEW_AND_OLD_IMAGES}) names the records that
 * have something to send; one of keys names every item that was written, each of which the relay
 * reads. It works out the shard of the stored key, so where a key has a converter, or a writer
 * knows of fewer shards, what a stream of keys tells of may wait for the next look. DynamoDB allows
 * two readers of a stream's shard. The clients need {@code DescribeTable}, {@code DescribeStream},
 * {@code GetShardIterator} and {@code GetRecords}. Starts no thread. For one thread at a time.
 */
public final class DynamoDbOutboxStream {
  private static final long REST = TimeUnit.SECONDS.toNanos(10);
  private static final long SHORT_REST = TimeUnit.SECONDS.toNanos(1);

  /** How often shards are asked for after the short rest, once one has ended. */
  private static final int SHORT_RESTS = 10;

  private final DynamoDbStreamsClient streams;
  private final DynamoDbOutbox outbox;
  private final OutboxHints hints;
  private final Listener listener;
  private final Duration wait;
  private final LongSupplier nanos;
  private final LongConsumer pauses;
  private final Runnable sweep;

  /** The shards that are read. */
  private final Map<Name, StreamShard> open = new LinkedHashMap<>();

  /** Those that are not read any more, as long as the stream lists them. */
  private final Set<Name> ended = new HashSet<>();

  /** The stream that was found last; null until there is one. */
  private @Nullable String known;

  private boolean hasLooked;
  private boolean owesSweep = true;
  private int shortRests;
  private long next;
  private volatile long caughtUpAt;

  DynamoDbOutboxStream(DynamoDbOutboxStreamBuilder builder) {
    this.streams = builder.streams;
    this.outbox = builder.outbox;
    this.hints = new OutboxHints(builder.outbox, (shard, key) -> tell(builder.hints, shard, key));
    this.sweep = builder.sweep;
    this.listener = builder.listener;
    this.wait = builder.wait;
    this.nanos = builder.nanos;
    this.pauses = builder.pauses;
    this.next = nanos.getAsLong();
    this.caughtUpAt = next;
  }

  private record Name(String stream, String shard) {}

  /**
   * The stream of a table.
   *
   * @param streams where the table is
   * @param outbox the outbox of a relay
   * @param hints the relay's, such as {@code relay::hint}
   * @return a builder
   */
  public static DynamoDbOutboxStreamBuilder builder(
      DynamoDbStreamsClient streams, DynamoDbOutbox outbox, Hints hints) {
    return new DynamoDbOutboxStreamBuilder(streams, outbox, hints);
  }

  /** Takes word of records that have messages. */
  @FunctionalInterface
  public interface Hints {
    /**
     * A record has messages now.
     *
     * @param shard of the record
     * @param key as {@link dev.tidemark.outbox.OutboxRecord#key} has it
     * @return false if there is no room for the hint, so that all shards have to be looked at
     */
    boolean hint(int shard, Object key);
  }

  /** What may happen to a stream. */
  public enum Event {
    /** What followed the last record of a shard is trimmed, or the shard is gone. */
    HISTORY_LOST,
    /** The table has no stream; it is asked for again every ten seconds. */
    UNAVAILABLE,
    /** No answer, or an error; tried again by the next poll. */
    FAILED
  }

  /** Is told of what happens to a stream, on its thread. */
  @FunctionalInterface
  public interface Listener {
    /**
     * Takes note.
     *
     * @param event what happened
     * @param error the cause; null if there was no error
     */
    void told(Event event, @Nullable RuntimeException error);
  }

  /**
   * Gives hints of records that somebody else has read from the table's stream, such as a Lambda
   * function: an event source mapping gives a function the records, and {@code relay.sweep()} then
   * sends what they tell of. Events of {@code aws-lambda-java-events} are made such records by
   * {@code aws-lambda-java-events-sdk-transformer}.
   *
   * @param records of the table's stream
   * @param outbox the outbox of a relay
   * @param hints the relay's, such as {@code relay::hint}
   * @return how many records were told of
   */
  public static int hint(List<Record> records, DynamoDbOutbox outbox, Hints hints) {
    return new OutboxHints(outbox, hints).of(records);
  }

  /**
   * Reads each shard once, and tells what has something to send. Rests afterwards for the time that
   * the builder was given if no record was read, so that a loop around it is never a busy one. An
   * interrupt ends that rest early. On a thread that was interrupted before, it reads nothing, and
   * rests all the same.
   *
   * @return how many records were told of
   */
  public int poll() {
    Round round = new Round();
    if (nanos.getAsLong() - next >= 0) {
      round.make(this::look);
    }
    for (Map.Entry<Name, StreamShard> one : List.copyOf(open.entrySet())) {
      round.make(() -> round.read(one.getKey(), one.getValue()));
    }
    round.make(this::lookAtAll); // once the shards are read, so that nothing falls in between
    round.end();
    return round.told;
  }

  /**
   * How far the stream is behind: the age of the records that it read last, by DynamoDB's clock and
   * that of the outbox, or the time that has passed since no shard had any more. It grows while no
   * answer comes, and where there is no stream. The measure for an alarm on a stream that is far
   * behind or dead.
   *
   * @return not negative
   */
  public Duration behind() {
    return Duration.ofNanos(Math.max(0, nanos.getAsLong() - caughtUpAt));
  }

  private boolean tell(Hints hints, int shard, Object key) {
    boolean taken = hints.hint(shard, key);
    owesSweep |= !taken;
    return taken;
  }

  /** Asks for the shards of the table's stream, which may be another than before. */
  private void look() {
    next = nanos.getAsLong() + SHORT_REST; // unless all of it is answered
    String stream = outbox.stream();
    Set<Name> listed = new HashSet<>();
    if (stream != null) {
      shards(stream).forEach(shard -> found(stream, shard, listed));
      owesSweep |= !stream.equals(known); // of what came before it nobody tells
      known = stream;
    }
    ended.retainAll(listed);
    hasLooked = true;
    if (open.isEmpty()) {
      listener.told(Event.UNAVAILABLE, null);
    }
    if (shortRests == 0) {
      next = nanos.getAsLong() + REST;
    } else {
      shortRests--;
    }
  }

  private List<Shard> shards(String stream) {
    List<Shard> shards = new ArrayList<>();
    String last = null;
    do {
      DescribeStreamRequest request =
          DescribeStreamRequest.builder().streamArn(stream).exclusiveStartShardId(last).build();
      DescribeStreamResponse reply = streams.describeStream(request);
      shards.addAll(reply.streamDescription().shards());
      last = reply.streamDescription().lastEvaluatedShardId();
    } while (last != null);
    return shards;
  }

  private void found(String stream, Shard shard, Set<Name> listed) {
    Name name = new Name(stream, shard.shardId());
    listed.add(name);
    if (open.containsKey(name) || ended.contains(name)) {
      return;
    }
    SequenceNumberRange range = shard.sequenceNumberRange();
    if (!hasLooked && range != null && range.endingSequenceNumber() != null) {
      ended.add(name); // all of it was there before
      return;
    }
    ShardIteratorType start = hasLooked ? ShardIteratorType.TRIM_HORIZON : ShardIteratorType.LATEST;
    open.put(
        name,
        new StreamShard(
            streams, stream, shard.shardId(), start, this::lost, () -> owesSweep = true));
    shortRests = 0;
  }

  private void lost(RuntimeException error) {
    owesSweep = true;
    listener.told(Event.HISTORY_LOST, error);
  }

  private void lookAtAll() {
    if (owesSweep) {
      sweep.run();
      owesSweep = false;
    }
  }

  /** What one poll does. */
  private final class Round {
    private int records;
    private int told;
    private boolean failed;

    /** The age of what was read of the shard that is furthest behind, in milliseconds. */
    private long oldest;

    /** Takes a step; what DynamoDB does not answer ends no other. */
    void make(Runnable step) {
      try {
        step.run();
      } catch (RuntimeException e) {
        failed = true;
        if (!Thread.currentThread().isInterrupted()) {
          listener.told(Event.FAILED, e);
        }
      }
    }

    void read(Name name, StreamShard shard) {
      List<Record> some = shard.read();
      if (shard.hasEnded()) {
        open.remove(name);
        ended.add(name);
        next = nanos.getAsLong();
        shortRests = SHORT_RESTS;
      }
      if (!some.isEmpty()) {
        records += some.size();
        oldest = Math.max(oldest, age(some.get(some.size() - 1)));
        told += hints.of(some);
      }
    }

    private long age(Record last) {
      Instant written =
          last.dynamodb() == null ? null : last.dynamodb().approximateCreationDateTime();
      return written == null ? 0 : outbox.clock().millis() - written.toEpochMilli();
    }

    void end() {
      if (!failed && !open.isEmpty()) {
        caughtUpAt = nanos.getAsLong() - TimeUnit.MILLISECONDS.toNanos(oldest);
      }
      if (records == 0) {
        rest();
      }
    }

    /** A thread that was interrupted before rests, too, or a loop around it would be a busy one. */
    private void rest() {
      Uninterrupted.run(() -> pauses.accept(wait.toNanos()));
    }
  }
}
