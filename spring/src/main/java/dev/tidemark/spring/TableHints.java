package dev.tidemark.spring;

import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.dynamodb.DynamoDbOutboxStream;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** Streams of tables, where there is a client of them. */
record TableHints(ObjectProvider<DynamoDbStreamsClient> client) implements RelayHints {
  @Override
  public @Nullable Stream of(OutboxRecords records, Relay relay) {
    DynamoDbStreamsClient streams = client.getIfUnique();
    if (streams == null || !(records instanceof DynamoDbOutbox outbox)) {
      return null;
    }
    StreamLog log = new StreamLog(records.name());
    DynamoDbOutboxStream stream =
        DynamoDbOutboxStream.builder(streams, outbox, relay::hint)
            .sweep(relay::look)
            .listener((event, error) -> log.told(event))
            .build();
    return stream::poll;
  }
}
