package dev.tidemark.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.ContentionException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.execution.Executions;
import dev.tidemark.store.Answer;
import dev.tidemark.store.ConditionalWrite;
import dev.tidemark.store.RecordStore;
import dev.tidemark.store.StoredRecord;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What a servlet reads and writes behind the filter")
class CapturedTest extends FilterScene {
  private int keys;

  /** The same request twice, which has to act once and to be answered alike. */
  private HttpResponse<String> twice(Server.Action action, String type, String body) {
    Server.Action counted =
        (request, response) -> {
          effects.incrementAndGet();
          action.answer(request, response);
        };
    effects.set(0);
    try (Server server = server(counted, filter())) {
      HttpRequest.Builder request = of(server, "/orders?a=q", type, body);
      request.setHeader(KEY, "k" + ++keys);
      HttpResponse<String> first = server.send(request);
      HttpResponse<String> again = server.send(request);
      assertEquals(first.statusCode(), again.statusCode());
      assertEquals(first.body(), again.body());
      for (String name :
          List.of("Content-Type", "Content-Encoding", "Content-Language", "Location", "ETag")) {
        assertEquals(first.headers().allValues(name), again.headers().allValues(name), name);
      }
      assertEquals(Optional.of("true"), again.headers().firstValue("Idempotency-Replayed"));
      assertEquals(1, effects.get());
      return again;
    }
  }

  @Test
  @DisplayName("is text in the charset that it names")
  void charsets() {
    HttpResponse<String> answer =
        twice(
            (request, response) -> {
              String read = request.getReader().readLine();
              response.setContentType("text/plain;charset=UTF-16BE");
              response.getWriter().print(read);
              response.setContentType("text/html;charset=UTF-8"); // too late for the charset
              response.setCharacterEncoding("UTF-8");
              response.setCharacterEncoding(StandardCharsets.UTF_8); // of Servlet 6.1
            },
            "text/plain;charset=UTF-8",
            "grüße €");
    assertEquals("grüße €", answer.body());
    assertEquals(
        Optional.of("text/html;charset=UTF-16BE"), answer.headers().firstValue("Content-Type"));
  }

  @Test
  @DisplayName("is a form, behind the parameters of the query")
  void forms() {
    HttpResponse<String> answer =
        twice(
            (request, response) -> {
              response.setContentType("text/plain;charset=UTF-8");
              response.getWriter().print(String.join("|", request.getParameterValues("a")));
              response.getWriter().print(" " + request.getParameter("b c"));
              response.getWriter().print(" " + request.getParameter("none"));
              response.getWriter().print(" " + request.getParameterMap().keySet());
            },
            "application/x-www-form-urlencoded;charset=UTF-8",
            "a=1&b+c=%C3%A4%26&a=2&d");
    assertEquals("q|1|2 ä& null [a, b c, d]", answer.body());
  }

  @Test
  @DisplayName("is a form of as many values of one name as a body can have")
  void longForm() {
    HttpResponse<String> answer =
        twice(
            (request, response) ->
                response.getWriter().print(request.getParameterValues("a").length),
            "application/x-www-form-urlencoded",
            "a&".repeat(1 << 19));
    assertEquals((1 << 19) + 1 + "", answer.body());
  }

  @Test
  @DisplayName("is in the language of its locale")
  void locale() {
    HttpResponse<String> answer =
        twice(
            (request, response) -> {
              response.setLocale(Locale.forLanguageTag("de-CH"));
              response.getWriter().print("Hoi");
            },
            "text/plain",
            "x");
    assertEquals(Optional.of("de-CH"), answer.headers().firstValue("Content-Language"));
  }

  @Test
  @DisplayName("is a redirect")
  void redirect() {
    HttpResponse<String> answer =
        twice(
            (request, response) -> {
              response.getWriter().print("not seen");
              response.sendRedirect("/elsewhere");
              response.getWriter().print("nor this");
              assertTrue(response.isCommitted());
              assertThrows(IllegalStateException.class, () -> response.sendError(500));
            },
            "text/plain",
            "");
    assertEquals(302, answer.statusCode());
    assertEquals(
        Optional.of("/elsewhere"),
        answer.headers().firstValue("Location").map(to -> to.replaceFirst("http://[^/]+", "")));
    assertEquals("", answer.body());
  }

  @Test
  @DisplayName("is a redirect with a status of its own, as Servlet 6.1 has it")
  void seeOther() {
    HttpResponse<String> seeOther =
        twice(
            (request, response) -> {
              response.getWriter().print("not seen");
              response.sendRedirect("/elsewhere", HttpServletResponse.SC_SEE_OTHER);
              response.getWriter().print("nor this");
              assertTrue(response.isCommitted());
              assertThrows(IllegalStateException.class, () -> response.sendError(500));
            },
            "text/plain",
            "");
    assertEquals(303, seeOther.statusCode());
    assertEquals(Optional.of("/elsewhere"), seeOther.headers().firstValue("Location"));
    assertEquals("", seeOther.body());
  }

