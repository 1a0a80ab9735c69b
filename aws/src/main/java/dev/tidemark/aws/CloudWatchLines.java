package dev.tidemark.aws;

import dev.tidemark.outbox.RelayListener;
import dev.tidemark.outbox.RelayPass;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Tells CloudWatch what relays do by lines of a log, in its embedded metric format: for functions,
 * and for tasks that log to CloudWatch and have no registry of meters.
 *
 * <pre>{@code
 * CloudWatchLines lines = CloudWatchLines.of("shop-relay", System.out::println);
 * Relay relay = Relay.builder(records, sender).listener(lines).build();
 * }</pre>
 *
 * <p>A line has the sums of all passes since the one before, of all relays that have this listener,
 * and is written with the first pass and then once a minute. A process that rests for an unknown
 * time, as a function between its invocations, calls {@link #flush} before. A relay that makes no
 * passes writes no lines; nor does one whose sender has not answered, until it does. Relays of two
 * tables of one name, as in two regions, need a listener each.
 *
 * <p>The metrics have the names that Micrometer's registry for CloudWatch gives those of {@code
 * tidemark-micrometer}: {@code tidemark.outbox.} and {@code oldest.value}, {@code pass.age.value}
 * (in seconds), {@code sent.count}, {@code failed.count}, {@code parked.count}, {@code
 * takeovers.count}, {@code errors.count}. The one dimension is {@value #DIMENSION}, whose value is
 * the namespace. For any number of threads.
 */
public final class CloudWatchLines implements RelayListener {
  /** The dimension of all metrics. */
  public static final String DIMENSION = "relay";

  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** What CloudWatch takes for a namespace, and JSON as it is. */
  private static final Pattern NAMESPACE = Pattern.compile("[A-Za-z0-9._/#:-]{1,255}");

  private final String namespace;
  private final Consumer<String> log;
  private final Clock clock;
  private TreeMap<String, Double> values = new TreeMap<>();
  private Instant next = Instant.MIN;

  /** When the store of a table or collection has answered last, or its first pass ended. */
  private final Map<String, Instant> good = new HashMap<>();

  private CloudWatchLines(String namespace, Consumer<String> log, Clock clock) {
    if (!NAMESPACE.matcher(namespace).matches()) {
      throw new IllegalArgumentException(
          "namespace must have 1 to 255 letters, digits and . _ / # : - as CloudWatch wants it, was"
              + " "
              + namespace);
    }
    this.namespace = namespace;
    this.log = Objects.requireNonNull(log, "log");
    this.clock = clock;
  }

  /**
   * Lines under a namespace.
   *
   * @param namespace of CloudWatch, and the value of the dimension
   * @param log writes a line as it is, without a time or a level before it
   * @return a listener for any number of relays
   * @throws IllegalArgumentException if CloudWatch has no such namespace
   */
  public static CloudWatchLines of(String namespace, Consumer<String> log) {
    return new CloudWatchLines(namespace, log, Clock.systemUTC());
  }

  /** For tests. */
  CloudWatchLines at(Clock other) {
    return new CloudWatchLines(namespace, log, other);
  }

  @Override
  public synchronized void passed(RelayPass pass) {
    Instant now = clock.instant();
    Instant before = good.get(pass.records());
    Instant answered = before == null || pass.storeAnswered() ? now : before;
    good.put(pass.records(), answered);
    most("oldest", pass.oldest());
    most("pass.age", Duration.between(answered, now));
    add("sent", pass.sent());
    add("failed", pass.failed());
    add("parked", pass.parked());
    add("takeovers", pass.takenOver());
    add("errors", pass.error() == null ? 0 : 1);
    add("ahead", pass.ahead());
    most("held.back", pass.heldBack());
    most("unreadable", pass.unreadable());
    if (!now.isBefore(next)) {
      flush();
    }
  }

  private void most(String name, Duration value) {
    most(name, value.toMillis() / 1_000.0);
  }

  private void most(String name, double value) {
    values.merge("tidemark.outbox." + name + ".value", value, (a, b) -> Math.max(a, b));
  }

  private void add(String name, int count) {
    values.merge("tidemark.outbox." + name + ".count", (double) count, Double::sum);
  }

  /** Writes what was not written yet. */
  public synchronized void flush() {
    if (values.isEmpty()) {
      return;
    }
    Instant now = clock.instant();
    next = now.plus(MINUTE);
    String metrics =
        values.keySet().stream()
            .map(name -> "{\"Name\":\"%s\",\"Unit\":\"%s\"}".formatted(name, unit(name)))
            .collect(Collectors.joining(","));
    String numbers =
        values.entrySet().stream()
            .map(value -> ",\"%s\":%s".formatted(value.getKey(), value.getValue()))
            .collect(Collectors.joining());
    values = new TreeMap<>();
    log.accept(
        String.format(
            Locale.ROOT,
            "{\"_aws\":{\"Timestamp\":%d,\"CloudWatchMetrics\":[{\"Namespace\":\"%s\",\"Dimensions\":"
                + "[[\"%s\"]],\"Metrics\":[%s]}]},\"%s\":\"%s\"%s}",
            now.toEpochMilli(),
            namespace,
            DIMENSION,
            metrics,
            DIMENSION,
            namespace,
            numbers));
  }

  private static String unit(String name) {
    boolean isTime = name.endsWith(".oldest.value") || name.endsWith(".age.value");
    return isTime ? "Seconds" : "Count";
  }
}
