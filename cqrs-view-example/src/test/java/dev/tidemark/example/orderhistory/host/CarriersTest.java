package dev.tidemark.example.orderhistory.host;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.carrier.ChangeStreamCarrier;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.LocalMongo;
import dev.tidemark.example.orderhistory.local.LocalQueue;
import dev.tidemark.example.orderhistory.local.LocalSqs;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.example.orderhistory.store.Settings;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.sqs.SqsClient;

@DisplayName("The service's carriers")
class CarriersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  private Supervisor supervisor(Map<String, String> settings, Generations generations) {
    BatchWatch watch = new BatchWatch(Views.serving(generations), registry, Clock.systemUTC());
    Carriers carriers =
        Carriers.of(new Settings(settings), generations, watch, registry, Clock.systemUTC());
    return new Supervisor(carriers, registry, Clock.systemUTC());
  }

  private static boolean isDelivered(Generations generations, String orderId) {
    return generations
        .current()
        .orders()
        .find(key(orderId))
        .map(row -> row.status)
        .filter("DELIVERED"::equals)
        .isPresent();
  }

  @Test
  @DisplayName("take messages of an SQS queue, and gauge how many wait")
  void sqs() {
    try (LocalSqs sqs = new LocalSqs();
        Generations generations = LocalStore.MONGODB.prepared();
        SqsClient client = sqs.client()) {
      LocalQueue queue = new LocalQueue(client, sqs.queue("host-events", Duration.ofSeconds(30)));
      String dead = sqs.queue("host-dead", Duration.ofSeconds(30));
      Samples.delivered("order-1", "consumer-1").forEach(queue::send);
      Supervisor supervisor =
          supervisor(
              Map.of("CARRIER", "sqs", "QUEUE_URL", queue.url(), "DEAD_LETTER_QUEUE_URL", dead),
              generations);
      startWithAwsAt(sqs.uri(), supervisor);
      try {
        Await.until("all is done", () -> isDelivered(generations, "order-1") && queue.size() == 0);
        double waiting =
            registry.get("orderhistory.queue.messages").tag("state", "visible").gauge().value();
        assertTrue(waiting >= 0, "a number, " + waiting);
      } finally {
        supervisor.stop();
      }
      assertTrue(registry.find("orderhistory.queue.messages").gauges().isEmpty(), "closed");
      assertTrue(registry.get("orderhistory.event.age").timer().count() >= 7);
    }
  }

  /** Lets the clients that a carrier makes find a local service. */
  private static void startWithAwsAt(URI uri, Supervisor supervisor) {
    String before = System.getProperty("aws.endpointUrl", "");
    System.setProperty("aws.endpointUrl", uri.toString());
    System.setProperty("aws.region", "eu-central-1");
    System.setProperty("aws.accessKeyId", "test");
    System.setProperty("aws.secretAccessKey", "test");
    supervisor.start();
    Await.until("the client is made", () -> supervisor.carrier() != null);
    if (before.isEmpty()) {
      System.clearProperty("aws.endpointUrl");
    } else {
      System.setProperty("aws.endpointUrl", before);
    }
  }

  @Test
  @DisplayName("follow the change stream of a collection of events")
  void changeStream(@TempDir Path folder) {
    try (LocalMongo mongo = LocalMongo.start(folder);
        MongoClient client = MongoClients.create(mongo.uri());
        Generations generations = LocalStore.DYNAMODB.prepared()) {
      Assumptions.assumeFalse(mongo.origin().startsWith("embedded"), "change streams want mongod");
      Map<String, String> settings = new HashMap<>();
      settings.put("CARRIER", "change-stream");
      settings.put("EVENTS_MONGODB_URI", mongo.uri());
      Supervisor supervisor = supervisor(settings, generations);
      supervisor.start();
      for (Event event : Samples.delivered("order-1", "consumer-1")) {
        String json = new String(EventJson.encode(event), StandardCharsets.UTF_8);
        Document document = new Document("_id", event.eventId()).append("event", json);
        var unused =
            client
                .getDatabase("orders")
                .getCollection(ChangeStreamCarrier.EVENTS)
                .insertOne(document);
      }
      Await.until("all is done", () -> isDelivered(generations, "order-1"));
      supervisor.stop();
      assertTrue(registry.get("orderhistory.event.age").timer().count() >= 7);
    }
  }

  @Test
  @DisplayName("are refused at the start if there is none of that name, or a setting is missing")
  void refused() {
    try (Generations generations = LocalStore.DYNAMODB.fresh()) {
      assertEquals(
          "CARRIER must be kafka, sqs or change-stream, was pigeon",
          assertThrows(
                  IllegalArgumentException.class,
                  () -> supervisor(Map.of("CARRIER", "pigeon"), generations))
              .getMessage());
      assertEquals(
          "the environment variable QUEUE_URL is not set",
          assertThrows(
                  IllegalArgumentException.class,
                  () -> supervisor(Map.of("CARRIER", "sqs"), generations))
              .getMessage());
      Supervisor none = supervisor(Map.of(), generations);
      none.start();
      assertFalse(none.isRunning());
    }
  }
}