  @Test
  @DisplayName("is a redirect with a body, as Servlet 6.1 has it")
  void redirectWithBody() {
    HttpResponse<String> withBody =
        twice(
            (request, response) -> {
              response.getWriter().print("look there");
              response.sendRedirect("/elsewhere", false);
              assertTrue(response.isCommitted());
            },
            "text/plain",
            "");
    assertEquals(302, withBody.statusCode());
    assertEquals("look there", withBody.body());
  }

  @Test
  @DisplayName("is written by another servlet, to which the request was forwarded")
  void forward() {
    HttpResponse<String> answer =
        twice(
            (request, response) -> {
              if (request.getServletPath().isEmpty() && request.getPathInfo().equals("/view")) {
                response.setStatus(202);
                response.getWriter().print("the view");
              } else {
                request.getRequestDispatcher("/view").forward(request, response);
                effects.decrementAndGet();
              }
            },
            "text/plain",
            "x");
    assertEquals(202, answer.statusCode());
    assertEquals("the view", answer.body());
  }

  @Test
  @DisplayName("is without what was before a forward, on a server of another name, too")
  void forwardOfUnknown() {
    Filter unknown =
        (request, response, chain) ->
            chain.doFilter(
                IdempotencyFilterTest.logged(request, new ArrayList<>()), response); // by a proxy
    Server.Action action =
        (request, response) -> {
          if (request.getDispatcherType() != DispatcherType.FORWARD) {
            response.getWriter().print("before ");
            request.getRequestDispatcher("/view").forward(request, response);
          } else {
            response.getWriter().print("the view");
          }
        };
    try (Server server = new Server(Container.JETTY, configured, action, unknown, filter())) {
      HttpResponse<String> answer = server.send(server.post("/orders", "7").header(KEY, "k1"));
      assertEquals("the view", answer.body(), answer::toString);
    }
  }

  @Test
  @DisplayName("is what it is after a reset")
  void reset() {
    HttpResponse<String> answer =
        twice(
            (request, response) -> {
              response.setStatus(400);
              response.setHeader("ETag", "\"old\"");
              response.getWriter().print("old");
              assertThrows(IllegalStateException.class, response::getOutputStream);
              response.reset();
              response.getOutputStream().print("older");
              assertThrows(IllegalStateException.class, response::getWriter);
              response.resetBuffer();
              response.getOutputStream().write('n');
              response.getOutputStream().print("ew");
            },
            "text/plain",
            "x");
    assertEquals(200, answer.statusCode());
    assertEquals("new", answer.body());
    assertEquals(Optional.empty(), answer.headers().firstValue("ETag"));
  }

  @Test
  @DisplayName("is as long as the header says that it sets, however long the text is")
  void length() {
    HttpResponse<String> answer =
        twice(
            (request, response) -> {
              response.setHeader("content-length", "3");
              response.getWriter().print("abcdef");
            },
            "text/plain",
            "x");
    assertEquals("abc", answer.body());
  }

  @Test
  @DisplayName("is as long as the last header says, and as its text where that is no length")
  void lengths() {
    for (String header : new @Nullable String[] {null, "", "-1", "4"}) {
      HttpResponse<String> answer =
          twice(
              (request, response) -> {
                response.setContentLength(3);
                response.setHeader("Content-Length", header);
                response.addHeader("Content-Length", null); // which servers ignore
                response.getWriter().print("abcdef");
              },
              "text/plain",
              "x");
      assertEquals("4".equals(header) ? "abcd" : "abcdef", answer.body());
    }
  }

  @Test
  @DisplayName("is as long as it is where the length was said of more, or of no error or redirect")
  void lengthOfMore() {
    for (Server.Action then :
        List.<Server.Action>of(
            (request, response) -> response.getWriter().print("abc"),
            (request, response) -> response.sendError(404),
            (request, response) -> response.sendRedirect("/elsewhere"))) {
      for (int length : new int[] {0, 5}) {
        HttpResponse<String> answer =
            twice(
                (request, response) -> {
                  response.setContentLength(length);
                  then.answer(request, response);
                },
                "text/plain",
                "x");
        int status = answer.statusCode();
        String body = status == 404 ? "error 404: " : status == 200 && length > 0 ? "abc" : "";
        assertTrue(body.isEmpty() ? answer.body().isEmpty() : answer.body().startsWith(body));
      }
    }
  }

  @Test
  @DisplayName("is as long as its text where a reset has taken the length back")
  void lengthBeforeReset() {
    HttpResponse<String> answer =
        twice(
            (request, response) -> {
              response.setIntHeader("Content-Length", 3);
              response.reset();
              response.getWriter().print("abcdef");
            },
            "text/plain",
            "x");
    assertEquals("abcdef", answer.body());
  }

  @Test
  @DisplayName("is nothing")
  void empty() {
    HttpResponse<String> answer =
        twice((request, response) -> response.setStatus(204), "text/plain", "x");
    assertEquals(204, answer.statusCode());
  }

