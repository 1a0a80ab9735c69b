package dev.tidemark.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.execution.Executions;
import dev.tidemark.execution.Steps;
import jakarta.servlet.Filter;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.lang.reflect.Proxy;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Requests with an Idempotency-Key")
class IdempotencyFilterTest extends FilterScene {
  @Test
  @DisplayName("run once, and are answered alike when they come again")
  void replay() {
    try (Server server = server(this::order, filter())) {
      HttpResponse<String> first =
          server.send(server.post("/orders?shop=1", "7").header(KEY, "\"k1\""));
      HttpResponse<String> again =
          server.send(server.post("/orders?shop=1", "7").header(KEY, "\"k1\""));

      assertEquals(201, first.statusCode());
      assertEquals("{\"order\":1,\"of\":7}", first.body());
      assertEquals(Optional.empty(), header(first, "Idempotency-Replayed"));
      assertEquals(Optional.of("session=s1"), header(first, "Set-Cookie"));
      assertEquals(201, again.statusCode());
      assertEquals(first.body(), again.body());
      assertEquals(Optional.of("true"), header(again, "Idempotency-Replayed"));
      assertEquals(header(first, "Content-Type"), header(again, "Content-Type"));
      assertEquals(Optional.of("/orders/1"), header(again, "Location"));
      assertEquals(Optional.empty(), header(again, "Set-Cookie"));
      assertEquals(Optional.empty(), header(again, "X-Trace"));
      assertEquals(1, effects.get());
    }
  }

  @Test
  @DisplayName("are the same in whatever session their path names, and with none")
  void sessions() {
    try (Server server = server(this::order, filter())) {
      server.send(server.post("/orders;v=1;jsessionid=A.n1?shop=1", "7").header(KEY, "k1"));
      for (String path :
          List.of(
              "/orders;v=1;JSESSIONID=B?shop=1",
              "/orders;v=1?shop=1",
              "/orders;jsessionid=C;v=1?shop=1")) {
        assertEquals(201, server.send(server.post(path, "7").header(KEY, "k1")).statusCode(), path);
      }
      for (String path :
          List.of("/orders;v=2?shop=1", "/orders?shop=1", "/orders;v=1?shop=1;jsessionid=A")) {
        assertEquals(422, server.send(server.post(path, "7").header(KEY, "k1")).statusCode(), path);
      }
      assertEquals(1, effects.get());
    }
  }

  @Test
  @DisplayName("replay the headers that are asked for")
  void headers() {
    try (Server server =
        server(this::order, with(settings -> settings.replayingHeaders("x-trace")))) {
      server.send(server.post("/orders", "7").header(KEY, "k1"));
      HttpResponse<String> again = server.send(server.post("/orders", "7").header(KEY, "k1"));
      assertEquals(Optional.of("t1"), header(again, "X-Trace"));
      assertEquals(Optional.empty(), header(again, "Location"));
    }
  }

  @Test
  @DisplayName("replay headers in place of what filters before it have set by then")
  void headersOfOthers() {
    Filter before =
        (request, response, chain) -> {
          HttpServletResponse http = (HttpServletResponse) response;
          http.setHeader("Content-Language", "en");
          http.addHeader("Vary", "Origin");
          chain.doFilter(request, response);
        };
    Server.Action action =
        (request, response) -> {
          response.addHeader("Vary", "Accept");
          order(request, response);
        };
    IdempotencyFilter filter =
        with(settings -> settings.replayingHeaders("Content-Language", "Vary"));
    try (Server server = server(action, before, filter)) {
      for (int i = 0; i < 2; i++) {
        HttpResponse<String> answer = server.send(server.post("/orders", "7").header(KEY, "k1"));
        assertEquals(List.of("en"), answer.headers().allValues("Content-Language"));
        assertEquals(List.of("Origin", "Accept"), answer.headers().allValues("Vary"));
      }
      assertEquals(1, effects.get());
    }
  }

  /** Names an encoding where the client takes it, before the work or when it knows the type. */
  private static Filter encoding(boolean late) {
    return (request, response, chain) -> {
      HttpServletResponse http = (HttpServletResponse) response;
      String accepted = ((HttpServletRequest) request).getHeader("Accept-Encoding");
      if (accepted != null && !late) {
        http.setHeader("Content-Encoding", accepted);
      }
      chain.doFilter(
          request,
          new HttpServletResponseWrapper(http) {
            @Override
            public void setContentType(String type) {
              super.setContentType(type);
              if (accepted != null) {
                super.setHeader("Content-Encoding", accepted);
              }
            }
          });
    };
  }

