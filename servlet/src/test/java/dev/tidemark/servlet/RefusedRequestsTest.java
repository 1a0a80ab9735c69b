package dev.tidemark.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Requests that the filter refuses")
class RefusedRequestsTest extends FilterScene {
  /** In milliseconds, for how long an answer may come in front of the body that is kept back. */
  int patience = 300;

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
  @DisplayName("leave the connection to the next request, or close it as the answer says")
  void connections() throws IOException {
    try (Server server = server(this::order, with(settings -> settings.maxBodyBytes(3)))) {
      for (String head :
          List.of(
              "Content-Type: multipart/form-data; boundary=b\r\nIdempotency-Key: k1\r\n",
              "Content-Type: application/json\r\n",
              "Content-Type: application/json\r\nIdempotency-Key: a,b\r\n")) {
        boolean each400 = container == Container.TOMCAT && !head.contains("multipart");
        assertEquals(each400, closes(server, head, "123"), head); // Tomcat closes after each 400
        assertTrue(closes(server, head, "1234"), head);
      }
      assertTrue(
          closes(server, "Content-Type: application/json\r\nIdempotency-Key: k1\r\n", "1234"));
    }
  }

  /** Sends a body late, and another request behind it where the answer does not close. */
  private boolean closes(Server server, String head, String body) throws IOException {
    try (Socket socket = new Socket("localhost", server.port())) {
      socket.setSoTimeout(10_000);
      String start = "POST /orders HTTP/1.1\r\nHost: localhost\r\n";
      OutputStream to = socket.getOutputStream();
      BufferedReader from =
          new BufferedReader(
              new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
      for (int i = 0; i < 2; i++) {
        String headers = start + head + "Content-Length: " + body.length() + "\r\n\r\n";
        to.write(headers.getBytes(StandardCharsets.UTF_8));
        to.flush();
        if (i == 0) {
          hasAnswered(socket, from); // time in which an answer may come before the body
        }
        to.write(body.getBytes(StandardCharsets.UTF_8));
        to.flush();
        if (isClosed(from)) {
          return true;
        }
      }
      return false;
    }
  }

  private void hasAnswered(Socket socket, BufferedReader from) throws IOException {
    socket.setSoTimeout(patience);
    try {
      from.mark(1);
      if (from.read() >= 0) {
        from.reset();
      }
    } catch (SocketTimeoutException e) {
      // it waits for the body
    }
    socket.setSoTimeout(10_000);
  }

  /** Reads an answer, and whether it is the last one. */
  private static boolean isClosed(BufferedReader from) throws IOException {
    String line = from.readLine();
    assertTrue(line != null && line.startsWith("HTTP/1.1 4"), "answered: " + line);
    int length = 0;
    boolean closed = false;
    for (line = from.readLine(); !line.isEmpty(); line = from.readLine()) {
      String header = line.toLowerCase(Locale.ROOT);
      closed |= header.equals("connection: close");
      if (header.startsWith("content-length:")) {
        length = Integer.parseInt(header.substring(15).trim());
      }
    }
    for (int i = 0; i < length; i++) {
      assertTrue(from.read() >= 0);
    }
    return closed;
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
