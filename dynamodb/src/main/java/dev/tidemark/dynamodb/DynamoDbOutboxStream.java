package dev.tidemark.dynamodb;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
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
 * The stream of a table as a hint for a relay: what was published is sent without waiting for the
 * relay's next look at the index. The index stays the truth. So a stream that is switched off, has
 * lost its history or cannot be read costs time, and no message:
 *
 * <pre>{@code
 * DynamoDbOutboxStream stream = DynamoDbOutboxStream.of(streams, outbox, relay::hint);
 * executor.scheduleWithFixedDelay(stream::poll, 0, 200, MILLISECONDS);
 * }</pre>
 *
 * <p>A poll reads each open shard once: one {@code GetRecords} for a shard, of which a table has
 * about one for each of its partitions. Shards that were there before are read from now on. Every
 * ten seconds, and each second after a shard has ended, a poll asks for the stream and its shards;
 * those that are new to it are read from their start, so that no split or switch of the stream is
 * missed. An iterator that expired is taken anew behind the last record that was read, or at what
 * is left of a history that was trimmed.
 *
 * <p>A stream of new images ({@code NEW_IMAGE}, {@code NEW_AND_OLD_IMAGES}) names the records that
 * have something to send; one of keys names every item that was written, each of which the relay
 * reads. DynamoDB allows two readers of a stream's shard, so share a stream among few relays.
 * Starts no thread. Safe for use by many threads: polls are made one after the other.
 */
public final class DynamoDbOutboxStream {
  private static final long REST = TimeUnit.SECONDS.toNanos(10);
  private static final long SHORT_REST = TimeUnit.SECONDS.toNanos(1);

  /** How often shards are asked for after the short rest, once one has ended. */
  private static final int SHORT_RESTS = 10;

  private final DynamoDbStreamsClient streams;
  private final DynamoDbOutbox outbox;
  private final OutboxHints hints;
  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();

  /** The shards that are read, by stream and shard. */
  private final Map<Name, StreamShard> open = new LinkedHashMap<>();

  /** Those that are not read any more, as long as the stream lists them. */
  private final Set<Name> ended = new HashSet<>();

  private boolean hasLooked;
  private int shortRests;
  private long next;

  DynamoDbOutboxStream(
      DynamoDbStreamsClient streams,
      DynamoDbOutbox outbox,
      BiConsumer<Integer, Object> hint,
      LongSupplier nanos) {
    this.streams = Objects.requireNonNull(streams, "streams");
    this.outbox = Objects.requireNonNull(outbox, "outbox");
    this.hints = new OutboxHints(outbox, Objects.requireNonNull(hint, "hint"));
    this.nanos = nanos;
    this.next = nanos.getAsLong();
  }

  private record Name(String stream, String shard) {}

  /**
   * What a poll came to.
   *
   * @param shards how many shards are read; 0 where the table has no stream
   * @param records how many records were read; where there are some, there may be more
   * @param hints how many of them have something to send
   * @param error the first that DynamoDB answered instead; the next poll tries again; null if there
   *     was none
   */
  public record Poll(int shards, int records, int hints, @Nullable RuntimeException error) {}

  /**
   * The stream of a table.
   *
   * @param streams where the table is
   * @param outbox of that table
   * @param hint {@code relay::hint}; is given the shard of the outbox and the record's key
   * @return a reader, which has not read anything
   */
  public static DynamoDbOutboxStream of(
      DynamoDbStreamsClient streams, DynamoDbOutbox outbox, BiConsumer<Integer, Object> hint) {
    return new DynamoDbOutboxStream(streams, outbox, hint, System::nanoTime);
  }

  /**
   * Gives hints of records that somebody else has read from the table's stream, such as a Lambda
   * function: an event source mapping gives a function the records, and {@code relay.sweep()} then
   * sends what they tell of. Events of {@code aws-lambda-java-events} are made such records by
   * {@code aws-lambda-java-events-sdk-transformer}.
   *
   * @param records of the table's stream
   * @param outbox of that table
   * @param hint {@code relay::hint}
   * @return how many records have something to send
   */
  public static int hint(
      List<Record> records, DynamoDbOutbox outbox, BiConsumer<Integer, Object> hint) {
    return new OutboxHints(outbox, hint).of(records);
  }

  /**
   * Reads each shard once, and gives the relay what has something to send. Throws nothing: what
   * DynamoDB does not answer is tried again by the next poll.
   *
   * @return what was read
   */
  public Poll poll() {
    lock.lock();
    try {
      Round round = new Round();
      if (nanos.getAsLong() - next >= 0) {
        round.make(this::look);
      }
      for (Map.Entry<Name, StreamShard> one : List.copyOf(open.entrySet())) {
        round.make(() -> round.read(one.getKey(), one.getValue()));
      }
      return new Poll(open.size(), round.records, round.hinted, round.error);
    } finally {
      lock.unlock();
    }
  }

  /** Asks for the shards of the table's stream, which may be another than before. */
  private void look() {
    next = nanos.getAsLong() + SHORT_REST; // unless all of it is answered
    String stream = outbox.stream();
    Set<Name> listed = new HashSet<>();
    if (stream != null) {
      shards(stream).forEach(shard -> found(stream, shard, listed));
    }
    ended.retainAll(listed);
    hasLooked = true;
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
    open.put(name, new StreamShard(streams, stream, shard.shardId(), start));
    shortRests = 0;
  }

  /** What one poll does. */
  private final class Round {
    private int records;
    private int hinted;
    private @Nullable RuntimeException error;

    /** Takes a step; what DynamoDB does not answer ends no other. */
    void make(Runnable step) {
      try {
        step.run();
      } catch (RuntimeException e) {
        error = error == null ? e : error;
      }
    }

    void read(Name name, StreamShard shard) {
      List<Record> some = shard.read();
      records += some.size();
      hinted += hints.of(some);
      if (shard.hasEnded()) {
        open.remove(name);
        ended.add(name);
        next = nanos.getAsLong();
        shortRests = SHORT_RESTS;
      }
    }
  }
}
