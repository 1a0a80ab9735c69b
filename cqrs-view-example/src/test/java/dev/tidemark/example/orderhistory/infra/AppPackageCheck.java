package dev.tidemark.example.orderhistory.infra;

import static dev.tidemark.EntityKey.key;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.tidemark.example.orderhistory.Samples;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.FreePort;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Runs the service from its jar, as the image and Fargate do. */
@DisplayName("The jar of the service")
class AppPackageCheck {
  private static final int SIGTERM = 128 + 15;
  private static final Path DASHBOARD = Path.of("../infra/grafana/dashboards/order-history.json");
  private static final Pattern METER =
      Pattern.compile("\\b(?:tidemark|orderhistory|jvm|process)_[a-z_]+");

  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static Deployed deployed;

  @BeforeAll
  static void start() {
    deployed = new Deployed();
  }

  @AfterAll
  static void end() throws IOException {
    deployed.close();
  }

  @Test
  @DisplayName("consumes, answers, is measured as the dashboard wants, and ends on SIGTERM")
  void runs() throws Exception {
    int port = FreePort.find();
    Process process =
        deployed
            .process(
                Contract.read().program("service"),
                List.of("-jar", System.getProperty("app.jar", ""), "--server.port=" + port))
            .redirectOutput(new File("target/app-package-check.log"))
            .start();
    try {
      deployed.queue.send(Samples.created("a", "consumer", 0));
      deployed.queue.send(Samples.created("a", "consumer", 0));
      Await.until(
          "the service is ready",
          () -> {
            assertTrue(process.isAlive(), "the service ended; see target/app-package-check.log");
            return get(port, "/actuator/health/readiness").startsWith("200");
          });
      assertTrue(get(port, "/actuator/health/liveness").startsWith("200"));
      Await.until("it has handled the events", () -> deployed.queue.size() == 0);
      assertTrue(get(port, "/api/consumers/consumer/orders").contains("\"a\""));
      assertEquals(Set.of(), missing(get(port, "/actuator/prometheus")));
      process.destroy();
      deployed.queue.send(Samples.created("b", "consumer", 0)); // ends the long poll
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it did not end");
      assertEquals(SIGTERM, process.exitValue());
      int left = deployed.queue.size();
      assertEquals(left, deployed.queue.visible(), "the batch in hand was not finished");
      boolean handled = deployed.generations.current().orders().find(key("b")).isPresent();
      assertEquals(handled ? 0 : 1, left);
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  @DisplayName("relays and consumes nothing where it is told so, and writes metrics to its log")
  void relays() throws Exception {
    deployed.generations.prepareExecutions();
    deployed.publish("r", "ready");
    int port = FreePort.find();
    File log = new File("target/app-package-check-relay.log");
    Process process =
        deployed
            .process(
                Contract.read().program("relay"),
                List.of("-jar", System.getProperty("app.jar", ""), "--server.port=" + port))
            .redirectOutput(log)
            .start();
    try {
      Await.until("the message is sent", () -> deployed.statuses.size() == 1);
      Await.until(
          "the relay is ready", () -> get(port, "/actuator/health/readiness").startsWith("200"));
      process.destroy();
      assertTrue(process.waitFor(60, TimeUnit.SECONDS), "it did not end");
      assertEquals(SIGTERM, process.exitValue());
      assertTrue(Files.readString(log.toPath()).contains("\n{\"_aws\":{\"Timestamp\":"));
    } finally {
      process.destroyForcibly();
    }
  }

  /** The status and the body; no status if nobody listens. */
  private static String get(int port, String path) {
    URI uri = URI.create("http://127.0.0.1:" + port + path);
    try {
      HttpResponse<String> answer =
          HTTP.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString(UTF_8));
      return answer.statusCode() + " " + answer.body();
    } catch (IOException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** The meters of the dashboard that the service does not have. */
  private static Set<String> missing(String meters) {
    Set<String> missing = new TreeSet<>();
    for (JsonNode expression : dashboard().findValues("expr")) {
      Matcher matcher = METER.matcher(expression.asText());
      while (matcher.find()) {
        if (!meters.contains("\n" + matcher.group())) {
          missing.add(matcher.group());
        }
      }
    }
    return missing;
  }

  private static JsonNode dashboard() {
    try {
      return new JsonMapper().readTree(DASHBOARD.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
