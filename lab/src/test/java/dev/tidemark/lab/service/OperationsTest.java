package dev.tidemark.lab.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.example.orderhistory.host.Application;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.Http;
import dev.tidemark.example.orderhistory.local.Http.Answer;
import dev.tidemark.lab.orders.Serve;
import dev.tidemark.lab.orders.SharedServe;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

@DisplayName("Who operates the service")
class OperationsTest {
  private static Http http(String store) {
    return new Http(SharedServe.on(store).url());
  }

  private static void redeliver(String store, int count) {
    assertEquals(200, http(store).post("/api/lab/redeliver?count=" + count).status());
    settle(store);
  }

  private static void settle(String store) {
    Await.until(
        "all events are done",
        () -> http(store).get("/api/lab").json().path("waiting").asInt(-1) == 0);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dynamodb", "mongodb"})
  @DisplayName("finds outcomes, own retries, latency and lag among the meters")
  void meters(String store) {
    redeliver(store, 20);
    String meters = http(store).get("/actuator/prometheus").text();
    for (String view : List.of("order-history-1", "consumer-spending-1")) {
      for (String outcome : List.of("Applied", "Duplicate", "Stale", "Gap", "Refused")) {
        assertTrue(
            meters.contains(
                "tidemark_messages_total{outcome=\"" + outcome + "\",store=\"" + view + "\"}"),
            outcome);
      }
      assertTrue(
          meters.contains("tidemark_requests_total{kind=\"repeat\",store=\"" + view + "\"}"));
      assertTrue(
          meters.contains("tidemark_calls_seconds_bucket{call=\"writeAll\",store=\"" + view));
    }
    assertTrue(meters.contains("kafka_consumer_fetch_manager_records_lag"));
    assertTrue(meters.contains("orderhistory_event_age_seconds_count"));
    assertTrue(meters.contains("orderhistory_carrier_restarts_total"));
    assertTrue(meters.contains("orderhistory_dead_letters_total"));
  }

  @Test
  @DisplayName("is told of duplicates at debug, never by a warning or an error")
  void duplicates() {
    Http unused = http("dynamodb");
    Logger logger =
        (Logger) LoggerFactory.getLogger(Application.class.getPackageName() + ".OutcomeLog");
    List<ILoggingEvent> logged = new CopyOnWriteArrayList<>();
    AppenderBase<ILoggingEvent> appender =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            logged.add(event);
          }
        };
    appender.start();
    Level before = logger.getLevel();
    logger.addAppender(appender);
    logger.setLevel(Level.DEBUG);
    try {
      redeliver("dynamodb", 50);
    } finally {
      logger.setLevel(before);
      logger.detachAppender(appender);
    }
    List<ILoggingEvent> duplicates =
        logged.stream().filter(e -> e.getFormattedMessage().contains("Duplicate")).toList();
    assertTrue(!duplicates.isEmpty(), logged.toString());
    assertEquals(
        List.of(), duplicates.stream().filter(event -> event.getLevel() != Level.DEBUG).toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"dynamodb", "mongodb"})
  @DisplayName("sees by readiness that the store is away, and that it is back; liveness stays up")
  void outage(String store) {
    Serve serve = SharedServe.on(store);
    Http http = http(store);
    assertEquals(200, http.get("/actuator/health/readiness").status());
    serve.store().blackHole();
    try {
      Answer ready = http.get("/actuator/health/readiness");
      assertEquals(503, ready.status());
      JsonNode parts = ready.json().get("components");
      assertEquals("DOWN", parts.get("store").get("status").asText());
      assertEquals("UP", parts.get("carrier").get("status").asText());
      assertEquals(200, http.get("/actuator/health/liveness").status());
      Answer orders = http.get("/api/consumers/consumer-1/orders");
      assertEquals(503, orders.status());
      assertEquals("/problems/store-unavailable", orders.json().get("type").asText());
    } finally {
      serve.store().restore();
    }
    Await.until("ready again", () -> http.get("/actuator/health/readiness").status() == 200);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dynamodb", "mongodb"})
  @DisplayName("sees a killed carrier come back by itself, and that it did")
  void restart(String store) {
    long before = restarts(store);
    assertEquals(200, http(store).post("/api/lab/kill?consumerId=killed-" + store).status());
    Await.until(
        "the carrier ended and runs again",
        () ->
            restarts(store) > before
                && http(store)
                    .get("/actuator/health")
                    .json()
                    .at("/components/carrier/status")
                    .asText()
                    .equals("UP"));
    settle(store);
    JsonNode sum = http(store).get("/api/consumers/killed-" + store + "/spending").json();
    assertEquals(1, sum.get("orders").asInt());
  }

  private static long restarts(String store) {
    return http(store).get("/api/lab").json().at("/counters/restarts").asLong();
  }

  @ParameterizedTest
  @ValueSource(strings = {"dynamodb", "mongodb"})
  @DisplayName(
      "sees changes of statuses wait while the relay is dead, and all of them arrive after")
  void relay(String store) {
    settle(store);
    Await.until("the board is right", () -> relayed(store).path("equal").asBoolean());
    assertEquals(200, http(store).post("/api/lab/relay-kill").status());
    assertFalse(relayed(store).path("running").asBoolean());
    long sent = relayed(store).path("sent").asLong();
    assertEquals(200, http(store).post("/api/lab/place?consumerId=relay-" + store).status());
    Await.until("a message waits", () -> relayed(store).path("waiting").asLong() > 0);
    assertFalse(relayed(store).path("equal").asBoolean());
    assertEquals(sent, relayed(store).path("sent").asLong());
    assertEquals(200, http(store).post("/api/lab/relay-start").status());
    Await.until("the board is right again", () -> relayed(store).path("equal").asBoolean());
    assertTrue(relayed(store).path("sent").asLong() > sent);
    assertTrue(http(store).get("/api/board").json().size() > 1);
  }

  private static JsonNode relayed(String store) {
    return http(store).get("/api/lab").json().path("relay");
  }
}
