package dev.tidemark.example.orderhistory.local;

import dev.tidemark.example.orderhistory.Generations;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.UnaryOperator;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;
import software.amazon.awssdk.services.dynamodb.model.StreamViewType;
import software.amazon.awssdk.services.dynamodb.streams.DynamoDbStreamsClient;

/** The stream of the table whose rows publish, as infra switches it on: with new images. */
public final class RowStream implements AutoCloseable {
  private final DynamoDbStreamsClient streams;
  private final String stream;

  /** Switches on the stream of the first of these generations. */
  public RowStream(Generations generations) {
    LocalDynamoDb server = LocalStore.dynamoDb();
    String table = generations.outboxes().get(0).name();
    try (DynamoDbClient client = server.client()) {
      stream =
          client
              .updateTable(
                  update ->
                      update
                          .tableName(table)
                          .streamSpecification(
                              s -> s.streamEnabled(true).streamViewType(StreamViewType.NEW_IMAGE)))
              .tableDescription()
              .latestStreamArn();
    }
    streams = server.streams();
  }

  /** Starts a mapping of it to a function. */
  public StreamMapping mapping(UnaryOperator<String> function, int batchSize) {
    return new StreamMapping(streams, stream, function, batchSize);
  }

  /** The event of what it has had so far. */
  public String event() {
    Queue<String> events = new ConcurrentLinkedQueue<>();
    UnaryOperator<String> keeping =
        json -> {
          events.add(json);
          return "{}";
        };
    try (StreamMapping mapping = mapping(keeping, 1_000)) {
      Await.until("a record", () -> !events.isEmpty());
    }
    return events.element();
  }

  @Override
  public void close() {
    streams.close();
  }
}
