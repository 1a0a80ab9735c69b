package dev.tidemark.dynamodb;

import static dev.tidemark.Change.change;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.MessageId;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Tracking;
import dev.tidemark.dynamodb.DynamoDbOutboxStream.Event;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords.Answer;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.Sender;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.View;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.OperationType;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

@DisplayName("A table's stream as a hint for a relay")
final class DynamoDbOutboxStreamTest {
  private static final int MANY = 2_000;
  private static final Duration SHORT = Duration.ofMillis(5);

  private final MovableClock clock = new MovableClock();
  private final AtomicLong nanos = new AtomicLong();
  private final DynamoDbClient client = DynamoDbTables.client();
  private final StreamFaults faults = new StreamFaults();
  private final DynamoDbStreamsClient streams = faults.client();
  private final String table =
      DynamoDbTables.createWithOutbox(client, DynamoDbBackend.schema(false));
  private final DynamoDbEntityStore<View> views =
      DynamoDbEntityStore.builder(client, table, DynamoDbBackend.schema(false))
          .clock(clock)
          .build();
  private final DynamoDbOutbox outbox =
      DynamoDbOutbox.of(client, table, Tracking.defaults(), clock);
  private final Map<Object, Integer> hints = new LinkedHashMap<>();
  private final List<Event> events = new ArrayList<>();
  private int sweeps;
  private boolean hasRoom = true;
  private final DynamoDbOutboxStream stream =
      DynamoDbOutboxStream.builder(
              streams,
              outbox,
              (shard, key) -> {
                hints.put(key, shard);
                return hasRoom;
              })
          .listener((event, error) -> events.add(event))
          .sweep(() -> sweeps++)
          .time(nanos::get, this::rest)
          .build();

  private int rests;
  private boolean isRestCut;

  private void rest(long time) {
    rests++;
    isRestCut |= Thread.currentThread().isInterrupted();
  }

  @Test
  @DisplayName("rests on a thread that was interrupted before, whose loop is no busy one")
  void interrupted() {
    enable(StreamViewType.KEYS_ONLY);
    Thread.currentThread().interrupt();
    try {
      for (int polls = 0; polls < 3; polls++) {
        assertEquals(0, stream.poll());
        assertTrue(Thread.currentThread().isInterrupted());
      }
    } finally {
      assertTrue(Thread.interrupted());
    }
    assertEquals(3, rests);
    assertFalse(isRestCut);
  }

  @AfterEach
  void close() {
    client.close();
    streams.close();
    faults.close();
  }

