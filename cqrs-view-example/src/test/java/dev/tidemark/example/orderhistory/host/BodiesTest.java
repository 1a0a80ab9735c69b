package dev.tidemark.example.orderhistory.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A body of the HTTP API")
class BodiesTest {
  record Row(String orderId, Instant readyAt, long readyAtVersion, List<String> keywords) {}

  @Test
  @DisplayName("has a new column at once, a time too, and none that only the service needs")
  void columns() {
    Row row = new Row("order-1", Instant.parse("2026-11-21T20:30:00Z"), 7, List.of("ramen"));
    assertEquals(
        Map.of("orderId", "order-1", "readyAt", "2026-11-21T20:30:00Z"), Bodies.columns(row));
  }
}
