package dev.tidemark.example.orderhistory.infra;

import static dev.tidemark.EntityKey.key;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.amazonaws.services.lambda.runtime.events.DynamodbEvent;
import com.amazonaws.services.lambda.runtime.events.KafkaEvent;
import com.amazonaws.services.lambda.runtime.events.SQSBatchResponse;
import com.amazonaws.services.lambda.runtime.events.SQSEvent;
import com.amazonaws.services.lambda.runtime.events.StreamsEventResponse;
import com.amazonaws.services.lambda.runtime.serialization.PojoSerializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.lambda.KafkaHandler;
import dev.tidemark.example.orderhistory.local.LambdaRuntime;
import dev.tidemark.lambda.KafkaBatchResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.sqs.model.Message;

/** Runs the functions from their zip, in JVMs that have nothing else but Lambda's own library. */
@DisplayName("The zip of the functions")
class LambdaPackageCheck {
  private static final Contract CONTRACT = Contract.read();
  private static final Path ZIP = Path.of(System.getProperty("lambda.zip", ""));
  private static final long MOST_BYTES = 20_000_000;

  private static @TempDir Path folder;
  private static Deployed deployed;

  @BeforeAll
  static void unpack() throws IOException {
    deployed = new Deployed();
    try (ZipFile zip = new ZipFile(ZIP.toFile())) {
      for (ZipEntry entry : zip.stream().filter(e -> !e.isDirectory()).toList()) {
        Path file = folder.resolve("task").resolve(entry.getName());
        Files.createDirectories(file.getParent());
        Files.copy(zip.getInputStream(entry), file);
      }
    }
    for (Class<?> driver : List.of(LambdaMain.class, LambdaRuntime.class)) {
      String name = driver.getName().replace('.', '/') + ".class";
      Path file = folder.resolve("driver").resolve(name);
      Files.createDirectories(file.getParent());
      try (InputStream bytes = driver.getClassLoader().getResourceAsStream(name)) {
        Files.write(file, bytes.readAllBytes());
      }
    }
  }

  @AfterAll
  static void end() throws IOException {
    deployed.close();
  }

  @Test
  @DisplayName("is small, and has no Spring, no server and no second HTTP client")
  void contents() throws IOException {
    try (ZipFile zip = new ZipFile(ZIP.toFile())) {
      long size = Files.size(ZIP);
      System.out.printf("lambda zip: %,d bytes, %d entries%n", size, zip.size());
      assertTrue(size < MOST_BYTES, "the zip has " + size + " bytes");
      for (ZipEntry entry : zip.stream().toList()) {
        String name = entry.getName();
        assertFalse(
            name.matches(".*(spring|tomcat|netty|httpclient|kafka-clients|micrometer|/host/).*"),
            name);
      }
    }
  }

  @Test
  @DisplayName("has the function behind the queue")
  void queue() throws Exception {
    Event event = Samples.created("q", "consumer", 0);
    String answer =
        invoke(
            CONTRACT.program("queueFunction"),
            List.of(SQSEvent.class, SQSBatchResponse.class),
            """
            {"Records": [
              {"messageId": "1", "body": %s, "eventSourceARN": "arn:aws:sqs:::q",
               "attributes": {}, "messageAttributes": {}},
              {"messageId": "2", "body": "no event", "eventSourceARN": "arn:aws:sqs:::q",
               "attributes": {}, "messageAttributes": {}}]}
            """
                .formatted(text(event)));
    assertEquals("{\"batchItemFailures\":[]}", answer);
    assertEquals("consumer", row("q"));
    assertEquals(1, deployed.deadLetters.drain().size());
  }

  @Test
  @DisplayName("has the function behind the stream")
  void stream() throws Exception {
    Event event = Samples.created("s", "consumer", 0);
    String answer =
        invoke(
            CONTRACT.program("streamFunction"),
            List.of(DynamodbEvent.class, StreamsEventResponse.class),
            """
            {"Records": [{"eventName": "INSERT", "eventSourceARN": "arn:aws:dynamodb:::s",
              "dynamodb": {"SequenceNumber": "1", "NewImage": {"event": {"S": %s}}}}]}
            """
                .formatted(text(event)));
    assertEquals("{\"batchItemFailures\":[]}", answer);
    assertEquals("consumer", row("s"));
  }

  @Test
  @DisplayName("has the function that relays")
  void relay() throws Exception {
    deployed.generations.prepareExecutions();
    deployed.publish("r", "ready");
    String answer =
        invoke(
            CONTRACT.program("relayFunction"),
            List.of(DynamodbEvent.class, Integer.class),
            """
            {"Records": [{"eventName": "MODIFY",
              "eventSourceARN": "arn:aws:dynamodb:eu-central-1:1:table/%s/stream/2026",
              "dynamodb": {"SequenceNumber": "1", "ApproximateCreationDateTime": 1,
                "Keys": {"orderId": {"S": "r"}}}}]}
            """
                .formatted(deployed.generations.outboxes().get(0).name()));
    assertEquals("1", answer);
    assertEquals(List.of("ready"), deployed.statuses.drain().stream().map(Message::body).toList());
    assertEquals(
        "0",
        invoke(
            CONTRACT.program("relayFunction"),
            List.of(DynamodbEvent.class, Integer.class),
            "{\"source\": \"aws.events\", \"detail\": {}}"));
  }

  @Test
  @DisplayName("has the function behind Kafka, for who has one")
  void kafka() throws Exception {
    Event event = Samples.created("k", "consumer", 0);
    String answer =
        invoke(
            new Contract.Program(
                KafkaHandler.class.getName(),
                null,
                CONTRACT.program("queueFunction").environment(),
                null,
                null),
            List.of(KafkaEvent.class, KafkaBatchResponse.class),
            """
            {"eventSource": "SelfManagedKafka", "records": {"orders-0": [
              {"topic": "orders", "partition": 0, "offset": 1, "value": "%s"}]}}
            """
                .formatted(Base64.getEncoder().encodeToString(EventJson.encode(event))));
    assertEquals("{\"batchItemFailures\":[]}", answer);
    assertEquals("consumer", row("k"));
  }

  private static String row(String orderId) {
    return String.valueOf(
        deployed.generations.current().orders().find(key(orderId)).orElseThrow().consumerId);
  }

  private static String text(Event event) throws IOException {
    return new JsonMapper().writeValueAsString(new String(EventJson.encode(event), UTF_8));
  }

  private static String invoke(Contract.Program program, List<Class<?>> types, String event)
      throws IOException, InterruptedException, URISyntaxException {
    Path runtime =
        Path.of(PojoSerializer.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    String task = folder.resolve("task").toString();
    String classPath =
        String.join(
            java.io.File.pathSeparator,
            folder.resolve("driver").toString(),
            task,
            task + "/lib/*",
            runtime.toString());
    Process process =
        deployed
            .process(
                program,
                List.of(
                    "-cp",
                    classPath,
                    LambdaMain.class.getName(),
                    String.valueOf(program.handler()),
                    types.get(0).getName(),
                    types.get(1).getName()))
            .start();
    try (OutputStream in = process.getOutputStream()) {
      in.write(event.getBytes(UTF_8));
    }
    List<String> lines =
        new String(process.getInputStream().readAllBytes(), UTF_8).lines().toList();
    assertEquals(0, process.waitFor(), () -> String.join("\n", lines));
    assertTrue(lines.stream().noneMatch(line -> line.contains("DEBUG")), "requests are logged");
    return lines.get(lines.size() - 1);
  }
}
