package dev.tidemark.spring;

import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs what happens to a stream of hints, and nothing of the same that happens again. */
final class StreamLog {
  private static final Logger LOGGER = LoggerFactory.getLogger(StreamLog.class);

  private final String records;
  private @Nullable Enum<?> last;

  StreamLog(String records) {
    this.records = records;
  }

  void told(Enum<?> event) {
    if (!event.equals(last)) {
      last = event;
      String what = event.name().toLowerCase(Locale.ROOT).replace('_', ' ');
      LOGGER.info("Stream of {}: {}. What waits there is found by looks.", records, what);
    }
  }
}
