package dev.tidemark.example.orderhistory.carrier;

import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.EventJson;
import dev.tidemark.example.orderhistory.Generations;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.Views;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.Listeners;
import dev.tidemark.example.orderhistory.local.LocalSqs;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.servers.MongoProcess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

@DisplayName("The service's carriers")
class CarrierSetupTest {
  @Test
  @DisplayName("follow the change stream of a collection of events")
  void changeStream(@TempDir Path folder) {
    try (MongoProcess mongo = MongoProcess.start(folder, 1);
        MongoClient client = MongoClients.create(mongo.uri());
        Generations generations = LocalStore.DYNAMODB.prepared()) {
      Listeners consumer =
          Listeners.open(
              Views.serving(generations),
              Map.of("CARRIER", "change-stream", "EVENTS_MONGODB_URI", mongo.uri()));
      assertEquals(Status.DOWN, consumer.health().getStatus());
      consumer.start();
      for (Event event : Samples.delivered("order-1", "consumer-1")) {
        String json = new String(EventJson.encode(event), StandardCharsets.UTF_8);
        Document document = new Document("_id", event.eventId()).append("event", json);
        var unused =
            client.getDatabase("orders").getCollection(ChangeStream.EVENTS).insertOne(document);
      }
      Await.until("all is done", () -> isDelivered(generations));
      assertEquals(Status.UP, consumer.health().getStatus());
      consumer.close();
    }
  }

  private static boolean isDelivered(Generations generations) {
    return generations
        .current()
        .orders()
        .find(key("order-1"))
        .filter(row -> "DELIVERED".equals(row.status))
        .isPresent();
  }

  @Test
  @DisplayName("are refused at the start if there is none of that name, or a setting is missing")
  void refused() {
    assertTrue(refusal(Map.of("CARRIER", "pigeon")).contains("CARRIER must be one of"));
    assertTrue(refusal(Map.of("CARRIER", "sqs")).contains("QUEUE_URL"));
    String kafka = refusal(Map.of("CARRIER", "kafka"));
    assertTrue(kafka.contains("KAFKA_BOOTSTRAP_SERVERS"), kafka);
  }

  private static BatchOutcome<?> handle(List<Delivery> batch) {
    throw new AssertionError("nothing comes");
  }

  private static String refusal(Map<String, String> settings) {
    var sqs = Listeners.sqsAt(LocalSqs.shared().uri());
    Throwable fault =
        assertThrows(
            RuntimeException.class,
            () -> Listeners.open(CarrierSetupTest::handle, settings, sqs).start());
    StringBuilder told = new StringBuilder();
    for (Throwable at = fault; at != null; at = at.getCause()) {
      told.append(at.getMessage());
    }
    return told.toString();
  }

  @Test
  @DisplayName("are none if none is named")
  void none() {
    try (Listeners none = Listeners.open(CarrierSetupTest::handle, Map.of()).start()) {
      assertThrows(NoSuchBeanDefinitionException.class, () -> none.bean(HealthIndicator.class));
    }
  }
}
