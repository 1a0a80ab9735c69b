package dev.tidemark.example.orderhistory.store;

import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.dynamodb.DynamoDbOutboxStream;
import dev.tidemark.mongodb.MongoOutbox;
import dev.tidemark.mongodb.MongoOutboxStream;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * Opens streams of hints: of a DynamoDB table, which has to have its stream switched on, or of a
 * MongoDB collection. For any number of threads.
 */
public final class HintStreams implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(HintStreams.class);

  private final Supplier<DynamoDbStreamsClient> dynamoDb;
  private @Nullable DynamoDbStreamsClient client;

  /**
   * Streams that are opened when asked for.
   *
   * @param dynamoDb makes a client, which is closed with this; asked only for tables of DynamoDB
   */
  public HintStreams(Supplier<DynamoDbStreamsClient> dynamoDb) {
    this.dynamoDb = dynamoDb;
  }

  /**
   * The stream of what a relay works on. It connects by its first poll.
   *
   * @param records where messages wait
   * @param relay gets the hints
   * @return the caller's to close, before this is closed; empty if their store has no streams
   */
  public Optional<HintStream> of(OutboxRecords records, Relay relay) {
    Changes changes = new Changes(records.name());
    if (records instanceof DynamoDbOutbox outbox) {
      return Optional.of(
          new OfTable(
              DynamoDbOutboxStream.builder(client(), outbox, relay::hint)
                  .listener((event, error) -> changes.told(event))
                  .build()));
    }
    if (records instanceof MongoOutbox outbox) {
      return Optional.of(
          new OfCollection(
              MongoOutboxStream.builder(outbox, relay::hint)
                  .listener((event, error) -> changes.told(event))
                  .build()));
    }
    return Optional.empty();
  }

  private synchronized DynamoDbStreamsClient client() {
    DynamoDbStreamsClient made = client == null ? dynamoDb.get() : client;
    client = made;
    return made;
  }

  @Override
  public synchronized void close() {
    if (client != null) {
      client.close();
      client = null;
    }
  }

  /** Logs what happens to a stream, and nothing of the same that happens again. */
  private static final class Changes {
    private final String name;
    private @Nullable Enum<?> last;

    Changes(String name) {
      this.name = name;
    }

    void told(Enum<?> event) {
      if (!event.equals(last)) {
        last = event;
        String what = event.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        LOG.info("stream of {}: {}; what waits there is found by looks", name, what);
      }
    }
  }

  private record OfTable(DynamoDbOutboxStream stream) implements HintStream {
    @Override
    public void poll() {
      var unused = stream.poll();
    }

    @Override
    public void close() {} // it keeps nothing open
  }

  private record OfCollection(MongoOutboxStream stream) implements HintStream {
    @Override
    public void poll() {
      var unused = stream.poll();
    }

    @Override
    public void close() {
      stream.close();
    }
  }
}
