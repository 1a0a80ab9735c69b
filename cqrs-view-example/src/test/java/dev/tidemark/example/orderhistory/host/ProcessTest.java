package dev.tidemark.example.orderhistory.host;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.EmbeddedKafka;
import dev.tidemark.example.orderhistory.local.EventTopics;
import dev.tidemark.example.orderhistory.local.FreePort;
import dev.tidemark.example.orderhistory.local.Http;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.example.orderhistory.store.DynamoDbGenerations;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("The service as a process of its own")
class ProcessTest {
  private static final int TERMINATED = 128 + 15;

  @TempDir Path folder;

  @Test
  @DisplayName("logs JSON without an error for duplicates, and finishes its work on SIGTERM")
  void sigterm() throws IOException, InterruptedException {
    try (LocalDynamoDb dynamoDb = new LocalDynamoDb();
        EmbeddedKafka kafka = new EmbeddedKafka(Files.createDirectory(folder.resolve("kafka")));
        EventTopics topics = new EventTopics(kafka.bootstrapServers());
        Generations generations =
            new DynamoDbGenerations(dynamoDb.client(), "", null, Clock.systemUTC(), false)) {
      generations.prepare(1);
      List<Event> events = Samples.delivered("order-1", "consumer-1");
      topics.send(events);
      topics.send(events);
      int port = FreePort.find();
      Path log = folder.resolve("log");
      Process service = start(port, log, dynamoDb, kafka, Map.of("CARRIER", "kafka"));
      try {
        Http http = new Http("http://127.0.0.1:" + port);
        Await.until("the service is ready", () -> service.isAlive() && isReady(http));
        Await.until("all events are committed", () -> topics.waiting() == 0);
        assertEquals(1_950, http.get("/api/orders/order-1").json().get("total").asLong());
        service.destroy();
        assertTrue(service.waitFor(60, TimeUnit.SECONDS), "ends");
        assertEquals(TERMINATED, service.exitValue());
      } finally {
        service.destroyForcibly();
      }
      checkLog(log, "order-history: Consumer stopped");
    }
  }

  @Test
  @DisplayName("is the relay and nothing else, where it has one and no carrier")
  void relay() throws IOException, InterruptedException {
    try (LocalDynamoDb dynamoDb = new LocalDynamoDb();
        EmbeddedKafka kafka = new EmbeddedKafka(Files.createDirectory(folder.resolve("kafka")));
        EventTopics topics = new EventTopics(kafka.bootstrapServers());
        Generations generations =
            new DynamoDbGenerations(dynamoDb.client(), "", null, Clock.systemUTC(), true)) {
      generations.prepare(1);
      generations.prepareExecutions();
      Event created = Samples.created("order-1", "consumer-1", 0);
      assertTrue(new Views(generations.current()).apply(List.of(created.delivery())).isDone());
      int port = FreePort.find();
      Path log = folder.resolve("log");
      Process service = start(port, log, dynamoDb, kafka, Map.of("RELAY_TO", "kafka"));
      try {
        Http http = new Http("http://127.0.0.1:" + port);
        Await.until("the service is ready", () -> service.isAlive() && isReady(http));
        Await.until("the status is sent", () -> topics.statuses() == 1);
        Await.until(
            "it is measured",
            () -> http.get("/actuator/prometheus").text().contains("tidemark_outbox_sent_total"));
        service.destroy();
        assertTrue(service.waitFor(60, TimeUnit.SECONDS), "ends");
        assertEquals(TERMINATED, service.exitValue());
      } finally {
        service.destroyForcibly();
      }
      checkLog(log, "The relay of order-history-1 has ended.");
    }
  }

  private static void checkLog(Path log, String last) throws IOException {
    List<JsonNode> lines = Files.readAllLines(log).stream().map(ProcessTest::json).toList();
    assertEquals(
        List.of(),
        lines.stream().filter(l -> isTrouble(l) && !isHealthRead(l) && !isSlowBroker(l)).toList());
    assertTrue(lines.stream().anyMatch(l -> message(l).equals(last)), last);
  }

  private static boolean isTrouble(JsonNode line) {
    return List.of("WARN", "ERROR").contains(level(line));
  }

  /** On a slow machine the check of the service's health is cut off, and says so. */
  private static boolean isHealthRead(JsonNode line) {
    return line.at("/process/thread/name").asText().startsWith("health-read");
  }

  /** On a slow machine the broker outlasts the sender's four seconds, and the relay tries again. */
  private static boolean isSlowBroker(JsonNode line) {
    return message(line).startsWith("The relay of order-history-1 met an error: ")
        && message(line).contains("org.apache.kafka.common.errors.TimeoutException.");
  }

  private static boolean isReady(Http http) {
    try {
      return http.get("/actuator/health/readiness").status() == 200;
    } catch (UncheckedIOException e) {
      return false; // it does not listen yet
    }
  }

  /** On the class path as it is deployed: without tests, and so without their logging. */
  private static Process start(
      int port, Path log, LocalDynamoDb dynamoDb, EmbeddedKafka kafka, Map<String, String> settings)
      throws IOException {
    String classPath =
        Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
            .filter(entry -> !entry.endsWith("test-classes") && !entry.endsWith("test-classes/"))
            .collect(Collectors.joining(File.pathSeparator));
    ProcessBuilder builder =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                classPath,
                Application.class.getName(),
                "--server.port=" + port)
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder
        .environment()
        .putAll(
            Map.of(
                "STORE", "dynamodb",
                "KAFKA_BOOTSTRAP_SERVERS", kafka.bootstrapServers(),
                "AWS_ENDPOINT_URL", dynamoDb.uri().toString(),
                "AWS_REGION", "eu-central-1",
                "AWS_ACCESS_KEY_ID", "test",
                "AWS_SECRET_ACCESS_KEY", "test"));
    builder.environment().putAll(settings);
    return builder.start();
  }

  private static JsonNode json(String line) {
    try {
      return JsonMapper.builder().build().readTree(line);
    } catch (IOException e) {
      throw new AssertionError("no JSON: " + line, e);
    }
  }

  private static String level(JsonNode line) {
    return line.at("/log/level").asText();
  }

  private static String message(JsonNode line) {
    return line.path("message").asText();
  }
}
