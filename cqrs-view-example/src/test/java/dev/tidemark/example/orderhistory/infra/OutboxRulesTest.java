package dev.tidemark.example.orderhistory.infra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.dynamodb.DynamoDbOutbox;
import dev.tidemark.example.orderhistory.local.LocalDynamoDb;
import dev.tidemark.micrometer.TidemarkMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@DisplayName("The alert rules of relays")
class OutboxRulesTest {
  private static final Path RULES = Path.of("../infra/prometheus/tidemark-outbox.rules.yml");

  /** What the test looks at of a rule. */
  private record Rule(String alert, String expr, String runbook) {}

  /** The rules, by the parts that Prometheus wants of each. */
  private static List<Rule> rules() throws IOException {
    List<Rule> rules = new ArrayList<>();
    Map<?, ?> file = new Yaml().load(Files.readString(RULES));
    for (Object group : (List<?>) part(file, "groups")) {
      for (Object rule : (List<?>) part(group, "rules")) {
        Object annotations = part(rule, "annotations");
        rules.add(new Rule(text(rule, "alert"), text(rule, "expr"), text(annotations, "runbook")));
      }
    }
    return rules;
  }

  private static Object part(Object map, String name) {
    return Objects.requireNonNull(((Map<?, ?>) map).get(name), name);
  }

  private static String text(Object map, String name) {
    return (String) part(map, name);
  }

  private static Set<String> names(String text) {
    return Pattern.compile("tidemark_[a-z_]+")
        .matcher(text)
        .results()
        .map(MatchResult::group)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** What Prometheus is given of a relay. */
  private static Set<String> made() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    try (LocalDynamoDb server = new LocalDynamoDb();
        DynamoDbClient client = server.client()) {
      DynamoDbOutbox outbox = DynamoDbOutbox.of(client, "orders");
      new TidemarkMetrics(registry)
          .watch(outbox)
          .watchClusters(outbox, Set.of("us"))
          .watchStream(outbox, () -> Duration.ZERO);
      return names(registry.scrape());
    }
  }

  @Test
  @DisplayName("name meters that there are, each rule one or more")
  void meters() throws IOException {
    Set<String> made = made();
    for (Rule rule : rules()) {
      Set<String> named = names(rule.expr());
      assertFalse(named.isEmpty(), rule.alert());
      assertTrue(made.containsAll(named), rule.alert() + " names " + named + " of " + made);
    }
  }

  @Test
  @DisplayName(
      "watch age, silence, absence, parked messages, takeovers, clusters, errors and streams")
  void alarms() throws IOException {
    assertEquals(
        List.of(
            "Behind",
            "RelaySilent",
            "RelayGone",
            "Parked",
            "Takeover",
            "ClusterTakeover",
            "Errors",
            "StreamBehind"),
        rules().stream().map(rule -> rule.alert().substring("TidemarkOutbox".length())).toList());
  }

  @Test
  @DisplayName("link to a section that says what to do")
  void runbooks() throws IOException {
    for (Rule rule : rules()) {
      String[] link = rule.runbook().split("#", -1);
      List<String> page = Files.readAllLines(Path.of("..", link[0]));
      assertTrue(page.contains("<a id=\"" + link[1] + "\"></a>"), rule.alert());
    }
  }
}
