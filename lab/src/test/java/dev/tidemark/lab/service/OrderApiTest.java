package dev.tidemark.lab.service;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.Http;
import dev.tidemark.example.orderhistory.local.Http.Answer;
import dev.tidemark.lab.orders.SharedServe;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Clock;
import java.time.YearMonth;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The HTTP API")
class OrderApiTest {
  private static Http http(String store) {
    return new Http(SharedServe.on(store).url());
  }

  @ParameterizedTest
  @ValueSource(strings = {"dynamodb", "mongodb"})
  @DisplayName("lists a consumer's orders, newest first, page by page, each once")
  void pages(String store) {
    List<String> times = new ArrayList<>();
    TreeSet<String> ids = new TreeSet<>();
    String token = "";
    do {
      JsonNode page =
          http(store).get("/api/consumers/consumer-1/orders?limit=10&pageToken=" + token).json();
      for (JsonNode order : page.get("orders")) {
        times.add(order.get("createdAt").asText());
        ids.add(order.get("orderId").asText());
      }
      token = page.get("nextPageToken").asText("");
    } while (!token.isEmpty() && !token.equals("null"));
    assertEquals(times.stream().sorted(Comparator.reverseOrder()).toList(), times);
    assertEquals(times.size(), ids.size());
    assertTrue(times.size() >= 27, times.size() + " orders");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dynamodb", "mongodb"})
  @DisplayName("shows an order in full, and nothing that only the service needs")
  void order(String store) {
    JsonNode listed =
        http(store).get("/api/consumers/consumer-1/orders?limit=1").json().get("orders").get(0);
    String id = listed.get("orderId").asText();
    JsonNode order = http(store).get("/api/orders/" + id).json();
    assertEquals(listed, order);
    List<String> names = new ArrayList<>();
    order.fieldNames().forEachRemaining(names::add);
    List<String> shown =
        List.of(
            "orderId",
            "consumerId",
            "createdAt",
            "restaurant",
            "status",
            "lines",
            "total",
            "tips",
            "refunded",
            "courier",
            "timeline");
    assertTrue(names.containsAll(shown), names::toString);
    assertTrue(Collections.disjoint(List.of("keywords", "resumeToken"), names), names::toString);
    assertTrue(names.stream().noneMatch(name -> name.endsWith("Version")), names::toString);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dynamodb", "mongodb"})
  @DisplayName("adds up a month, and knows none of who ordered nothing")
  void spending(String store) {
    String month = YearMonth.now(Clock.systemUTC()).toString();
    JsonNode sum = http(store).get("/api/consumers/nobody/spending?month=" + month).json();
    assertEquals(
        "{\"consumerId\":\"nobody\",\"month\":\""
            + month
            + "\",\"orders\":0,\"spent\":0,\"tips\":0,\"refunded\":0}",
        sum.toString());
    http(store).post("/api/lab/place?consumerId=spends-" + store);
    Await.until(
        "the order is counted",
        () ->
            http(store)
                    .get("/api/consumers/spends-" + store + "/spending")
                    .json()
                    .get("orders")
                    .asInt()
                == 1);
  }

  @ParameterizedTest
  @ValueSource(strings = {"dynamodb", "mongodb"})
  @DisplayName("reads an order that has seen an event, and says 409 of one that has not in 2 s")
  void freshness(String store) {
    JsonNode sent = http(store).post("/api/lab/place?consumerId=fresh-" + store).json();
    String path = "/api/orders/" + sent.get("orderId").asText() + "?notBefore=";
    String token = sent.get("notBefore").asText();
    Await.until("the order has seen it", () -> http(store).get(path + token).status() == 200);
    JsonNode tip = http(store).post("/api/lab/tip?consumerId=fresh-" + store).json();
    Answer fresh = http(store).get(path + tip.get("notBefore").asText());
    assertEquals(200, fresh.status(), "waits for what is on its way");
    assertTrue(fresh.json().get("tips").asLong() > 0);
    String never = token.replaceAll("1$", "9");
    Answer late = http(store).get(path + never);
    assertEquals(409, late.status());
    assertEquals("/problems/not-yet", late.json().get("type").asText());
    assertEquals(never, late.json().get("value").asText());
  }

  @ParameterizedTest
  @ValueSource(strings = {"dynamodb", "mongodb"})
  @DisplayName("tells of changes by a stream, whoever wrote them")
  void changes(String store) {
    String consumer = "streams-" + store;
    try (Stream<String> lines = http(store).lines("/api/consumers/" + consumer + "/changes")) {
      Iterator<String> events = lines.filter(line -> !line.isEmpty()).iterator();
      assertEquals("event:changed", events.next());
      assertEquals("data:{\"orders\":[]}", events.next());
      JsonNode sent = http(store).post("/api/lab/place?consumerId=" + consumer).json();
      String data = "data:{\"orders\":[\"" + sent.get("orderId").asText() + "\"]}";
      String line = events.next();
      while (!line.equals(data)) { // the stream may tell of the sum first
        line = events.next();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "/api/consumers/c/orders?limit=0, limit, 0",
    "/api/consumers/c/orders?limit=many, limit, many",
    "/api/consumers/c/orders?limit=101, limit, 101",
    "/api/consumers/c/orders?since=yesterday, since, yesterday",
    "/api/consumers/c/orders?status=done%20it, status, done it",
    "/api/consumers/c/orders?keyword=two%07words, keyword, two\u0007words",
    "/api/consumers/c/orders?pageToken=x, pageToken, x",
    // 2026-11-21T20:30:00.000Z and a bell; forever-and-a-day+++Z and o; the time and 201 times o
    "/api/consumers/c/orders?pageToken=MjAyNi0xMS0yMVQyMDozMDowMC4wMDBaBw, pageToken, MjAyNi0xMS0yMVQyMDozMDowMC4wMDBaBw",
    "/api/consumers/c/orders?pageToken=Zm9yZXZlci1hbmQtYS1kYXkrKytabw, pageToken, Zm9yZXZlci1hbmQtYS1kYXkrKytabw",
    // 2026-11-21T20:30:00.000Z and o, of a list that begins later
    "/api/consumers/c/orders?since=2026-11-22&pageToken=MjAyNi0xMS0yMVQyMDozMDowMC4wMDBabw, pageToken, MjAyNi0xMS0yMVQyMDozMDowMC4wMDBabw",
    "/api/consumers/c/spending?month=2026-13, month, 2026-13",
    "/api/consumers/c%07c/changes, consumerId, c\u0007c",
    "/api/orders/o?notBefore=Order/7, notBefore, Order/7",
    "/api/orders/o?notBefore=Order/7/0, notBefore, Order/7/0",
    "/api/orders/o?notBefore=Cart/7/1, notBefore, Cart/7/1"
  })
  @DisplayName("answers a wrong parameter with a problem that has its name and value")
  void wrong(String path, String name, String value) {
    Answer answer = http("dynamodb").get(path);
    assertEquals(400, answer.status());
    assertEquals("application/problem+json", answer.type());
    assertEquals("/problems/bad-parameter", answer.json().get("type").asText());
    assertEquals(name, answer.json().get("name").asText());
    assertEquals(value, answer.json().get("value").asText());
    assertTrue(answer.json().get("detail").asText().startsWith(name + " must "));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/api/consumers/c/orders?keyword=100%",
        "/api/consumers/c/spending?month=%zz",
        "/api/orders/o?notBefore=%"
      })
  @DisplayName("answers a query that is not percent-encoded with a problem, as a wrong parameter")
  void undecodable(String path) throws IOException {
    URI service = URI.create(SharedServe.on("dynamodb").url());
    try (Socket socket = new Socket(service.getHost(), service.getPort())) { // no URI takes it
      String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
      assertTrue(answer.startsWith("HTTP/1.1 400"), answer);
      assertTrue(answer.contains("/problems/bad-parameter"), answer);
      assertTrue(answer.contains("write % as %25"), answer);
    }
  }

  @Test
  @DisplayName("shows the beginning of a value that is long, and cuts no character in two")
  void longValue() {
    String path = "/api/orders/o?notBefore=" + "a".repeat(63) + "%F0%9F%98%80b";
    assertEquals("a".repeat(63) + "…", http("dynamodb").get(path).json().get("value").asText());
  }

  @ParameterizedTest
  @ValueSource(strings = {"dynamodb", "mongodb"})
  @DisplayName("goes on answering, and is ready, while as many readers wait as may wait")
  void waiting(String store) {
    JsonNode sent = http(store).post("/api/lab/place?consumerId=waits-" + store).json();
    String path = "/api/orders/" + sent.get("orderId").asText();
    Await.until("the order is there", () -> http(store).get(path).status() == 200);
    String never = sent.get("notBefore").asText().replaceAll("1$", "9");
    List<CompletableFuture<Integer>> waiting =
        http(store).statuses(path + "?notBefore=" + never, 120);
    Await.until("some are refused", () -> waiting.stream().anyMatch(OrderApiTest::isRefused));
    assertEquals(200, http(store).get(path).status());
    assertEquals(200, http(store).get("/actuator/health/readiness").status());
    assertTrue(waiting.stream().anyMatch(answer -> answer.join() == 409));
  }

  private static boolean isRefused(CompletableFuture<Integer> status) {
    return status.isDone() && status.join() == 503;
  }

  @Test
  @DisplayName("gives one client 20 streams of changes and no more, and others theirs")
  void streams() {
    String path = "/api/consumers/streams-of-one/changes";
    List<Stream<String>> open = new ArrayList<>();
    try {
      for (int i = 0; i < 20; i++) {
        HttpResponse<Stream<String>> stream = http("dynamodb").open(path, "203.0.113.7");
        open.add(stream.body());
        assertEquals(200, stream.statusCode());
      }
      HttpResponse<Stream<String>> more = http("dynamodb").open(path, "203.0.113.7");
      open.add(more.body());
      assertEquals(429, more.statusCode());
      HttpResponse<Stream<String>> other = http("dynamodb").open(path, "203.0.113.8");
      open.add(other.body());
      assertEquals(200, other.statusCode());
    } finally {
      open.forEach(Stream::close);
    }
  }

  @Test
  @DisplayName("lets no page of another site use the control panel")
  void origin() {
    Http http = http("dynamodb");
    String path = "/api/lab/place?consumerId=elsewhere";
    assertEquals(403, http.post(path, "https://elsewhere.example").status());
    assertEquals(403, http.post(path, "null").status());
    assertEquals(200, http.post(path, http.url()).status());
  }

  @ParameterizedTest
  @CsvSource({"/api/orders/none, 404, /problems/no-such-order", "/api/nothing, 404, about:blank"})
  @DisplayName("answers what is not there with a problem")
  void absent(String path, int status, String type) {
    Answer answer = http("dynamodb").get(path);
    assertEquals(status, answer.status());
    assertEquals("application/problem+json", answer.type());
    assertEquals(type, answer.json().path("type").asText("about:blank"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"/", "/app.js", "/api/page"})
  @DisplayName("lets the page load nothing from elsewhere")
  void policy(String path) {
    String policy = http("dynamodb").header(path, "Content-Security-Policy");
    assertTrue(policy.startsWith("default-src 'none'; script-src 'self'; style-src 'self';"));
    assertFalse(policy.contains("unsafe"));
    assertEquals("nosniff", http("dynamodb").header(path, "X-Content-Type-Options"));
  }
}