  private void enable(StreamViewType type) {
    client.updateTable(
        update ->
            update
                .tableName(table)
                .streamSpecification(s -> s.streamEnabled(true).streamViewType(type)));
    pass(Duration.ofSeconds(11));
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private String publish() {
    String id = "v-" + UUID.randomUUID();
    MessageId message = MessageId.of(UUID.randomUUID());
    assertTrue(
        views
            .update(
                message,
                EntityKey.key(id),
                change()
                    .add("total", 1)
                    .createIfMissing()
                    .publish(OutgoingMessage.to("orders", "text")))
            .isDone());
    return id;
  }

  /** Polls until a hint is there, or for too long; time passes by a tenth of a second. */
  private void await(String... ids) {
    Set<Object> keys = new HashSet<>();
    for (String id : ids) {
      keys.add(key(id));
    }
    for (int i = 0; i < MANY && !hints.keySet().containsAll(keys); i++) {
      pass(Duration.ofMillis(100));
      stream.poll();
    }
    assertEquals(keys, Set.copyOf(hints.keySet()));
    hints.forEach((key, shard) -> assertEquals(outbox.read(key).isPresent(), true));
  }

  private Object key(String id) {
    return outbox.key(OutboxItems.key(id));
  }

  private void clear() {
    for (Object key : hints.keySet()) {
      OutboxRecord record = outbox.read(key).orElseThrow();
      Set<String> ids =
          record.waiting().stream().map(OutboxMessage::id).collect(Collectors.toSet());
      OutboxChange change = new OutboxChange(record, ids, Set.of(), Set.of(), 0, record.due());
      assertEquals(List.of(new Answer.Written(true)), outbox.write(List.of(change)));
    }
    hints.clear();
  }

  @Test
  @DisplayName("tells what was published from the first poll on, and nothing of what was taken")
  void published() {
    enable(StreamViewType.NEW_IMAGE);
    publish();
    assertEquals(0, stream.poll());
    String id = publish();
    await(id);
    assertEquals(Outbox.shard(EntityKey.key(id), 4), hints.get(key(id)));
    clear();
    await(publish());
    assertEquals(List.of(), events);
    assertEquals(1, sweeps, "at the start");
  }

  @Test
  @DisplayName("lets a relay at rest send at once")
  void relayed() throws Exception {
    enable(StreamViewType.NEW_AND_OLD_IMAGES);
    BlockingQueue<String> sent = new LinkedBlockingQueue<>();
    DynamoDbOutbox live = DynamoDbOutbox.of(client, table);
    Relay relay =
        Relay.builder(live, Sender.each(message -> sent.add(message.message().topic())))
            .interval(Duration.ofDays(1))
            .build();
    DynamoDbOutboxStream hinting =
        DynamoDbOutboxStream.builder(streams, live, relay::hint).waiting(SHORT).build();
    hinting.poll();
    relay.sweep();
    Thread thread = new Thread(relay::run);
    thread.start();
    publish();
    String topic = null;
    for (int i = 0; i < MANY && topic == null; i++) {
      hinting.poll();
      topic = sent.poll();
    }
    relay.stop();
    thread.join();
    assertEquals("orders", topic);
  }

  @Test
  @DisplayName("goes on behind the last record where an iterator has expired")
  void expired() {
    enable(StreamViewType.NEW_IMAGE);
    stream.poll();
    String first = publish();
    await(first);
    String second = publish();
    faults.answerReads("ExpiredIteratorException");
    await(first, second);
    assertEquals(
        List.of(ShardIteratorType.LATEST, ShardIteratorType.AFTER_SEQUENCE_NUMBER),
        faults.starts());
    faults.answerReads(
        "ExpiredIteratorException", "ExpiredIteratorException", "ExpiredIteratorException");
    assertEquals(0, stream.poll());
    assertEquals(List.of(Event.FAILED), events, "no loop without an end");
    await(first, second, publish());
    assertEquals(1, sweeps);
  }

  @Test
  @DisplayName("misses nothing where the first read fails")
  void firstReads() {
    enable(StreamViewType.NEW_IMAGE);
    faults.answerReads("LimitExceededException");
    stream.poll();
    await(publish());
    assertEquals(List.of(ShardIteratorType.LATEST), faults.starts());
    assertEquals(1, sweeps);
  }

  @Test
  @DisplayName("has all shards looked at where the first iterator expires before a record came")
  void firstExpires() {
    enable(StreamViewType.NEW_IMAGE);
    stream.poll();
    assertEquals(1, sweeps);
    faults.answerReads("ExpiredIteratorException");
    stream.poll();
    assertEquals(List.of(ShardIteratorType.LATEST, ShardIteratorType.LATEST), faults.starts());
    assertEquals(2, sweeps);
  }

  @Test
  @DisplayName("goes on with what is left where its history was trimmed")
  void trimmed() {
    enable(StreamViewType.NEW_IMAGE);
    stream.poll();
    String first = publish();
    await(first);
    String second = publish();
    faults.answerReads("TrimmedDataAccessException");
    await(first, second);
    assertEquals(
        List.of(ShardIteratorType.LATEST, ShardIteratorType.TRIM_HORIZON), faults.starts());
    assertEquals(List.of(Event.HISTORY_LOST), events);
    assertEquals(2, sweeps);
    hasRoom = false;
    await(first, second, publish());
    assertEquals(3, sweeps, "where a hint was dropped");
  }

  @Test
  @DisplayName("reads the children of a shard that was split from their start")
  void split() {
    enable(StreamViewType.NEW_IMAGE);
    stream.poll();
    String first = publish();
    await(first);
    faults.split();
    stream.poll();
    await(first, publish());
    assertEquals(
        List.of(
            ShardIteratorType.LATEST,
            ShardIteratorType.TRIM_HORIZON,
            ShardIteratorType.TRIM_HORIZON),
        faults.starts());
  }

  @Test
  @DisplayName("is tried again by the next poll where DynamoDB does not answer")
  void errors() {
    enable(StreamViewType.NEW_IMAGE);
    stream.poll();
    String id = publish();
    faults.answerReads("LimitExceededException", "InternalServerError");
    pass(Duration.ofMillis(5));
    stream.poll();
    stream.poll();
    assertEquals(List.of(Event.FAILED, Event.FAILED), events);
    assertEquals(Duration.ofMillis(5), stream.behind());
    await(id);
    pass(Duration.ofMillis(3));
    stream.poll();
    assertEquals(2, events.size());
    assertEquals(Duration.ZERO, stream.behind());
  }

  @Test
  @DisplayName("may be absent, switched on and off, and be gone: that is no error")
  void switched() {
    pass(Duration.ofSeconds(1));
    stream.poll();
    assertEquals(List.of(Event.UNAVAILABLE), events);
    assertEquals(Duration.ofSeconds(1), stream.behind());
    assertEquals(1, sweeps);
    enable(StreamViewType.NEW_IMAGE);
    String first = publish();
    await(first);
    assertEquals(2, sweeps, "for what came before there was a stream");
    events.clear();
    client.updateTable(
        update -> update.tableName(table).streamSpecification(s -> s.streamEnabled(false)));
    publish();
    for (int i = 0; i < MANY && events.isEmpty(); i++) {
      pass(Duration.ofMillis(100));
      stream.poll();
    }
    assertEquals(List.of(Event.UNAVAILABLE), events);
    enable(StreamViewType.NEW_IMAGE);
    String third = publish();
    await(first, third);
    events.clear();
    faults.answerReads("ResourceNotFoundException");
    stream.poll();
    assertEquals(List.of(Event.HISTORY_LOST), events);
  }

  @Test
  @DisplayName("asks each shard once a poll, and for shards every ten seconds")
  void cost() {
    enable(StreamViewType.NEW_IMAGE);
    stream.poll();
    int before = faults.requests();
    for (int i = 0; i < 5; i++) {
      stream.poll();
    }
    assertEquals(5, faults.requests() - before);
    pass(Duration.ofSeconds(10));
    stream.poll();
    assertEquals(7, faults.requests() - before);
  }

  @Test
  @DisplayName("of keys alone names every item that was written, and its shard")
  void keys() {
    enable(StreamViewType.KEYS_ONLY);
    stream.poll();
    String id = publish();
    await(id);
    assertEquals(Outbox.shard(EntityKey.key(id), 4), hints.get(key(id)));
    clear();
    for (int i = 0; i < MANY && hints.isEmpty(); i++) {
      stream.poll();
    }
    assertEquals(Set.of(key(id)), hints.keySet());
  }

  @Test
  @DisplayName("is taken from whoever has read it, and hostile images name nothing")
  void records() {
    Map<String, AttributeValue> waits =
        Map.of(
            "_outbox", AttributeValue.fromL(List.of()),
            "_outbox#shard", AttributeValue.fromN("3"),
            "_outbox#due", AttributeValue.fromN(Long.toString(clock.millis())));
    List<Record> records = new ArrayList<>();
    records.add(record("due", waits, OperationType.MODIFY));
    records.add(record("later", with(waits, "_outbox#due", "9999999999999"), OperationType.MODIFY));
    records.add(record("parked", with(waits, "_outbox#shard", "-4"), OperationType.MODIFY));
    records.add(record("beyond", with(waits, "_outbox#shard", "4"), OperationType.MODIFY));
    records.add(record("large", with(waits, "_outbox#shard", "4294967296"), OperationType.MODIFY));
    records.add(record("fraction", with(waits, "_outbox#shard", "1.5"), OperationType.MODIFY));
    records.add(
        record("text", Map.of("_outbox#shard", AttributeValue.fromS("1")), OperationType.INSERT));
    records.add(record("bare", Map.of("id", AttributeValue.fromS("bare")), OperationType.INSERT));
    records.add(record("gone", Map.of(), OperationType.REMOVE));
    records.add(Record.builder().eventName(OperationType.MODIFY).build());
    records.add(
        Record.builder()
            .eventName(OperationType.MODIFY)
            .dynamodb(d -> d.keys(Map.of("other", AttributeValue.fromS("x"))))
            .build());
    assertEquals(
        1,
        DynamoDbOutboxStream.hint(records, outbox, (shard, key) -> hints.put(key, shard) == null));
    assertEquals(Map.of(key("due"), 3), hints);
  }

  @Test
  @DisplayName("names what a writer has published whose clock is ahead, and nothing put off")
  void ahead() {
    Instant soon = clock.instant().plusSeconds(5);
    OutgoingMessage message = OutgoingMessage.to("t", "x").id("ahead");
    Map<String, AttributeValue> fresh = outbox.items().own(message, soon, List.of());
    List<Record> records = new ArrayList<>();
    records.add(record("ahead", fresh, OperationType.INSERT));
    for (int later : new int[] {1, -1}) { // a clock that is far ahead may be passed by no pause
      String due = Long.toString(soon.toEpochMilli() + later);
      records.add(record("putOff" + later, with(fresh, "_outbox#due", due), OperationType.MODIFY));
    }
    assertEquals(
        1,
        DynamoDbOutboxStream.hint(records, outbox, (shard, key) -> hints.put(key, shard) == null));
    assertEquals(Set.of(key("ahead")), hints.keySet());
  }

  private static Record record(
      String id, Map<String, AttributeValue> image, OperationType operation) {
    return Record.builder()
        .eventName(operation)
        .dynamodb(d -> d.keys(OutboxItems.key(id)).newImage(image.isEmpty() ? null : image))
        .build();
  }

  private static Map<String, AttributeValue> with(
      Map<String, AttributeValue> item, String name, String number) {
    Map<String, AttributeValue> copy = new LinkedHashMap<>(item);
    copy.put(name, AttributeValue.fromN(number));
    return copy;
  }
}
