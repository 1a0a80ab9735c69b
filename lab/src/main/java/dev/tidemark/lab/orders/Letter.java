package dev.tidemark.lab.orders;

import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.EventJson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * One message, whatever carries it.
 *
 * @param topic {@code orders}, {@code tickets} or {@code deliveries}
 * @param key the id of the aggregate, which is the Kafka key and the FIFO group
 * @param body the event as JSON, or poison; each character stands for one byte
 */
record Letter(String topic, String key, String body) {
  /** One topic for each type of aggregate. */
  static final List<String> TOPICS = List.of("orders", "tickets", "deliveries");

  static Letter of(Event event) {
    return new Letter(topic(event), event.aggregateId(), text(EventJson.encode(event)));
  }

  private static String topic(Event event) {
    String type = event.aggregateType().toLowerCase(Locale.ROOT);
    return type.equals("delivery") ? "deliveries" : type + "s";
  }

  byte[] bytes() {
    return body.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** The body of which these are the bytes. */
  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }
}
