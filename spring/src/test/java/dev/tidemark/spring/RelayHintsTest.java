package dev.tidemark.spring;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoCollection;
import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.dynamodb.DynamoDbTransaction;
import dev.tidemark.mongodb.MongoEntityStore;
import dev.tidemark.mongodb.MongoOutbox;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.Sender;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

@DisplayName("A stream that tells a relay what came has it look for what came before")
final class RelayHintsTest {
  private static final OutgoingMessage EARLY = OutgoingMessage.to("early", "before the stream");

  private static void assertSent(OutboxRecords outbox, RelayHints hints, Runnable publishes)
      throws Exception {
    BlockingQueue<Thread> sent = new LinkedBlockingQueue<>();
    CountDownLatch looked = new CountDownLatch(1);
    Relay relay =
        Relay.builder(outbox, Sender.each(message -> sent.add(Thread.currentThread())))
            .interval(Duration.ofDays(1))
            .listener(pass -> looked.countDown())
            .build();
    Thread thread = new Thread(relay::run, "relay");
    thread.start();
    assertTrue(looked.await(1, TimeUnit.MINUTES));
    publishes.run();
    try (RelayHints.Stream stream = Objects.requireNonNull(hints.of(outbox, relay))) {
      stream.poll();
      assertEquals(thread, sent.poll(1, TimeUnit.MINUTES), "on the relay's own thread");
    } finally {
      relay.stop();
      thread.join();
    }
  }

  @Test
  @DisplayName("of a collection")
  void collection() throws Exception {
    MongoCollection<Document> rows =
        Servers.mongo().getDatabase("hints").getCollection(Servers.fresh("rows"));
    MongoOutbox outbox = MongoOutbox.of(rows);
    outbox.createIndex();
    MongoEntityStore<Document> store = MongoEntityStore.of(rows);
    assertSent(
        outbox,
        new CollectionHints(),
        () ->
            assertTrue(
                store
                    .update(MessageId.of("m"), key("k"), change().publish(EARLY).createIfMissing())
                    .isDone()));
  }

  @Test
  @DisplayName("of a table")
  void table() throws Exception {
    String table = Servers.fresh("rows");
    DynamoDbOutbox.createTable(Servers.dynamoDb(), table);
    Servers.dynamoDb()
        .updateTable(
            update ->
                update
                    .tableName(table)
                    .streamSpecification(
                        stream ->
                            stream.streamEnabled(true).streamViewType(StreamViewType.NEW_IMAGE)));
    DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
    try (DynamoDbStreamsClient streams = Servers.streams()) {
      beans.registerSingleton("streams", streams);
      DynamoDbOutbox outbox = DynamoDbOutbox.of(Servers.dynamoDb(), table);
      assertSent(
          outbox,
          new TableHints(beans.getBeanProvider(DynamoDbStreamsClient.class)),
          () ->
              assertTrue(
                  DynamoDbTransaction.on(Servers.dynamoDb())
                      .publish(outbox, EARLY.id("m"))
                      .commit()
                      .isDone()));
    }
  }
}