  @Test
  @DisplayName("replay no encoding that a filter before it has given the first answer")
  void encodings() {
    for (boolean late : new boolean[] {false, true}) {
      String key = "k" + late;
      try (Server server = server(this::order, encoding(late), filter())) {
        HttpResponse<String> first =
            server.send(
                server.post("/orders", "7").header(KEY, key).header("Accept-Encoding", "x-own"));
        HttpResponse<String> again = server.send(server.post("/orders", "7").header(KEY, key));
        assertEquals(Optional.of("x-own"), header(first, "Content-Encoding"));
        assertEquals(Optional.of("true"), header(again, "Idempotency-Replayed"));
        assertEquals(Optional.empty(), header(again, "Content-Encoding"));
      }
    }
  }

  @Test
  @DisplayName("do not replay what a filter before has set, though what has no effect sets it, too")
  void languages() {
    Filter speaking =
        (request, response, chain) -> {
          String language = ((HttpServletRequest) request).getHeader("Accept-Language");
          ((HttpServletResponse) response).setHeader("Content-Language", language);
          chain.doFilter(request, response);
        };
    Server.Action including =
        (request, response) -> {
          response.addHeader("Content-Language", null);
          if (request.getAttribute(RequestDispatcher.INCLUDE_REQUEST_URI) == null) {
            request.getRequestDispatcher("/part").include(request, response);
          } else {
            response.setHeader("Content-Language", "en");
          }
        };
    try (Server server = server(including, speaking, filter())) {
      for (String language : List.of("de", "fr")) {
        HttpResponse<String> answer =
            server.send(
                server.post("/orders", "7").header(KEY, "k1").header("Accept-Language", language));
        assertEquals(Optional.of(language), header(answer, "Content-Language"));
      }
    }
  }

  /** Lets the origin that asks read the answer. */
  private static void allow(HttpServletRequest request, HttpServletResponse response) {
    response.setHeader("Access-Control-Allow-Origin", request.getHeader("Origin"));
  }

  @Test
  @DisplayName("tell no origin that another one may read the answer, and the log who told it")
  void origins() {
    List<String> logged = new CopyOnWriteArrayList<>();
    Filter logging =
        (request, response, chain) -> chain.doFilter(logged(request, logged), response);
    Filter before =
        (request, response, chain) -> {
          allow((HttpServletRequest) request, (HttpServletResponse) response);
          chain.doFilter(request, response);
        };
    Server.Action allowing =
        (request, response) -> {
          allow(request, response);
          order(request, response);
        };
    try (Server server = server(allowing, logging, filter())) {
      for (String key : List.of("k1", "k2")) {
        HttpResponse<String> first =
            server.send(server.post("/orders", "7").header(KEY, key).header("Origin", "http://a"));
        HttpResponse<String> again =
            server.send(server.post("/orders", "7").header(KEY, key).header("Origin", "http://b"));
        assertEquals(Optional.of("http://a"), header(first, "Access-Control-Allow-Origin"));
        assertEquals(Optional.of("true"), header(again, "Idempotency-Replayed"));
        assertEquals(Optional.empty(), header(again, "Access-Control-Allow-Origin"));
      }
      assertEquals(1, logged.size(), logged.toString());
      assertTrue(logged.get(0).contains("CorsFilter"));
    }
    try (Server server = server(this::order, logging, before, filter())) {
      for (String body : List.of("7", "8")) { // replayed, and refused
        HttpResponse<String> again =
            server.send(
                server.post("/orders", body).header(KEY, "k1").header("Origin", "http://b"));
        assertEquals(body.equals("7") ? 201 : 422, again.statusCode());
        assertEquals(Optional.of("http://b"), header(again, "Access-Control-Allow-Origin"));
      }
      assertEquals(1, logged.size());
    }
  }

  static HttpServletRequest logged(ServletRequest request, List<String> lines) {
    ServletContext context = request.getServletContext();
    ServletContext noting =
        (ServletContext)
            Proxy.newProxyInstance(
                IdempotencyFilterTest.class.getClassLoader(),
                new Class<?>[] {ServletContext.class},
                (proxy, method, arguments) ->
                    method.getName().equals("log")
                        ? lines.add((String) arguments[0])
                        : method.invoke(context, arguments));
    return new HttpServletRequestWrapper((HttpServletRequest) request) {
      @Override
      public ServletContext getServletContext() {
        return noting;
      }
    };
  }

  @Test
  @DisplayName("refuse to replay what depends on who asks, or on a connection")
  void headersOfOne() {
    for (String name : List.of("access-control-allow-origin", "Connection", "content-length")) {
      assertThrows(
          IllegalArgumentException.class, () -> with(settings -> settings.replayingHeaders(name)));
    }
  }

  @Test
  @DisplayName("have one key, with its quotes or without")
  void quotes() {
    try (Server server = server(this::order, filter())) {
      server.send(server.post("/orders", "7").header(KEY, "8e03978e-40d5-43dd-bc93-6894a57f9324"));
      HttpResponse<String> again =
          server.send(
              server
                  .post("/orders", "7")
                  .header(KEY, " \"8e03978e-40d5-43dd-bc93-6894a57f9324\" "));
      assertEquals(Optional.of("true"), header(again, "Idempotency-Replayed"));
    }
  }

