package dev.tidemark.example.orderhistory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Events as JSON")
class EventJsonTest {
  @Test
  @DisplayName("are read as they were written")
  void roundTrip() {
    List<Event> events = Samples.delivered("order-1", "ada");
    events.forEach(event -> assertEquals(event, EventJson.decode(EventJson.encode(event))));
    Event cancelled = Samples.cancelled("order-1", "ada", 5);
    assertEquals(cancelled, EventJson.decode(new String(EventJson.encode(cancelled), UTF_8)));
  }

  @Test
  @DisplayName("do not repeat what follows from other fields")
  void noDerivedFields() {
    String json = new String(EventJson.encode(Samples.created("order-1", "ada", 0)), UTF_8);
    assertFalse(json.contains("aggregate"), json);
    assertFalse(json.contains("place"), json);
    assertTrue(json.contains("\"type\":\"OrderCreated\""), json);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "null",
        "secret",
        "[]",
        "{}",
        "{\"type\":\"secret\"}",
        "{\"type\":\"MealReady\"}",
        "{\"type\":\"MealReady\",\"eventId\":\"secret\",\"ticketId\":\"t\",\"version\":1,"
            + "\"orderId\":\"o\"}",
        "{\"type\":\"MealReady\",\"eventId\":\"e\",\"ticketId\":\"\",\"version\":1,"
            + "\"orderId\":\"o\",\"at\":\"2026-11-21T20:30:00Z\"}",
        "{\"type\":\"OrderCreated\",\"eventId\":\"e\",\"orderId\":\"secret\",\"version\":1,"
            + "\"at\":\"2026-11-21T20:30:00Z\",\"consumerId\":\"c\",\"restaurant\":\"r\","
            + "\"lines\":[]}"
      })
  @DisplayName("are refused if they are none, without quoting them")
  void refused(String json) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> EventJson.decode(json));
    assertFalse(String.valueOf(refused.getMessage()).contains("secret"), refused.getMessage());
  }

  @ParameterizedTest
  @CsvSource({
    "'\"consumerId\":\"ada\"', '\"consumerId\":\"\"'",
    "'\"consumerId\":\"ada\"', '\"other\":1'",
    "'\"consumerId\":\"ada\"', '\"consumerId\":\"a\\u0007\"'",
    "'\"restaurant\":', '\"restaurant\":null,\"was\":'",
    "'\"name\":\"Ramen\"', '\"name\":null'",
    "'\"name\":\"Ramen\"', '\"name\":\"\"'",
    "'\"quantity\":2', '\"quantity\":0'",
    "'\"cents\":1200', '\"cents\":-1'",
    "'\"cents\":1200', '\"cents\":9223372036854775807'",
    "'\"cents\":1200', '\"cents\":12.5'",
    "'\"at\":\"20', '\"at\":\"+10020'",
    "'\"version\":1', '\"version\":0'"
  })
  @DisplayName("are refused where a store could not keep them, or a sum of them")
  void unkept(String part, String wrong) {
    String json = new String(EventJson.encode(Samples.created("order-1", "ada", 0)), UTF_8);
    assertTrue(json.contains(part), json);
    assertThrows(IllegalArgumentException.class, () -> EventJson.decode(json.replace(part, wrong)));
  }

  @Test
  @DisplayName("are refused with a key that is longer than an index takes, or garbage behind them")
  void longKeyAndGarbage() {
    Event of200 = Samples.created("order-1", "x".repeat(200), 0);
    assertEquals(of200, EventJson.decode(EventJson.encode(of200)));
    byte[] of201 = EventJson.encode(Samples.created("order-1", "x".repeat(201), 0));
    assertThrows(IllegalArgumentException.class, () -> EventJson.decode(of201));
    String garbage = new String(EventJson.encode(of200), UTF_8) + " {}";
    assertThrows(IllegalArgumentException.class, () -> EventJson.decode(garbage));
  }

  @Test
  @DisplayName("are changes of statuses too, whose statuses are those of orders")
  void statuses() {
    var change =
        new OrderStatusChanged(
            "id", "order-1", "r", null, "READY", Instant.parse("2026-11-21T20:30:00Z"));
    String json = new String(EventJson.encode(change), UTF_8);
    assertEquals(change, EventJson.decode(json));
    for (String wrong : List.of(json.replace("READY", "secret"), json.replace("\"r\"", "null"))) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> EventJson.decode(wrong));
      assertFalse(String.valueOf(refused.getMessage()).contains("secret"), refused.getMessage());
    }
  }
}
