package dev.tidemark.kafka;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;

/** What an intake needs of a consumer's settings; Kafka's defaults lose records. */
final class SafeConsumer {
  private static final Set<String> SAFE_RESETS = Set.of("earliest", "none");

  private SafeConsumer() {}

  static void require(Map<String, Object> settings) {
    require(
        text(settings, ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "true").equals("false"),
        settings,
        ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
        "must be false: else records are committed that are not handled, and lost by a crash");
    require(
        SAFE_RESETS.contains(text(settings, ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "latest")),
        settings,
        ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
        "must be earliest or none: else records are skipped where the group has no offset");
    require(
        !text(settings, ConsumerConfig.GROUP_ID_CONFIG, "").isEmpty(),
        settings,
        ConsumerConfig.GROUP_ID_CONFIG,
        "must be there: offsets are committed for a group");
  }

  private static String text(Map<String, Object> settings, String name, String otherwise) {
    Object value = settings.get(name);
    return value == null ? otherwise : value.toString().trim().toLowerCase(Locale.ROOT);
  }

  private static void require(
      boolean isSafe, Map<String, Object> settings, String name, String why) {
    if (!isSafe) {
      Object value = settings.get(name);
      throw new IllegalArgumentException(
          "Kafka consumer setting "
              + name
              + (value == null ? ", which is not set, " : "=" + value + " ")
              + why);
    }
  }
}
