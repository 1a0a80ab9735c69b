package dev.tidemark.kafka;

import java.util.Map;
import org.apache.kafka.clients.producer.ProducerConfig;

/**
 * What a relay needs of a producer's settings. Kafka itself switches idempotence off without an
 * error where another setting contradicts it and idempotence was not asked for by name.
 */
final class SafeSettings {
  private static final int MOST_IN_FLIGHT = 5;

  private SafeSettings() {}

  static void require(Map<String, Object> settings) {
    String acks = text(settings, ProducerConfig.ACKS_CONFIG, "all");
    refuse(
        !acks.equals("all") && !acks.equals("-1"),
        ProducerConfig.ACKS_CONFIG,
        acks,
        "must be all: else a message can be lost that counts as sent");
    String idempotent = text(settings, ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    refuse(
        !idempotent.equalsIgnoreCase("true"),
        ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG,
        idempotent,
        "must be true: else the producer's own retries make twins");
    String retries = text(settings, ProducerConfig.RETRIES_CONFIG, "" + Integer.MAX_VALUE);
    refuse(
        number(ProducerConfig.RETRIES_CONFIG, retries) < 1,
        ProducerConfig.RETRIES_CONFIG,
        retries,
        "must be above 0: else the producer is not idempotent");
    String flying = ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION;
    String inFlight = text(settings, flying, "" + MOST_IN_FLIGHT);
    refuse(
        number(flying, inFlight) > MOST_IN_FLIGHT,
        flying,
        inFlight,
        "must be at most 5: else the producer is not idempotent");
    Object transactional = settings.get(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    refuse(
        transactional != null,
        ProducerConfig.TRANSACTIONAL_ID_CONFIG,
        "" + transactional,
        "must not be set: the sender begins no transactions");
  }

  private static String text(Map<String, Object> settings, String name, String otherwise) {
    Object value = settings.get(name);
    return value == null ? otherwise : value.toString().trim();
  }

  private static long number(String name, String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "Kafka producer setting " + name + " must be a number, was '" + value + "'", e);
    }
  }

  private static void refuse(boolean isUnsafe, String name, String value, String why) {
    if (isUnsafe) {
      throw new IllegalArgumentException(
          "Kafka producer setting " + name + "=" + value + " " + why);
    }
  }
}
