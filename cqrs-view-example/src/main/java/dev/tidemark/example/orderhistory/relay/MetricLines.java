package dev.tidemark.example.orderhistory.relay;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.tidemark.example.orderhistory.store.Setting;
import dev.tidemark.example.orderhistory.store.Settings;
import dev.tidemark.outbox.RelayListener;
import dev.tidemark.outbox.RelayPass;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells CloudWatch what relays do, by lines of the log in its embedded metric format: once a
 * minute, of all generations together. The metrics have the names that Micrometer's registry for
 * CloudWatch gives those of {@code tidemark-micrometer}, and the dimension {@value #RELAY}. A relay
 * that makes no passes writes no lines. For any number of threads.
 */
public final class MetricLines implements RelayListener {
  /** The dimension, whose value is the namespace. */
  static final String RELAY = "relay";

  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final JsonMapper JSON = new JsonMapper();

  private final String namespace;
  private final Clock clock;
  private final Consumer<String> lines;
  private Map<String, Double> values = new LinkedHashMap<>();
  private Instant next = Instant.MIN;
  private @Nullable Instant good;

  MetricLines(String namespace, Clock clock, Consumer<String> lines) {
    this.namespace = namespace;
    this.clock = clock;
    this.lines = lines;
  }

  /**
   * Writes to standard output, under the namespace {@link Setting#RELAY_METRICS}.
   *
   * @param settings those of the process
   * @return what writes nothing if there is no such setting
   */
  public static MetricLines of(Settings settings) {
    String namespace = settings.get(Setting.RELAY_METRICS, "");
    return new MetricLines(
        namespace, Clock.systemUTC(), namespace.isEmpty() ? line -> {} : System.out::println);
  }

  @Override
  public synchronized void passed(RelayPass pass) {
    Instant now = clock.instant();
    if (good == null || pass.error() == null || pass.failed() > 0) { // the store has answered
      good = now;
    }
    most("oldest.value", pass.oldest());
    most("pass.age.value", Duration.between(good, now));
    add("sent.count", pass.sent());
    add("failed.count", pass.failed());
    add("parked.count", pass.parked());
    add("takeovers.count", pass.takenOver());
    add("errors.count", pass.error() == null ? 0 : 1);
    if (!now.isBefore(next)) {
      flush();
    }
  }

  private void most(String name, Duration value) {
    values.merge("tidemark.outbox." + name, value.toMillis() / 1_000.0, Math::max);
  }

  private void add(String name, int count) {
    values.merge("tidemark.outbox." + name, (double) count, Double::sum);
  }

  /** Writes what was not written yet: before a process rests for an unknown time. */
  public synchronized void flush() {
    if (values.isEmpty()) {
      return;
    }
    Instant now = clock.instant();
    ObjectNode line = JSON.createObjectNode();
    ObjectNode about = line.putObject("_aws").put("Timestamp", now.toEpochMilli());
    ObjectNode metrics = about.putArray("CloudWatchMetrics").addObject();
    metrics.put("Namespace", namespace).putArray("Dimensions").addArray().add(RELAY);
    ArrayNode names = metrics.putArray("Metrics");
    values.forEach(
        (name, value) -> {
          String unit = name.endsWith(".count") ? "Count" : "Seconds";
          names.addObject().put("Name", name).put("Unit", unit);
          line.put(name, value);
        });
    lines.accept(line.put(RELAY, namespace).toString());
    values = new LinkedHashMap<>();
    next = now.plus(MINUTE);
  }
}
