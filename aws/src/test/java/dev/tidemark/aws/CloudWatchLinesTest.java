package dev.tidemark.aws;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tidemark.outbox.RelayPass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Lines with what relays do")
class CloudWatchLinesTest {
  private final Hand clock = new Hand();
  private final List<String> written = new ArrayList<>();
  private final CloudWatchLines lines = CloudWatchLines.of("shop", written::add).at(clock);

  /** A clock that is moved by hand. */
  private static final class Hand extends Clock {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    void pass(Duration time) {
      now = now.plus(time);
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      return this;
    }
  }

  private static RelayPass pass(int oldestSeconds, int sent, int failed, boolean error) {
    return pass("t", oldestSeconds, sent, failed, error);
  }

  private static RelayPass pass(
      String records, int oldestSeconds, int sent, int failed, boolean error) {
    @Nullable Throwable thrown = error ? new IllegalStateException("no") : null;
    Duration oldest = Duration.ofSeconds(oldestSeconds);
    boolean answered = !error || failed > 0;
    return new RelayPass(
        records, 4, 1, oldest, sent, failed, 0, 0, 0, 1, 0, 0, 0, Duration.ZERO, answered, thrown);
  }

  private JsonNode last() throws IOException {
    return new JsonMapper().readTree(written.get(written.size() - 1));
  }

  @Test
  @DisplayName("are written once a minute: the oldest message, and sums of the minute")
  void minute() throws IOException {
    lines.passed(pass(1, 5, 0, false));
    assertEquals(1, written.size(), "the first at once");
    clock.pass(Duration.ofSeconds(20));
    lines.passed(pass(7, 2, 0, false));
    clock.pass(Duration.ofSeconds(20));
    lines.passed(pass(3, 0, 4, true));
    assertEquals(1, written.size());
    clock.pass(Duration.ofSeconds(20));
    lines.passed(pass(2, 1, 0, false));
    assertEquals(2, written.size());
    JsonNode line = last();
    assertEquals(7.0, line.path("tidemark.outbox.oldest.value").asDouble());
    assertEquals(3, line.path("tidemark.outbox.sent.count").asInt());
    assertEquals(4, line.path("tidemark.outbox.failed.count").asInt());
    assertEquals(1, line.path("tidemark.outbox.errors.count").asInt());
    assertEquals(3, line.path("tidemark.outbox.takeovers.count").asInt());
    assertEquals(0, line.path("tidemark.outbox.pass.age.value").asInt(), "the store answered");
  }

  @Test
  @DisplayName("tell for how long the store has not answered")
  void age() throws IOException {
    lines.passed(pass(0, 0, 0, false));
    clock.pass(Duration.ofSeconds(90));
    lines.passed(pass(0, 0, 0, true));
    assertEquals(90, last().path("tidemark.outbox.pass.age.value").asInt());
  }

  @Test
  @DisplayName("tell of a store that does not answer, though that of another relay does")
  void ageOfEach() throws IOException {
    lines.passed(pass("away", 0, 0, 0, false));
    lines.passed(pass("here", 0, 0, 0, false));
    clock.pass(Duration.ofSeconds(90));
    lines.passed(pass("here", 0, 0, 0, false));
    lines.passed(pass("away", 0, 0, 0, true));
    lines.flush();
    assertEquals(90, last().path("tidemark.outbox.pass.age.value").asInt());
  }

  @Test
  @DisplayName("are written when a process is about to rest, and not without a pass")
  void flushed() {
    lines.flush();
    assertEquals(List.of(), written);
    lines.passed(pass(0, 0, 0, false));
    lines.passed(pass(0, 1, 0, false));
    lines.flush();
    lines.flush();
    assertEquals(2, written.size());
  }

  @Test
  @DisplayName("have the form of CloudWatch, and all metrics that alarms and dashboard ask for")
  void form() throws IOException {
    lines.passed(pass(1, 1, 0, false));
    JsonNode line = last();
    JsonNode about = line.path("_aws");
    assertEquals(clock.millis(), about.path("Timestamp").asLong());
    JsonNode metrics = about.path("CloudWatchMetrics").path(0);
    assertEquals("shop", metrics.path("Namespace").asText());
    assertEquals("[[\"relay\"]]", metrics.path("Dimensions").toString());
    assertEquals("shop", line.path("relay").asText());
    Set<String> names = new TreeSet<>();
    for (JsonNode metric : metrics.path("Metrics")) {
      names.add(metric.path("Name").asText());
      assertTrue(line.path(metric.path("Name").asText()).isNumber());
      assertTrue(Set.of("Seconds", "Count").contains(metric.path("Unit").asText()));
    }
    // A name in full is one of clusters, which the order history is not shared by.
    Pattern brief = Pattern.compile("= \"((?!tidemark)[a-z.]+\\.(?:value|count))\"");
    Set<String> asked = asked("outbox.tf", brief);
    asked.addAll(asked("dashboard.tf", Pattern.compile("tidemark\\.outbox\\.([a-z.]+\\.value)")));
    assertTrue(asked.size() >= 4, asked::toString);
    asked.forEach(name -> assertTrue(names.contains("tidemark.outbox." + name), name));
  }

  @Test
  @DisplayName("are JSON also where the locale has digits of its own")
  void locales() throws IOException {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    try {
      lines.passed(pass(1, 1, 0, false));
    } finally {
      Locale.setDefault(before);
    }
    assertEquals(clock.millis(), last().path("_aws").path("Timestamp").asLong());
  }

  @Test
  @DisplayName("have no namespace that CloudWatch would not take, or that would break a line")
  void namespace() {
    for (String name : List.of("", "a\"b", "a b", "a".repeat(256))) {
      assertThrows(
          IllegalArgumentException.class, () -> List.of(CloudWatchLines.of(name, written::add)));
    }
  }

  private static Set<String> asked(String file, Pattern pattern) throws IOException {
    Set<String> asked = new TreeSet<>();
    Matcher matcher = pattern.matcher(Files.readString(Path.of("../infra").resolve(file)));
    while (matcher.find()) {
      asked.add(matcher.group(1));
    }
    return asked;
  }
}
