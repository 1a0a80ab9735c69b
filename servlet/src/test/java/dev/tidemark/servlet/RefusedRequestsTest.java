package dev.tidemark.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Requests that the filter refuses")
class RefusedRequestsTest extends FilterScene {
  @Test
  @DisplayName("are refused where the key came with another request")
  void reused() {
    try (Server server = server(this::order, filter())) {
      server.send(server.post("/orders?shop=1", "7").header(KEY, "k1"));
      HttpRequest.Builder[] others = {
        server.post("/orders?shop=1", "8"),
        server.post("/orders?shop=2", "7"),
        server.post("/orders", "7"),
        server.post("/other?shop=1", "7"),
        server.post("/orders?shop=1", "7").setHeader("Content-Type", "text/plain"),
        server.post("/orders?shop=1", "7").method("PATCH", BodyPublishers.ofString("7")),
      };
      for (HttpRequest.Builder other : others) {
        assertProblem(422, "idempotency-key-reused", server.send(other.header(KEY, "k1")));
      }
      assertEquals(1, effects.get());
    }
  }

  @Test
  @DisplayName("are refused before they begin where they are multipart")
  void multipart() {
    try (Server server = server(this::order, filter())) {
      for (String type : new String[] {"multipart/form-data; boundary=b", "Multipart/Mixed"}) {
        HttpRequest.Builder request =
            server.post("/orders", "7").setHeader("Content-Type", type).header(KEY, "k1");
        assertProblem(415, "idempotent-request-multipart", server.send(request));
      }
      assertEquals(0, effects.get());
      assertEquals(201, server.send(server.post("/orders", "7").header(KEY, "k1")).statusCode());
    }
  }

  @Test
  @DisplayName("are told so in JSON, also where the locale has digits of its own")
  void locales() {
    Locale before = Locale.getDefault();
    Locale.setDefault(Locale.forLanguageTag("ar-EG"));
    try (Server server = server(this::order, filter())) {
      HttpResponse<String> missing = server.send(server.post("/orders", "7"));
      assertProblem(400, "idempotency-key-missing", missing);
    } finally {
      Locale.setDefault(before);
    }
  }

  @Test
  @DisplayName("need a key, unless keys are optional")
  void missing() {
    try (Server server = server(this::order, filter())) {
      assertProblem(400, "idempotency-key-missing", server.send(server.post("/orders", "7")));
      assertEquals(0, effects.get());
    }
    try (Server server = server(this::order, with(settings -> settings.keysOptional()))) {
      assertEquals(201, server.send(server.post("/orders", "7")).statusCode());
      assertProblem(
          400,
          "idempotency-key-malformed",
          server.send(server.post("/orders", "7").header(KEY, "a,b")));
    }
  }

  @ParameterizedTest
  @DisplayName("are refused where the key is malformed")
  @ValueSource(
      strings = {"", "\"\"", "\"open", "\"a\" \"b\"", "\"a\";p=1", "a b", "a,b", "a;p", "\"\\n\""})
  void malformed(String key) {
    try (Server server = server(this::order, filter())) {
      HttpResponse<String> answer = server.send(server.post("/orders", "7").header(KEY, key));
      assertProblem(400, "idempotency-key-malformed", answer);
      assertEquals(0, effects.get());
    }
  }

  @Test
  @DisplayName("are refused where the key is too long, or one of two")
  void wrongKeys() {
    try (Server server = server(this::order, filter())) {
      HttpResponse<String> two =
          server.send(server.post("/orders", "7").header(KEY, "a").header(KEY, "b"));
      HttpResponse<String> tooLong =
          server.send(server.post("/orders", "7").header(KEY, "k".repeat(256)));
      HttpResponse<String> longest =
          server.send(server.post("/orders", "7").header(KEY, "k".repeat(255)));
      HttpResponse<String> escaped =
          server.send(server.post("/orders", "7").header(KEY, "\"a \\\"b\\\\\""));
      assertProblem(400, "idempotency-key-malformed", two);
      assertProblem(400, "idempotency-key-malformed", tooLong);
      assertEquals(201, longest.statusCode());
      assertEquals(201, escaped.statusCode());
    }
  }

  @Test
  @DisplayName("are refused where the body is too large, told before or not")
  void tooLarge() {
    try (Server server = server(this::order, with(settings -> settings.maxBodyBytes(3)))) {
      HttpRequest.Builder chunked =
          server
              .post("/orders", "")
              .POST(
                  BodyPublishers.ofInputStream(
                      () -> new ByteArrayInputStream("1234".getBytes(StandardCharsets.UTF_8))));
      assertProblem(
          413,
          "idempotent-request-too-large",
          server.send(server.post("/orders", "1234").header(KEY, "k1")));
      assertProblem(413, "idempotent-request-too-large", server.send(chunked.header(KEY, "k1")));
      assertEquals(201, server.send(server.post("/orders", "123").header(KEY, "k1")).statusCode());
    }
  }
}
