package dev.tidemark.example.orderhistory.relay;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.OrderStatusChanged;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.example.orderhistory.local.RowStream;
import dev.tidemark.example.orderhistory.store.HintStreams;
import dev.tidemark.outbox.RelayPass;
import dev.tidemark.outbox.Sender;
import java.net.URI;
import java.time.Duration;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

@DisplayName("The relay of statuses, told by the store's streams,")
class HintsTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final Duration SHORT = Duration.ofSeconds(1);

  private final Set<String> sent = ConcurrentHashMap.newKeySet();
  private final Queue<RelayPass> passes = new ConcurrentLinkedQueue<>();
  private int published;

  private Runnable stopping = () -> {};

  @AfterEach
  void end() {
    stopping.run();
  }

  private void start(
      Generations generations, Duration interval, Supplier<DynamoDbStreamsClient> client) {
    generations.prepareExecutions();
    HintStreams streams = new HintStreams(client);
    Sender sender = Sender.each(message -> sent.add(message.id()));
    StatusRelay relay =
        StatusRelay.of(generations, sender, passes::add).every(interval).hintedBy(streams);
    Thread thread = new Thread(relay, "relay");
    thread.start();
    stopping = () -> stop(relay, thread, streams, generations);
    Await.until(
        "it works on all shards", () -> passes.stream().anyMatch(pass -> pass.shards() == 4));
  }

  private static void stop(
      StatusRelay relay, Thread thread, HintStreams streams, Generations generations) {
    relay.stop();
    try {
      thread.join(TimeUnit.MINUTES.toMillis(1));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    assertTrue(!thread.isAlive(), "ends");
    streams.close();
    generations.close();
  }

  private String publish(Generations generations) {
    String order = "order-" + published++;
    assertTrue(
        generations
            .current()
            .orders()
            .update(
                MessageId.of(order),
                key(order),
                change()
                    .createIfMissing()
                    .publish(OutgoingMessage.to(OrderStatusChanged.TOPIC, "{}").id(order)))
            .isApplied());
    return order;
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("sends long before its next look what was published")
  void hinted(LocalStore store) {
    Generations generations = store.prepared();
    if (store == LocalStore.DYNAMODB) {
      new RowStream(generations).close();
    }
    start(generations, LONG, LocalStore.dynamoDb()::streams);
    Await.until( // what comes before the stream is open waits for a look
        "something is sent",
        () -> {
          publish(generations);
          return !sent.isEmpty();
        });
    String last = publish(generations);
    Await.until("the last is sent", () -> sent.contains(last));
  }

  @Test
  @DisplayName("sends all the same at its next look once a stream is switched off")
  void lost() {
    Generations generations = LocalStore.DYNAMODB.prepared();
    String table = generations.outboxes().get(0).name();
    new RowStream(generations).close();
    start(generations, SHORT, LocalStore.dynamoDb()::streams);
    String first = publish(generations);
    Await.until("it is sent", () -> sent.contains(first));
    try (DynamoDbClient client = LocalStore.dynamoDb().client()) {
      var unused =
          client.updateTable(
              u -> u.tableName(table).streamSpecification(s -> s.streamEnabled(false)));
    }
    String second = publish(generations);
    Await.until("the other is sent", () -> sent.contains(second));
    assertNoErrors();
  }

  @Test
  @DisplayName("sends all the same where streams cannot be reached, or there is no client of them")
  void unreachable() {
    Generations generations = LocalStore.DYNAMODB.prepared();
    new RowStream(generations).close();
    start(generations, SHORT, () -> LocalDynamoDb.streams(URI.create("http://127.0.0.1:1")));
    String first = publish(generations);
    Await.until("it is sent", () -> sent.contains(first));
    end();
    Generations others = LocalStore.DYNAMODB.prepared();
    start(
        others,
        SHORT,
        () -> {
          throw new IllegalStateException("no region");
        });
    String second = publish(others);
    Await.until("it is sent, too", () -> sent.contains(second));
    assertNoErrors();
  }

  private void assertNoErrors() {
    assertEquals(0, passes.stream().filter(pass -> pass.error() != null).count());
  }
}
