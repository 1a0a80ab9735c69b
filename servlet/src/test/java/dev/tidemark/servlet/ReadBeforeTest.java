package dev.tidemark.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import jakarta.servlet.Filter;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A body that a filter before has read")
class ReadBeforeTest extends FilterScene {
  private static final String JSON = "application/json";
  private static final String FORM = "application/x-www-form-urlencoded";
  private static final List<Integer> REFUSED = List.of(418, 418);

  @Test
  @DisplayName("is refused where all of it was read as a stream, told its length or not")
  void all() {
    for (String type : List.of(JSON, FORM)) {
      for (boolean chunked : new boolean[] {false, true}) {
        assertEquals(
            REFUSED, answers(type, chunked, request -> request.getInputStream().readAllBytes()));
      }
      assertEquals(
          REFUSED, answers(type, false, request -> request.getInputStream().readNBytes(8)));
    }
    assertEquals(0, effects.get());
  }

  @Test
  @DisplayName("is refused where a part of a length was read")
  void part() {
    assumeTrue(container != Container.UNDERTOW, "may unzip a body itself, and keeps its length");
    for (String type : List.of(JSON, FORM)) {
      assertEquals(
          REFUSED, answers(type, false, request -> request.getInputStream().readNBytes(3)));
    }
    assertEquals(0, effects.get());
  }

  @Test
  @DisplayName("is compared where it was read as parameters")
  void parameters() {
    for (boolean chunked : new boolean[] {false, true}) {
      assertEquals(
          List.of(200, 422), answers(FORM, chunked, request -> request.getParameter("amount")));
    }
  }

  @Test
  @DisplayName("is the filter's where that gives another, such as nothing that was zipped")
  void unzipped() {
    Filter empties =
        (request, response, chain) ->
            chain.doFilter(
                new HttpServletRequestWrapper((HttpServletRequest) request) {
                  @Override
                  public ServletInputStream getInputStream() {
                    return new Nothing();
                  }
                },
                response);
    try (Server server = server(this::order, empties, filter())) {
      assertEquals(
          201, server.send(server.post("/orders", "zipped").header(KEY, "k")).statusCode());
    }
  }

  /** What two bodies of the same key are answered behind a filter that reads them. */
  private List<Integer> answers(String type, boolean chunked, Reading reading) {
    Filter reads =
        (request, response, chain) -> {
          reading.of((HttpServletRequest) request);
          try {
            chain.doFilter(request, response);
          } catch (IllegalStateException e) {
            boolean told =
                String.valueOf(e.getMessage()).startsWith("the request's body was read before");
            ((HttpServletResponse) response).setStatus(told ? 418 : 500);
          }
        };
    Server.Action counts = (request, response) -> effects.incrementAndGet();
    try (Server server = server(counts, reads, filter())) {
      return List.of("amount=5", "amount=7").stream()
          .map(
              body ->
                  server
                      .post("/orders?shop=1", body)
                      .setHeader("Content-Type", type)
                      .header(KEY, type + chunked)
                      .POST(
                          chunked
                              ? BodyPublishers.ofInputStream(
                                  () ->
                                      new ByteArrayInputStream(
                                          body.getBytes(StandardCharsets.UTF_8)))
                              : BodyPublishers.ofString(body)))
          .map(request -> server.send(request).statusCode())
          .toList();
    }
  }

  private interface Reading {
    Object of(HttpServletRequest request) throws IOException;
  }

  private static final class Nothing extends ServletInputStream {
    @Override
    public int read() {
      return -1;
    }

    @Override
    public boolean isFinished() {
      return false;
    }

    @Override
    public boolean isReady() {
      return true;
    }

    @Override
    public void setReadListener(ReadListener listener) {
      throw new UnsupportedOperationException();
    }
  }
}
