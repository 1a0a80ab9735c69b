package dev.tidemark.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.execution.Executions;
import dev.tidemark.tck.MemoryRecordStore;
import dev.tidemark.tck.MovableClock;
import jakarta.servlet.Filter;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A filter before orders, and what tests of it have in common, on every server. */
@ParameterizedClass(name = "on {0}")
@EnumSource(Container.class)
abstract class FilterScene {
  static final String KEY = IdempotencyKey.HEADER;

  @Parameter Container container = Container.TOMCAT;

  /** Whether the server has settings for redirects that are not those of its own. */
  boolean configured;

  final MovableClock clock = new MovableClock();
  final MemoryRecordStore records = new MemoryRecordStore(clock);
  final AtomicInteger effects = new AtomicInteger();

  Server server(Server.Action action, Filter... filters) {
    return new Server(container, configured, action, filters);
  }

  IdempotencyFilter filter() {
    return with(settings -> settings);
  }

  IdempotencyFilter with(UnaryOperator<IdempotencyFilter.Builder> settings) {
    return settings
        .apply(IdempotencyFilter.builder(Executions.of("checkout", records)).sharedKeys())
        .build();
  }

  /** An order: its number, where it is, and a cookie. */
  void order(HttpServletRequest request, HttpServletResponse response) throws Exception {
    int number = effects.incrementAndGet();
    response.setStatus(201);
    response.setContentType("application/json");
    response.setHeader("Location", "/orders/" + number);
    response.setHeader("X-Trace", "t" + number);
    response.addCookie(new Cookie("session", "s" + number));
    String body = new String(request.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    response.getOutputStream().print("{\"order\":" + number + ",\"of\":" + body + "}");
    response.flushBuffer();
  }

  static void assertProblem(int status, String name, HttpResponse<String> response) {
    assertEquals(status, response.statusCode());
    assertEquals(Optional.of("application/problem+json"), header(response, "Content-Type"));
    assertTrue(
        response.body().startsWith("{\"type\":\"tag:tidemark.dev,2026:" + name + "\",\"title\":\""),
        response.body());
    assertTrue(response.body().contains("\"status\":" + status + ","), response.body());
    assertEquals(Optional.empty(), header(response, "Idempotency-Replayed"));
  }

  static Optional<String> header(HttpResponse<String> response, String name) {
    return response.headers().firstValue(name);
  }
}
