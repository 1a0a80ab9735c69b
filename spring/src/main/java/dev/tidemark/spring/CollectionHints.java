package dev.tidemark.spring;

import dev.tidemark.mongodb.MongoOutbox;
import dev.tidemark.mongodb.MongoOutboxStream;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import org.jspecify.annotations.Nullable;

/** Change streams of collections. */
record CollectionHints() implements RelayHints {
  @Override
  public @Nullable Stream of(OutboxRecords records, Relay relay) {
    if (!(records instanceof MongoOutbox outbox)) {
      return null;
    }
    StreamLog log = new StreamLog(records.name());
    MongoOutboxStream stream =
        MongoOutboxStream.builder(outbox, relay::hint)
            .sweep(relay::look)
            .listener((event, error) -> log.told(event))
            .build();
    return new Stream() {
      @Override
      public void poll() {
        var unused = stream.poll();
      }

      @Override
      public void close() {
        stream.close();
      }
    };
  }
}
