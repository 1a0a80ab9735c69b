package dev.tidemark.dynamodb;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.services.dynamodb.model.ExpiredIteratorException;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsRequest;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.GetShardIteratorRequest;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.ResourceNotFoundException;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.TrimmedDataAccessException;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** The place in one shard of a stream. For one thread. */
final class StreamShard {
  /** An iterator may have expired, and what follows the last record may be trimmed. */
  private static final int MOST_TRIES = 3;

  private final DynamoDbStreamsClient streams;
  private final String stream;
  private final String id;
  private final Consumer<RuntimeException> lost;
  private final Runnable missed;
  private ShardIteratorType start;
  private @Nullable String last;
  private @Nullable String iterator;
  private boolean ended;

  /** Whether it was asked where to begin. */
  private boolean isBegun;

  /**
   * A shard that is not read yet.
   *
   * @param start the latest record of one that was there before this reader, else the oldest
   * @param lost is told that there is no history any more behind the last record that was read
   * @param missed is told that it begins with the latest record once more
   */
  StreamShard(
      DynamoDbStreamsClient streams,
      String stream,
      String id,
      ShardIteratorType start,
      Consumer<RuntimeException> lost,
      Runnable missed) {
    this.streams = streams;
    this.stream = stream;
    this.id = id;
    this.start = start;
    this.lost = lost;
    this.missed = missed;
  }

  /** Whether no record comes any more. */
  boolean hasEnded() {
    return ended;
  }

  /** The next records; none where there are none at the moment, or the shard has ended. */
  List<Record> read() {
    for (int tries = 1; ; tries++) {
      try {
        String from = iterator == null ? iterate() : iterator;
        iterator = from; // also where this read fails: what comes meanwhile is behind it
        GetRecordsResponse reply =
            streams.getRecords(GetRecordsRequest.builder().shardIterator(from).build());
        iterator = reply.nextShardIterator();
        ended = iterator == null;
        if (!reply.records().isEmpty()) {
          Record latest = reply.records().get(reply.records().size() - 1);
          last = latest.dynamodb() == null ? last : latest.dynamodb().sequenceNumber();
        }
        return reply.records();
      } catch (ExpiredIteratorException e) {
        iterator = null;
        rethrowIf(tries == MOST_TRIES, e);
      } catch (TrimmedDataAccessException e) { // its history is lost up to what is there now
        iterator = null;
        last = null;
        start = ShardIteratorType.TRIM_HORIZON;
        rethrowIf(tries == MOST_TRIES, e);
        lost.accept(e);
      } catch (ResourceNotFoundException e) { // the shard is gone, or its stream
        ended = true;
        lost.accept(e);
        return List.of();
      }
    }
  }

  private static void rethrowIf(boolean over, RuntimeException e) {
    if (over) {
      throw e;
    }
  }

  private String iterate() {
    GetShardIteratorRequest.Builder request =
        GetShardIteratorRequest.builder().streamArn(stream).shardId(id);
    if (last == null) {
      if (isBegun && start == ShardIteratorType.LATEST) {
        missed.run();
      }
      isBegun = true;
      request.shardIteratorType(start);
    } else {
      request.shardIteratorType(ShardIteratorType.AFTER_SEQUENCE_NUMBER).sequenceNumber(last);
    }
    return streams.getShardIterator(request.build()).shardIterator();
  }
}
