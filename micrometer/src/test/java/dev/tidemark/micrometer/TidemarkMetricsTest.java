package dev.tidemark.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.tidemark.execution.ExecutionEvent;
import dev.tidemark.intake.IntakeListener;
import dev.tidemark.intake.Taken;
import dev.tidemark.intake.Taken.Fate;
import dev.tidemark.intake.Taken.Kind;
import dev.tidemark.marks.MarkCache;
import dev.tidemark.metrics.MarkCost;
import dev.tidemark.metrics.StoreCall;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Tidemark's metrics")
class TidemarkMetricsTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final TidemarkMetrics metrics = new TidemarkMetrics(registry);
  private final MarkCache cache = MarkCache.in(new ConcurrentHashMap<>());

  private static StoreCall batch(String store) {
    return new StoreCall(
        StoreCall.Method.WRITE_ALL,
        store,
        Map.of("Applied", 3, "Duplicate", 2),
        Map.of("ContentionException", 1),
        4,
        new StoreCall.Requests(1, 3, 6, OptionalDouble.of(0.5), OptionalDouble.of(7)),
        Duration.ofMillis(20),
        List.of(size(100), size(300)));
  }

  private static StoreCall.Size size(long ofMarks) {
    return new StoreCall.Size(1_000, 409_600, MarkCost.billed(1_000, ofMarks));
  }

  private double count(String name, String tag, String value) {
    return registry.get(name).tag("store", "orders").tag(tag, value).counter().count();
  }

  @Test
  @DisplayName("count and time what happens to executions, by scope")
  void executions() {
    metrics.happened(
        new ExecutionEvent(ExecutionEvent.Kind.TAKEN_OVER, "checkout", Duration.ofMillis(20)));
    metrics.happened(
        new ExecutionEvent(ExecutionEvent.Kind.TAKEN_OVER, "other", Duration.ofMillis(30)));
    Timer timer =
        registry
            .get("tidemark.executions")
            .tags("scope", "checkout", "event", "taken_over")
            .timer();
    assertEquals(1, timer.count());
    assertEquals(20, timer.totalTime(TimeUnit.MILLISECONDS));
  }

  @Test
  @DisplayName("count messages, requests and units, and time calls")
  void counts() {
    metrics.ended(batch("orders"));
    metrics.ended(batch("orders"));
    metrics.ended(batch("carts"));
    Timer timer =
        registry.get("tidemark.calls").tags("store", "orders", "call", "writeAll").timer();
    assertEquals(2, timer.count());
    assertEquals(40, timer.totalTime(TimeUnit.MILLISECONDS));
    assertEquals(6, count("tidemark.messages", "outcome", "Applied"));
    assertEquals(4, count("tidemark.messages", "outcome", "Duplicate"));
    assertEquals(2, count("tidemark.messages", "outcome", "ContentionException"));
    assertEquals(8, count("tidemark.messages", "outcome", "HeldBack"));
    assertEquals(2, count("tidemark.requests", "kind", "read"));
    assertEquals(6, count("tidemark.requests", "kind", "write"));
    assertEquals(4, count("tidemark.requests", "kind", "repeat"));
    assertEquals(1, count("tidemark.units", "kind", "read"));
    assertEquals(14, count("tidemark.units", "kind", "write"));
    DistributionSummary bytes =
        registry.get("tidemark.mark.bytes").tag("store", "orders").summary();
    assertEquals(4, bytes.count());
    assertEquals(300, bytes.max());
  }

  @Test
  @DisplayName("count what a cache of marks answers")
  void cache() {
    assertSame(metrics, metrics.watch("orders", cache));
    cache.count(true);
    cache.count(false);
    cache.count(false);
    for (String result : List.of("hit", "miss")) {
      double counted =
          registry
              .get("tidemark.cache.lookups")
              .tags("store", "orders", "result", result)
              .functionCounter()
              .count();
      assertEquals(result.equals("hit") ? 1 : 2, counted, result);
    }
  }

  @Test
  @DisplayName("have counters of rare outcomes from the first call on, where they are asked to")
  void fromZero() {
    metrics.countersFromZero().ended(batch("orders"));
    assertEquals(3, count("tidemark.messages", "outcome", "Applied"));
    for (String rare : List.of("Gap", "Refused", "Missing", "BeyondHorizon", "Stale", "Ignored")) {
      assertEquals(0, registry.get("tidemark.messages").tag("outcome", rare).counter().count());
    }
    metrics.ended(batch("orders"));
    assertEquals(6, count("tidemark.messages", "outcome", "Applied"));
  }

  @Test
  @DisplayName("have no counter for what never happened")
  void nothing() {
    metrics.ended(
        new StoreCall(
            StoreCall.Method.FIND,
            "orders",
            Map.of(),
            Map.of(),
            0,
            new StoreCall.Requests(0, 0, 0, OptionalDouble.empty(), OptionalDouble.empty()),
            Duration.ZERO,
            List.of()));
    assertNull(registry.find("tidemark.messages").counter());
    assertNull(registry.find("tidemark.requests").counter());
    assertNull(registry.find("tidemark.units").counter());
    assertEquals(1, registry.getMeters().size());
  }

  @Test
  @DisplayName("are those that the package's page lists, with those tags")
  void documented() throws IOException {
    metrics.watch("orders", cache).ended(batch("orders"));
    metrics.happened(new ExecutionEvent(ExecutionEvent.Kind.CLAIMED, "checkout", Duration.ZERO));
    var unused = metrics.intake("orders");
    RelayMetersTest.Named relayed = new RelayMetersTest.Named();
    metrics
        .watch(relayed)
        .watchStream(relayed, () -> Duration.ZERO)
        .watchClusters(relayed, Set.of("us"));
    Map<String, Set<String>> made = new HashMap<>();
    for (Meter meter : registry.getMeters()) {
      made.put(
          meter.getId().getName(),
          meter.getId().getTags().stream().map(Tag::getKey).collect(Collectors.toSet()));
    }
    assertEquals(listed(), made);
  }

  @Test
  @DisplayName("count what an intake takes by what became of it, from zero on")
  void intake() {
    IntakeListener listener = metrics.intake("orders");
    assertEquals(0, fate("dead"));
    listener.taken(
        new Taken<>(
            List.of(
                new Fate<>("a", Kind.DONE, "", true),
                new Fate<>("b", Kind.DONE, "", true),
                new Fate<>("c", Kind.AGAIN, "Gap", false))));
    assertEquals(2, fate("done"));
    assertEquals(1, fate("again"));
    assertEquals(0, fate("dead"));
  }

  private double fate(String fate) {
    return registry
        .get("tidemark.intake.messages")
        .tags("intake", "orders", "fate", fate)
        .counter()
        .count();
  }

  /** Names and tags out of the table. */
  private static Map<String, Set<String>> listed() throws IOException {
    String page =
        Files.readString(Path.of("src/main/java/dev/tidemark/micrometer/package-info.java"))
            .replaceAll("\\s*\\n \\*\\s*", "");
    Matcher row =
        Pattern.compile("<tr><td>\\{@code ([a-z.]+)}</td><td>[a-z ]+</td><td>(.*?)</td>")
            .matcher(page);
    Map<String, Set<String>> listed = new HashMap<>();
    while (row.find()) {
      listed.put(
          row.group(1),
          Pattern.compile("[a-z]{3,}(?=})")
              .matcher(row.group(2))
              .results()
              .map(MatchResult::group)
              .collect(Collectors.toSet()));
    }
    return listed;
  }
}
