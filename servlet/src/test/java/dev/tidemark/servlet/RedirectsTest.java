package dev.tidemark.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A redirect that a filter in front makes")
class RedirectsTest extends FilterScene {
  /** Redirects in a way of its own. */
  private interface Way {
    void redirect(HttpServletResponse response, String location) throws IOException;
  }

  private static Filter front(Way way) {
    return (request, response, chain) ->
        chain.doFilter(
            request,
            new HttpServletResponseWrapper((HttpServletResponse) response) {
              @Override
              public void sendRedirect(String location) throws IOException {
                way.redirect((HttpServletResponse) getResponse(), location);
              }

              @Override
              public void sendError(int status) throws IOException {
                way.redirect((HttpServletResponse) getResponse(), "error " + status);
              }
            });
  }

  /** The same request twice, which has to be answered alike. */
  private HttpResponse<String> twice(Server.Action action, Way way) {
    String key = "k" + effects.incrementAndGet();
    try (Server server = server(action, front(way), filter())) {
      HttpResponse<String> first = server.send(server.post("/orders", "7").header(KEY, key));
      HttpResponse<String> again = server.send(server.post("/orders", "7").header(KEY, key));
      assertEquals(Optional.of("true"), header(again, "Idempotency-Replayed"));
      assertEquals(AsWithoutTest.shown(first, false), AsWithoutTest.shown(again, false));
      return first;
    }
  }

  @Test
  @DisplayName(
      "is sent as the servlet gave it where that filter refuses the location, as the work has acted")
  void refused() {
    for (RuntimeException refusal :
        List.of(new IllegalArgumentException("no"), new UnsupportedOperationException("no"))) {
      HttpResponse<String> answer =
          twice(
              (request, response) -> response.sendRedirect("next"),
              (response, location) -> {
                response.setStatus(404);
                response.setHeader("Location", "/lost");
                throw refusal;
              });
      assertEquals(302, answer.statusCode());
      assertEquals(List.of("next"), answer.headers().allValues("Location"));
      assertEquals("", answer.body());
    }
  }

  @Test
  @DisplayName("finds the status that was there before the servlet, as an error's page does")
  void status() {
    for (Server.Action action :
        List.<Server.Action>of(
            (request, response) -> {
              response.setStatus(202);
              response.sendRedirect("next");
            },
            (request, response) -> {
              response.setStatus(202);
              response.sendError(404);
            })) {
      HttpResponse<String> answer =
          twice(action, (response, location) -> response.getWriter().print(location));
      assertEquals(200, answer.statusCode());
      assertTrue(List.of("next", "error 404").contains(answer.body()));
    }
  }

  @Test
  @DisplayName("is told no status that nobody has set, nor is one that makes the page of an error")
  void unset() {
    for (Server.Action action :
        List.<Server.Action>of(
            (request, response) -> response.sendRedirect("next"),
            (request, response) -> response.sendError(404))) {
      List<Integer> told = new CopyOnWriteArrayList<>();
      Filter listening =
          (request, response, chain) ->
              chain.doFilter(
                  request,
                  new HttpServletResponseWrapper((HttpServletResponse) response) {
                    @Override
                    public void setStatus(int status) {
                      told.add(status);
                      super.setStatus(status);
                    }
                  });
      try (Server server = server(action, listening, filter())) {
        String key = "k" + effects.incrementAndGet();
        server.send(server.post("/orders", "7").header(KEY, key));
        assertEquals(List.of(), told);
      }
    }
  }

  @Test
  @DisplayName("is seen by the servlet, and by filters behind, as it was asked for")
  void seen() {
    HttpResponse<String> answer =
        twice(
            (request, response) -> {
              response.setHeader("Location", "/former");
              response.sendRedirect("next");
              assertEquals(302, response.getStatus());
              assertEquals("next", response.getHeader("location"));
              assertEquals(List.of("next"), List.copyOf(response.getHeaders("Location")));
              assertTrue(response.getHeaderNames().contains("Location"));
              assertTrue(response.containsHeader("Location"));
            },
            (response, location) -> {
              assertEquals(200, response.getStatus());
              assertEquals("/former", response.getHeader("Location"));
              response.getWriter().print(location);
            });
    assertEquals(200, answer.statusCode());
    assertEquals("next", answer.body());
  }

  @Test
  @DisplayName("to nowhere is an error, and leaves the key free")
  void nowhere() {
    Server.Action action =
        (request, response) ->
            response.sendRedirect(effects.incrementAndGet() == 1 ? null : "/found");
    try (Server server = server(action, filter())) {
      HttpResponse<String> first = server.send(server.post("/orders", "7").header(KEY, "k1"));
      HttpResponse<String> again = server.send(server.post("/orders", "7").header(KEY, "k1"));
      assertEquals(500, first.statusCode());
      assertEquals(302, again.statusCode());
      assertEquals(Optional.empty(), header(again, "Idempotency-Replayed"));
    }
  }
}
