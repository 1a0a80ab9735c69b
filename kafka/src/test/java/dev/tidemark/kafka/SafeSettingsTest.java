package dev.tidemark.kafka;

import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The settings of a producer")
class SafeSettingsTest {
  @ParameterizedTest(name = "{0}={1}")
  @CsvSource({
    "acks, 0",
    "acks, 1",
    "enable.idempotence, false",
    "retries, 0",
    "retries, many",
    "max.in.flight.requests.per.connection, 6",
    "transactional.id, mine"
  })
  @DisplayName("are refused by name where a message could be lost that counts as sent")
  void unsafe(String name, String value) {
    Exception refused =
        assertThrows(
            IllegalArgumentException.class, () -> KafkaSender.requireSafe(Map.of(name, value)));
    String text = String.valueOf(refused.getMessage());
    assertTrue(text.contains(name) && text.contains(value), text);
  }

  @Test
  @DisplayName("are safe by default, and where they say what the default is")
  void safe() {
    Map<String, Object> said =
        Map.of(
            "acks",
            "-1",
            "enable.idempotence",
            true,
            "retries",
            3,
            "max.in.flight.requests.per.connection",
            5);
    assertSame(said, KafkaSender.requireSafe(said));
    Map<String, Object> silent = Map.of("bootstrap.servers", "127.0.0.1:1");
    assertSame(silent, KafkaSender.requireSafe(silent));
  }
}
