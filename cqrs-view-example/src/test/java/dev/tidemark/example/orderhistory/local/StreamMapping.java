package dev.tidemark.example.orderhistory.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.services.dynamodb.model.AttributeValue;
import software.amazon.awssdk.services.dynamodb.model.GetRecordsResponse;
import software.amazon.awssdk.services.dynamodb.model.Record;
import software.amazon.awssdk.services.dynamodb.model.Shard;
import software.amazon.awssdk.services.dynamodb.model.ShardIteratorType;
import software.amazon.awssdk.services.dynamodb.model.StreamRecord;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/**
 * Does what Lambda does between a stream of DynamoDB and a function: reads the shards from their
 * start, invokes, and reads on from the first record that the answer names, or from the same place
 * after an invocation error. It does not bisect and never gives up.
 */
public final class StreamMapping implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(50);

  private final DynamoDbStreamsClient client;
  private final String stream;
  private final UnaryOperator<String> function;
  private final int batchSize;
  private final Map<String, String> iterators = new HashMap<>();
  private final Set<String> finished = new HashSet<>();
  private final AtomicInteger errors = new AtomicInteger();
  private final AtomicInteger partial = new AtomicInteger();
  private final Loop loop;

  /** Starts reading. */
  public StreamMapping(
      DynamoDbStreamsClient client, String stream, UnaryOperator<String> function, int batchSize) {
    this.client = client;
    this.stream = stream;
    this.function = function;
    this.batchSize = batchSize;
    this.loop = new Loop("stream-mapping", this::read);
  }

  /** How often the function threw. */
  public int errors() {
    return errors.get();
  }

  /** How often it named a record that was not done. */
  public int partial() {
    return partial.get();
  }

  private void read() {
    for (Shard shard :
        client.describeStream(d -> d.streamArn(stream)).streamDescription().shards()) {
      read(shard.shardId());
    }
    LockSupport.parkNanos(PAUSE.toNanos());
  }

  private void read(String shard) {
    if (finished.contains(shard)) {
      return;
    }
    String iterator = iterators.computeIfAbsent(shard, s -> start(s));
    GetRecordsResponse got = client.getRecords(get -> get.shardIterator(iterator).limit(batchSize));
    String retry = got.records().isEmpty() ? "" : invoke(got.records());
    if (!retry.isEmpty()) {
      iterators.put(shard, at(shard, retry));
    } else if (got.nextShardIterator() != null) {
      iterators.put(shard, got.nextShardIterator());
    } else {
      finished.add(shard);
    }
  }

  /** The sequence number to read again from; empty if all are done. */
  private String invoke(List<Record> records) {
    try {
      List<JsonNode> failed = BatchAnswer.failures(function.apply(event(records)));
      if (failed.isEmpty()) {
        return "";
      }
      partial.incrementAndGet();
      return failed.get(0).asText();
    } catch (RuntimeException e) {
      errors.incrementAndGet();
      return records.get(0).dynamodb().sequenceNumber();
    }
  }

  private String start(String shard) {
    return client
        .getShardIterator(
            get ->
                get.streamArn(stream)
                    .shardId(shard)
                    .shardIteratorType(ShardIteratorType.TRIM_HORIZON))
        .shardIterator();
  }

  private String at(String shard, String sequenceNumber) {
    return client
        .getShardIterator(
            get ->
                get.streamArn(stream)
                    .shardId(shard)
                    .shardIteratorType(ShardIteratorType.AT_SEQUENCE_NUMBER)
                    .sequenceNumber(sequenceNumber))
        .shardIterator();
  }

  private String event(List<Record> records) {
    ObjectNode event = BatchAnswer.JSON.createObjectNode();
    for (Record record : records) {
      ObjectNode json = event.withArray("Records").addObject();
      json.put("eventID", record.eventID())
          .put("eventName", record.eventNameAsString())
          .put("eventVersion", record.eventVersion())
          .put("eventSource", "aws:dynamodb")
          .put("awsRegion", "eu-central-1")
          .put("eventSourceARN", stream);
      StreamRecord change = record.dynamodb();
      ObjectNode dynamodb =
          json.putObject("dynamodb")
              .put(
                  "ApproximateCreationDateTime",
                  change.approximateCreationDateTime().getEpochSecond())
              .put("SequenceNumber", change.sequenceNumber())
              .put("SizeBytes", change.sizeBytes())
              .put("StreamViewType", change.streamViewTypeAsString());
      change.keys().forEach((name, value) -> dynamodb.withObject("/Keys").set(name, json(value)));
      change
          .newImage()
          .forEach((name, value) -> dynamodb.withObject("/NewImage").set(name, json(value)));
    }
    return event.toString();
  }

  private static JsonNode json(AttributeValue value) {
    ObjectNode json = BatchAnswer.JSON.createObjectNode();
    switch (value.type()) {
      case S -> json.put("S", value.s());
      case N -> json.put("N", value.n());
      case BOOL -> json.put("BOOL", value.bool());
      case NUL -> json.put("NULL", true);
      case B -> json.put("B", value.b().asByteArray());
      case SS -> value.ss().forEach(json.putArray("SS")::add);
      case NS -> value.ns().forEach(json.putArray("NS")::add);
      case L -> json.putArray("L").addAll(value.l().stream().map(StreamMapping::json).toList());
      case M -> {
        ObjectNode members = json.putObject("M");
        value.m().forEach((name, member) -> members.set(name, json(member)));
      }
      default -> throw new IllegalArgumentException("not in tables here: " + value.type());
    }
    return json;
  }

  @Override
  public void close() {
    loop.close();
  }
}