  @Test
  @DisplayName("is large")
  void large() {
    String line = "0123456789abcdef".repeat(50_000);
    HttpResponse<String> answer =
        twice((request, response) -> response.getWriter().print(line), "text/plain", "x");
    assertEquals(line, answer.body());
  }

  @ParameterizedTest
  @DisplayName("is refused by name where it is asynchronous or of several parts")
  @CsvSource({"async, asynchronous", "parts, multipart", "part, multipart"})
  void unsupported(String what, String named) {
    AtomicReference<String> message = new AtomicReference<>("");
    Server.Action action =
        (request, response) -> {
          IllegalStateException refused =
              assertThrows(
                  IllegalStateException.class,
                  () -> {
                    switch (what) {
                      case "async" -> request.startAsync();
                      case "parts" -> request.getParts();
                      default -> request.getPart("file");
                    }
                  });
          message.set(String.valueOf(refused.getMessage()));
          assertEquals(true, request.isAsyncSupported()); // so that startAsync is called
        };
    twice(action, "text/plain", "x");
    assertTrue(message.get().contains(named) && message.get().contains("appliesTo"), message.get());
  }

  @ParameterizedTest
  @DisplayName("is compared though a filter before has read it as a form, and refused otherwise")
  @CsvSource({
    "application/x-www-form-urlencoded, a=1, a=1, 200",
    "application/x-www-form-urlencoded, a=1, a=2, 422",
    "application/json, 1, 1, 500"
  })
  void readBefore(String type, String body, String other, int status) {
    Filter reading =
        (request, response, chain) -> {
          if (request.getParameter("a") == null) {
            request.getInputStream().readAllBytes();
          }
          chain.doFilter(request, response);
        };
    Server.Action action =
        (request, response) -> response.getWriter().print(request.getParameter("a"));
    try (Server server = server(action, reading, filter())) {
      int first = server.send(of(server, "/orders", type, body)).statusCode();
      HttpResponse<String> last = server.send(of(server, "/orders", type, other));
      assertEquals(status == 500 ? 500 : 200, first);
      assertEquals(status, last.statusCode());
      assertEquals(status == 200, last.body().equals("1"));
    }
  }

  private static HttpRequest.Builder of(Server server, String path, String type, String body) {
    return server.post(path, body).setHeader("Content-Type", type).header(KEY, "k1");
  }

  @ParameterizedTest
  @DisplayName("is answered where the store fails only after it, and tried again where before")
  @CsvSource({
    "1, throttled, 503, 0",
    "2, throttled, 200, 1",
    "1, corrupt, 500, 0",
    "2, corrupt, 200, 1",
    "1, refused, 500, 0",
    "2, refused, 200, 1"
  })
  void storeFails(int write, String what, int status, int done) {
    RuntimeException fault =
        switch (what) {
          case "throttled" -> new ContentionException(what, null, null);
          case "corrupt" -> new CorruptRecordException(what, null, null);
          default -> new IllegalStateException(what); // the client's own
        };
    Server.Action action = (request, response) -> effects.incrementAndGet();
    Executions failing = Executions.of("checkout", new FailingOnce(records, write, fault));
    IdempotencyFilter filter = IdempotencyFilter.builder(failing).sharedKeys().build();
    try (Server server = server(action, filter)) {
      HttpResponse<String> answer = server.send(server.post("/orders", "7").header(KEY, "k1"));
      assertEquals(status, answer.statusCode());
      assertEquals(done, effects.get());
      assertEquals(status == 503, answer.headers().firstValue("Retry-After").isPresent());
    }
  }

  @Test
  @DisplayName("is not in the text of a stored response")
  void redacted() {
    StoredResponse stored = new StoredResponse(200, false, "m", "t", Map.of(), null, "secret");
    assertEquals("StoredResponse[status=200]", stored.toString());
  }

  /** Records of which one write fails. */
  private static final class FailingOnce implements RecordStore {
    private final RecordStore sound;
    private final AtomicInteger left;
    private final RuntimeException fault;

    FailingOnce(RecordStore sound, int write, RuntimeException fault) {
      this.sound = sound;
      this.left = new AtomicInteger(write);
      this.fault = fault;
    }

    @Override
    public Answer<StoredRecord> write(ConditionalWrite write) {
      if (left.decrementAndGet() == 0) {
        throw fault;
      }
      return sound.write(write);
    }

    @Override
    public Optional<StoredRecord> read(String key) {
      return sound.read(key);
    }

    @Override
    public List<String> due(String partition, long from, long before, int most) {
      return sound.due(partition, from, before, most);
    }

    @Override
    public List<String> pending(String partition, String prefix, int most) {
      return sound.pending(partition, prefix, most);
    }

    @Override
    public List<String> list(String prefix, @Nullable String after, int most) {
      return sound.list(prefix, after, most);
    }

    @Override
    public Clock clock() {
      return sound.clock();
    }

    @Override
    public int mostBytes() {
      return sound.mostBytes();
    }
  }
}