  @Test
  @DisplayName("have quotes around keys with other characters than the page names")
  void charactersInQuotes() {
    String bare = "aZ09!#$%&'*+-.^_`|~:/=";
    List<String> quoted = List.of("{", "}", "@", ",", ";", "(", ")", "?", "[", "]", "<", ">", " ");
    try (Server server = server(this::order, filter())) {
      assertEquals(201, server.send(server.post("/orders", "7").header(KEY, bare)).statusCode());
      for (String one : quoted) {
        String key = "a" + one + "b";
        assertEquals(400, server.send(server.post("/orders", "7").header(KEY, key)).statusCode());
        assertEquals(
            201,
            server.send(server.post("/orders", "7").header(KEY, '"' + key + '"')).statusCode());
      }
    }
  }

  @Test
  @DisplayName("are told to come again while the first is in progress, and then get its answer")
  void inProgress() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Server.Action slow =
        (request, response) -> {
          running.countDown();
          end.await();
          order(request, response);
        };
    try (Server server = server(slow, filter())) {
      CompletableFuture<HttpResponse<String>> first =
          CompletableFuture.supplyAsync(
              () -> server.send(server.post("/orders", "7").header(KEY, "k1")));
      running.await();
      clock.move(Duration.ofSeconds(30));
      HttpResponse<String> early = server.send(server.post("/orders", "7").header(KEY, "k1"));
      end.countDown();
      assertEquals(201, first.get().statusCode());
      HttpResponse<String> later = server.send(server.post("/orders", "7").header(KEY, "k1"));

      assertProblem(409, "idempotency-key-in-progress", early);
      // half of a minute's lease, 10 seconds for clocks that differ, and a moment, rounded up
      assertEquals(Optional.of("41"), header(early, "Retry-After"));
      assertEquals(first.get().body(), later.body());
      assertEquals(1, effects.get());
    }
  }

  @Test
  @DisplayName("are answered 504 where they waited, by option")
  void gaveUp() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    Server.Action slow =
        (request, response) -> {
          running.countDown();
          end.await();
          order(request, response);
        };
    Executions waiting =
        Executions.builder("checkout", records).waitingUpTo(Duration.ofMillis(1)).build();
    IdempotencyFilter filter =
        IdempotencyFilter.builder(waiting).sharedKeys().gatewayTimeoutAfterWaiting().build();
    try (Server server = server(slow, filter)) {
      CompletableFuture<HttpResponse<String>> first =
          CompletableFuture.supplyAsync(
              () -> server.send(server.post("/orders", "7").header(KEY, "k1")));
      running.await();
      HttpResponse<String> waited = server.send(server.post("/orders", "7").header(KEY, "k1"));
      end.countDown();
      assertProblem(504, "idempotency-key-in-progress", waited);
      assertTrue(header(waited, "Retry-After").isPresent());
      assertEquals(201, first.get().statusCode());
    }
  }

  @Test
  @DisplayName("are answered 503 where no time is left for them, and do not run")
  void notStarted() {
    Executions over = Executions.of("checkout", records).within(() -> 0);
    try (Server server =
        server(this::order, IdempotencyFilter.builder(over).sharedKeys().build())) {
      HttpResponse<String> answer = server.send(server.post("/orders", "7").header(KEY, "k1"));
      assertProblem(503, "idempotency-key-unavailable", answer);
      assertTrue(header(answer, "Retry-After").isPresent());
    }
  }

  @Test
  @DisplayName("pass through where the filter does not apply")
  void others() {
    try (Server server = server(this::order, filter())) {
      HttpRequest.Builder put =
          server.post("/orders", "7").method("PUT", BodyPublishers.ofString("7"));
      assertEquals(201, server.send(put).statusCode());
      assertEquals(201, server.send(put).statusCode());
    }
    try (Server server =
        server(
            this::order,
            with(settings -> settings.appliesTo(request -> request.getMethod().equals("PUT"))))) {
      assertEquals(201, server.send(server.post("/orders", "7")).statusCode());
    }
    assertEquals(3, effects.get());
  }

  @Test
  @DisplayName("of one client do not answer those of another")
  void tenants() {
    Filter login =
        (request, response, chain) -> {
          HttpServletRequest http = (HttpServletRequest) request;
          chain.doFilter(
              new HttpServletRequestWrapper(http) {
                @Override
                public String getRemoteUser() {
                  return http.getHeader("X-User");
                }
              },
              response);
        };
    IdempotencyFilter filter = with(settings -> settings.tenant(HttpServletRequest::getRemoteUser));
    try (Server server = server(this::order, login, filter)) {
      HttpResponse<String> ann =
          server.send(server.post("/orders", "7").header(KEY, "k1").header("X-User", "ann"));
      HttpResponse<String> bob =
          server.send(server.post("/orders", "7").header(KEY, "k1").header("X-User", "bob"));
      HttpResponse<String> annAgain =
          server.send(server.post("/orders", "7").header(KEY, "k1").header("X-User", "ann"));
      HttpResponse<String> nobody = server.send(server.post("/orders", "7").header(KEY, "k1"));
      assertEquals("{\"order\":1,\"of\":7}", ann.body());
      assertEquals("{\"order\":2,\"of\":7}", bob.body());
      assertEquals(ann.body(), annAgain.body());
      assertProblem(401, "idempotency-key-of-nobody", nobody);
      assertEquals(2, effects.get());
    }
  }

  @Test
  @DisplayName("belong to clients who are told apart, or share their keys by choice")
  void tenantOrShared() {
    IdempotencyFilter.Builder neither =
        IdempotencyFilter.builder(Executions.of("checkout", records));
    IllegalStateException refused = assertThrows(IllegalStateException.class, neither::build);
    assertTrue(String.valueOf(refused.getMessage()).contains("sharedKeys()"));
    IdempotencyFilter lastSaid =
        with(settings -> settings.sharedKeys().tenant(HttpServletRequest::getRemoteUser));
    try (Server server = server(this::order, lastSaid)) {
      HttpResponse<String> nobody = server.send(server.post("/orders", "7").header(KEY, "k1"));
      assertProblem(401, "idempotency-key-of-nobody", nobody);
      assertEquals(0, effects.get());
    }
  }

  @Test
  @DisplayName("that lost their key while they ran do not answer")
  void lostOwnership() throws Exception {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    AtomicInteger calls = new AtomicInteger();
    Server.Action slowAtFirst =
        (request, response) -> {
          if (calls.getAndIncrement() == 0) {
            response.setHeader("X-Trace", "lost");
            running.countDown();
            end.await();
          }
          order(request, response);
        };
    Filter before =
        (request, response, chain) -> {
          ((HttpServletResponse) response).setHeader("X-Before", "kept");
          chain.doFilter(request, response);
        };
    try (Server server = server(slowAtFirst, before, filter())) {
      CompletableFuture<HttpResponse<String>> first =
          CompletableFuture.supplyAsync(
              () -> server.send(server.post("/orders", "7").header(KEY, "k1")));
      running.await();
      clock.move(Duration.ofSeconds(71));
      HttpResponse<String> second = server.send(server.post("/orders", "7").header(KEY, "k1"));
      end.countDown();
      HttpResponse<String> third = server.send(server.post("/orders", "7").header(KEY, "k1"));

      assertEquals("{\"order\":1,\"of\":7}", second.body());
      assertEquals(second.body(), third.body());
      assertProblem(409, "idempotency-key-in-progress", first.get());
      assertEquals(Optional.of("1"), header(first.get(), "Retry-After"));
      assertEquals(Optional.empty(), header(first.get(), "X-Trace"));
      if (container != Container.UNDERTOW) { // whose reset keeps cookies
        assertEquals(Optional.empty(), header(first.get(), "Set-Cookie"));
      }
      assertEquals(Optional.of("kept"), header(first.get(), "X-Before"));
    }
  }

  @Test
  @DisplayName("hand the steps of their execution to the servlet, and wait for a person by them")
  void steps() {
    Server.Action charging =
        (request, response) -> {
          Steps steps = IdempotencyFilter.steps(request).orElseThrow();
          steps.act(
              "charge",
              downstreamKey -> {
                effects.incrementAndGet();
                throw new IllegalStateException("the line is dead");
              });
        };
    try (Server server = server(charging, filter())) {
      HttpResponse<String> first = server.send(server.post("/orders", "7").header(KEY, "k1"));
      HttpResponse<String> second = server.send(server.post("/orders", "7").header(KEY, "k1"));
      HttpResponse<String> third = server.send(server.post("/orders", "7").header(KEY, "k1"));
      assertEquals(500, first.statusCode());
      assertProblem(409, "idempotency-key-in-doubt", second);
      assertProblem(409, "idempotency-key-in-doubt", third);
      assertEquals(Optional.empty(), header(third, "Retry-After"));
      assertEquals(1, effects.get());
    }
  }

  @Test
  @DisplayName("meet the filter once, though it stands in the chain twice")
  void twice() {
    IdempotencyFilter filter = filter();
    try (Server server = server(this::order, filter, filter)) {
      HttpResponse<String> answer = server.send(server.post("/orders", "7").header(KEY, "k1"));
      assertEquals("{\"order\":1,\"of\":7}", answer.body());
    }
  }
}
