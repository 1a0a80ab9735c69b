package dev.tidemark.example.orderhistory.lambda;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoClients;
import com.sun.net.httpserver.HttpServer;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.example.orderhistory.local.LocalSqs;
import dev.tidemark.example.orderhistory.local.TcpProxy;
import dev.tidemark.example.orderhistory.settings.Settings;
import dev.tidemark.example.orderhistory.store.DynamoDbGenerations;
import dev.tidemark.example.orderhistory.store.MongoGenerations;
import dev.tidemark.intake.DeadLetters;
import dev.tidemark.projector.Delivery;
import dev.tidemark.servers.MongoProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.crac.Core;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

@DisplayName("A container of a function")
class ContainerTest {
  private static final Map<String, String> SDK =
      Map.of(
          "aws.region", "eu-central-1", "aws.accessKeyId", "test", "aws.secretAccessKey", "test");

  private final Properties before = (Properties) System.getProperties().clone();

  @BeforeEach
  void sdkSettings() {
    SDK.forEach(System::setProperty);
  }

  /** Other clients of this JVM look for their credentials there with each call. */
  @AfterEach
  void sdkSettingsAsBefore() {
    System.setProperties(before);
  }

  private static void writesTo(Generations generations, int number, Container container) {
    Event event = Samples.created("order-1", "consumer-1", 0);
    assertTrue(container.apply(List.of(Delivery.of(event.place(), event))).isDone());
    assertTrue(generations.generation(number).orders().find(key("order-1")).isPresent());
  }

  @Test
  @DisplayName("connects to nothing before the first batch, and asks then which generation serves")
  void dynamoDb() {
    try (LocalDynamoDb server = new LocalDynamoDb();
        TcpProxy proxy = new TcpProxy("127.0.0.1", server.uri().getPort());
        LocalSqs sqs = new LocalSqs();
        SqsClient client = sqs.client();
        Generations generations =
            new DynamoDbGenerations(server.client(), "snap-", null, Clock.systemUTC(), false)) {
      LocalQueue dead = new LocalQueue(client, sqs.queue("dead", Duration.ofMinutes(1)));
      System.setProperty("aws.endpointUrlDynamoDb", "http://127.0.0.1:" + proxy.port());
      System.setProperty("aws.endpointUrlSqs", sqs.uri().toString());
      proxy.refuse();
      sqs.stop();
      Container container =
          new Container(
              Settings.of(Map.of("TABLE_PREFIX", "snap-", "DEAD_LETTER_QUEUE_URL", dead.url())));
      sqs.start();
      proxy.restore();
      generations.prepare(2);
      generations.serve(2);
      writesTo(generations, 2, container);
      Message letter = Message.builder().messageId("id").body("body").build();
      container.deadLetters().keep(letter, new DeadLetters.Reason("reason", true, 1));
      assertEquals(List.of("body"), dead.drain().stream().map(Message::body).toList());
    }
  }

  @Test
  @DisplayName("reads once before its snapshot is taken, whatever comes of that")
  void primed() throws IOException {
    AtomicInteger requests = new AtomicInteger();
    HttpServer refusing =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    refusing.createContext(
        "/",
        exchange -> {
          requests.incrementAndGet();
          exchange.sendResponseHeaders(400, -1);
          exchange.close();
        });
    refusing.start();
    try {
      System.setProperty(
          "aws.endpointUrlDynamoDb", "http://127.0.0.1:" + refusing.getAddress().getPort());
      OpenedGenerations opened = new OpenedGenerations(Settings.of(Map.of()));
      assertEquals(0, requests.get());
      opened.beforeCheckpoint(Core.getGlobalContext());
      assertEquals(1, requests.get());
    } finally {
      refusing.stop(0);
    }
  }

  private static Set<String> mongoThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("cluster-"))
        .collect(Collectors.toSet());
  }

  @Test
  @DisplayName("makes no client of MongoDB before the first batch, since that connects by itself")
  void mongoDb(@TempDir Path folder) {
    try (MongoProcess server = MongoProcess.start(folder, 1)) {
      Set<String> before = mongoThreads();
      Container container =
          new Container(
              Settings.of(
                  Map.of(
                      "STORE", "mongodb",
                      "MONGODB_URI", server.uri(),
                      "MONGODB_DATABASE", "snap",
                      "DEAD_LETTER_QUEUE_URL", "http://127.0.0.1:1/000000000000/dead")));
      assertTrue(before.containsAll(mongoThreads())); // some of before may end
      try (Generations generations =
          new MongoGenerations(
              MongoClients.create(server.uri()), "snap", null, Clock.systemUTC(), false)) {
        generations.prepare(2);
        generations.serve(2);
        writesTo(generations, 2, container);
      }
    }
  }

  @Test
  @DisplayName("fails at once, with the name, where a setting is missing or no possible one")
  void settings() {
    assertEquals(
        "the environment variable DEAD_LETTER_QUEUE_URL is not set", refusal("dynamodb", ""));
    String missing = refusal("mongodb", "url");
    assertTrue(missing.contains("the environment variable MONGODB_URI is not set"), missing);
    String wrong = refusal("oracle", "url");
    assertTrue(wrong.contains("STORE must be one of [dynamodb, mongodb], was oracle"), wrong);
  }

  private static String refusal(String store, String deadLetterUrl) {
    return refused(
        () ->
            new Container(
                Settings.of(Map.of("STORE", store, "DEAD_LETTER_QUEUE_URL", deadLetterUrl))));
  }

  private static String refused(Executable construction) {
    String text = assertThrows(IllegalArgumentException.class, construction).getMessage();
    return text == null ? "" : text;
  }

  @Test
  @DisplayName("is made by each function's constructor without arguments, from the environment")
  void environment() {
    Stream.<Executable>of(SqsHandler::new, DynamoDbStreamHandler::new, KafkaHandler::new)
        .forEach(
            constructor ->
                assertEquals(
                    "the environment variable DEAD_LETTER_QUEUE_URL is not set",
                    refused(constructor)));
  }
}
