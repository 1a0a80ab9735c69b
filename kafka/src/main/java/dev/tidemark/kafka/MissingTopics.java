package dev.tidemark.kafka;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Topics that the brokers do not have. A producer waits for each of them anew at every record, and
 * holds back the messages to other topics meanwhile: so it is asked for such a topic in a tenth of
 * the time at most. Safe for use by many threads.
 */
final class MissingTopics {
  private static final System.Logger LOG = System.getLogger(KafkaSender.class.getName());

  /** How many times longer than the producer has waited a topic is left alone. */
  private static final int QUIET = 10;

  private static final int MOST = 1_000;

  private final LongSupplier nanos;
  private final Map<String, Missing> missing = new ConcurrentHashMap<>();

  MissingTopics(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /** Why a topic could not be sent to, and until when it is not asked for. */
  private record Missing(Throwable error, long until) {}

  long now() {
    return nanos.getAsLong();
  }

  /** Why a topic is not asked for now; null if it may be. */
  @Nullable Throwable error(String topic) {
    Missing known = missing.get(topic);
    return known == null || now() - known.until() >= 0 ? null : known.error();
  }

  /** A topic is there. */
  void found(String topic) {
    missing.remove(topic);
  }

  /**
   * Notes for what the producer has waited in vain. Where it was told of no lack of the topic, the
   * brokers are away.
   */
  void note(String topic, Throwable error, long began) {
    boolean hasRoom = missing.size() < MOST || missing.containsKey(topic);
    if (!Answers.isLasting(error) || !hasRoom) {
      return;
    }
    long now = now();
    if (missing.put(topic, new Missing(error, now + QUIET * (now - began))) == null) {
      LOG.log(
          System.Logger.Level.WARNING,
          "Kafka has no topic ''{0}'': messages to it wait, and are sent once somebody makes it. This"
              + " is said once.",
          topic);
    }
  }
}
