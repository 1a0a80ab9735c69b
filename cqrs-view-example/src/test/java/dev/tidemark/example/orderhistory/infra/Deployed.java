package dev.tidemark.example.orderhistory.infra;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.MessageId;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.example.orderhistory.local.LocalSqs;
import dev.tidemark.example.orderhistory.store.DynamoDbGenerations;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;
import software.amazon.awssdk.services.sqs.SqsClient;

/** Tables and queues on this machine, and processes that find them by their environment alone. */
final class Deployed implements AutoCloseable {
  private final LocalDynamoDb dynamoDb = new LocalDynamoDb();
  private final LocalSqs sqs = new LocalSqs();
  private final SqsClient client = sqs.client();
  private final String prefix = "p" + UUID.randomUUID() + "-";
  final LocalQueue queue = queue("events");
  final LocalQueue deadLetters = queue("dead-letters");
  final LocalQueue statuses = queue("status");
  final Generations generations =
      new DynamoDbGenerations(dynamoDb.client(), prefix, null, Clock.systemUTC(), false);

  Deployed() {
    generations.prepare(1);
  }

  private LocalQueue queue(String name) {
    return new LocalQueue(client, sqs.queue(prefix + name, Duration.ofSeconds(60)));
  }

  /** A row that publishes. */
  void publish(String order, String payload) {
    assertTrue(
        generations
            .current()
            .orders()
            .update(
                MessageId.of(order), key(order), change().createIfMissing().publish("t", payload))
            .isApplied());
  }

  /**
   * A JVM with nothing in its environment but the settings that the contract lists for the process,
   * and what AWS gives every process.
   */
  ProcessBuilder process(Contract.Program program, List<String> arguments) {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    ProcessBuilder process =
        new ProcessBuilder(Stream.concat(Stream.of(java.toString()), arguments.stream()).toList())
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    Map<String, String> environment = process.environment();
    environment.clear();
    Map<String, String> settings =
        Map.of(
            "STORE",
            "dynamodb",
            "TABLE_PREFIX",
            prefix,
            "CARRIER",
            "sqs",
            "QUEUE_URL",
            queue.url(),
            "DEAD_LETTER_QUEUE_URL",
            deadLetters.url(),
            "RELAY_TO",
            "sqs",
            "STATUS_QUEUE_URL",
            statuses.url(),
            "RELAY_METRICS",
            "order-history");
    for (String name : program.environment()) {
      environment.put(name, Objects.requireNonNull(settings.get(name), name));
    }
    environment.put("AWS_REGION", "eu-central-1");
    environment.put("AWS_ACCESS_KEY_ID", "test");
    environment.put("AWS_SECRET_ACCESS_KEY", "test");
    environment.put("AWS_ENDPOINT_URL_DYNAMODB", dynamoDb.uri().toString());
    environment.put("AWS_ENDPOINT_URL_SQS", sqs.uri().toString());
    return process;
  }

  @Override
  public void close() throws IOException {
    generations.close();
    client.close();
    sqs.close();
    dynamoDb.close();
  }
}
