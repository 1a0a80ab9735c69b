package dev.tidemark.servlet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import dev.tidemark.execution.Executions;
import dev.tidemark.store.Answer;
import dev.tidemark.store.ConditionalWrite;
import dev.tidemark.store.StoredRecord;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Responses that are stored, and others")
class StoredResponsesTest extends FilterScene {
  @ParameterizedTest
  @DisplayName("leave the key free where the answer asks to come again")
  @ValueSource(ints = {401, 407, 408, 425, 429, 500, 503})
  void notStored(int status) {
    Server.Action recovering =
        (request, response) -> {
          if (effects.get() == 0) {
            effects.incrementAndGet();
            response.setStatus(status);
            response.getWriter().print("not now");
          } else {
            order(request, response);
          }
        };
    try (Server server = server(recovering, filter())) {
      HttpResponse<String> first = server.send(server.post("/orders", "7").header(KEY, "k1"));
      HttpResponse<String> second = server.send(server.post("/orders", "7").header(KEY, "k1"));
      HttpResponse<String> third = server.send(server.post("/orders", "7").header(KEY, "k1"));
      assertEquals(status, first.statusCode());
      assertEquals("not now", first.body());
      assertEquals("{\"order\":2,\"of\":7}", second.body());
      assertEquals(second.body(), third.body());
    }
  }

  @Test
  @DisplayName("leave the key to a person where the work began, and asked to go on asynchronously")
  void asynchronous() {
    Server.Action starting =
        (request, response) -> {
          effects.incrementAndGet();
          request.startAsync();
        };
    Server.Action handling = // as a framework with a handler of exceptions
        (request, response) -> {
          effects.incrementAndGet();
          assertTrue(request.isAsyncSupported());
          assertThrows(IllegalStateException.class, () -> request.startAsync(request, response));
          response.sendError(500);
        };
    for (Server.Action action : List.of(starting, handling)) {
      String key = "k" + effects.get();
      int before = effects.get();
      try (Server server = server(action, filter())) {
        HttpResponse<String> first = server.send(server.post("/orders", "7").header(KEY, key));
        HttpResponse<String> second = server.send(server.post("/orders", "7").header(KEY, key));
        HttpResponse<String> third = server.send(server.post("/orders", "7").header(KEY, key));
        assertEquals(500, first.statusCode());
        assertProblem(409, "idempotency-key-in-doubt", second);
        assertProblem(409, "idempotency-key-in-doubt", third);
        assertEquals(before + 1, effects.get());
      }
    }
  }

  @Test
  @DisplayName("are those of a servlet that goes on at once since it cannot asynchronously")
  void synchronous() {
    Filter refusing =
        (request, response, chain) ->
            chain.doFilter(
                new HttpServletRequestWrapper((HttpServletRequest) request) {
                  @Override
                  public boolean isAsyncSupported() {
                    return false;
                  }
                },
                response);
    Server.Action action =
        (request, response) -> {
          assertFalse(request.isAsyncSupported());
          order(request, response);
          if (request.getQueryString() != null) { // as Spring, which asks once it has acted
            throw new IllegalStateException("asynchronous requests need support");
          }
        };
    try (Server server = server(action, refusing, filter())) {
      for (int i = 0; i < 2; i++) {
        assertEquals(201, server.send(server.post("/orders", "7").header(KEY, "k1")).statusCode());
      }
      server.send(server.post("/orders?fails=1", "7").header(KEY, "k2"));
      assertProblem(
          409,
          "idempotency-key-in-doubt",
          server.send(server.post("/orders?fails=1", "7").header(KEY, "k2")));
      assertEquals(2, effects.get());
    }
  }

  @Test
  @DisplayName("leave the key free where a framework refused before the work to go on later")
  void refusedAsynchronous() {
    Server.Action refusing =
        (request, response) -> {
          if (!IdempotencyFilter.refuseAsynchronous(request) || request.getQueryString() != null) {
            order(request, response);
          }
        };
    IdempotencyFilter storing = with(settings -> settings.storing(status -> true).keysOptional());
    try (Server server = server(refusing, storing)) {
      for (String path : new String[] {"/orders", "/orders", "/orders?answered=1"}) {
        HttpResponse<String> answer =
            server.send(server.post(path, "7").header(KEY, "k" + path.length()));
        assertProblem(501, "idempotent-request-asynchronous", answer);
      }
      assertEquals(201, server.send(server.post("/orders", "7")).statusCode());
      assertEquals(2, effects.get());
    }
  }

  @Test
  @DisplayName("leave the key free where the servlet fails")
  void exception() {
    Server.Action failing =
        (request, response) -> {
          if (effects.getAndIncrement() == 0) {
            throw new IllegalStateException("broken");
          }
          order(request, response);
        };
    try (Server server = server(failing, filter())) {
      assertEquals(500, server.send(server.post("/orders", "7").header(KEY, "k1")).statusCode());
      assertEquals(201, server.send(server.post("/orders", "7").header(KEY, "k1")).statusCode());
    }
  }

  @Test
  @DisplayName("leave the key free also where the executions store every exception")
  void executionsThatStore() {
    Server.Action recovering =
        (request, response) -> {
          switch (effects.incrementAndGet()) {
            case 1 -> response.setStatus(503);
            case 2 -> throw new IllegalStateException("broken");
            default -> response.setStatus(201);
          }
        };
    Executions storing =
        Executions.builder("checkout", records).storing(Exception.class, e -> "failed").build();
    try (Server server =
        server(recovering, IdempotencyFilter.builder(storing).sharedKeys().build())) {
      for (int status : new int[] {503, 500, 201, 201}) {
        assertEquals(
            status, server.send(server.post("/orders", "7").header(KEY, "k1")).statusCode());
      }
      assertEquals(3, effects.get());
    }
  }

  @ParameterizedTest
  @DisplayName("are answered alike where the first was refused for good")
  @ValueSource(ints = {400, 402, 404, 409})
  void refused(int status) {
    Server.Action refusing =
        (request, response) -> {
          effects.incrementAndGet();
          response.getWriter().print("never seen");
          response.sendError(status, "no");
        };
    try (Server server = server(refusing, filter())) {
      HttpResponse<String> first = server.send(server.post("/orders", "7").header(KEY, "k1"));
      HttpResponse<String> again = server.send(server.post("/orders", "7").header(KEY, "k1"));
      assertEquals(status, first.statusCode());
      assertFalse(first.body().contains("never seen"));
      assertEquals(status, again.statusCode());
      assertEquals(first.body(), again.body()); // the server's error page, made anew
      assertEquals(Optional.of("true"), header(again, "Idempotency-Replayed"));
      assertEquals(1, effects.get());
    }
  }

  @Test
  @DisplayName("are a problem where they are too large, and the request is not carried out again")
  void tooLarge() {
    Server.Action lengthy =
        (request, response) -> {
          effects.incrementAndGet();
          response.setHeader("Location", "/orders/1");
          response.setContentType("text/plain;charset=UTF-8");
          int length = request.getContentLength() == 1 ? 1024 : 1025;
          response.getWriter().print("x".repeat(length));
        };
    try (Server server = server(lengthy, with(settings -> settings.maxResponseBytes(1024)))) {
      HttpResponse<String> first = server.send(server.post("/orders", "12").header(KEY, "k1"));
      HttpResponse<String> again = server.send(server.post("/orders", "12").header(KEY, "k1"));
      HttpResponse<String> fitting = server.send(server.post("/orders", "1").header(KEY, "k2"));
      assertProblem(500, "idempotent-response-too-large", first);
      assertEquals(Optional.empty(), header(first, "Location"));
      assertEquals(500, again.statusCode());
      assertEquals(first.body(), again.body());
      assertEquals(Optional.of("true"), header(again, "Idempotency-Replayed"));
      assertEquals(1024, fitting.body().length());
      assertEquals(2, effects.get());
    }
  }

  @Test
  @DisplayName("leave the key free where the answer asks to come again, however long it is")
  void tooLargeNotStored() {
    Server.Action recovering =
        (request, response) -> {
          if (effects.incrementAndGet() == 1) {
            response.setStatus(503);
            response.setHeader("Retry-After", "7");
            response.setContentLength(1025);
            response.getWriter().print("x".repeat(1025));
          }
        };
    try (Server server = server(recovering, with(settings -> settings.maxResponseBytes(1024)))) {
      HttpResponse<String> first = server.send(server.post("/orders", "7").header(KEY, "k1"));
      assertEquals(503, first.statusCode());
      assertEquals(Optional.of("7"), header(first, "Retry-After"));
      assertEquals("", first.body());
      assertEquals(200, server.send(server.post("/orders", "7").header(KEY, "k1")).statusCode());
      assertEquals(2, effects.get());
    }
  }

  @Test
  @DisplayName("one that was good and is too large is a problem, though its status is not stored")
  void tooLargeAndGood() {
    Server.Action lengthy =
        (request, response) -> {
          effects.incrementAndGet();
          response.getWriter().print("x".repeat(1025));
        };
    try (Server server =
        server(
            lengthy,
            with(settings -> settings.maxResponseBytes(1024).storing(status -> status == 201)))) {
      HttpResponse<String> first = server.send(server.post("/orders", "7").header(KEY, "k1"));
      assertProblem(500, "idempotent-response-too-large", first);
      assertEquals(500, server.send(server.post("/orders", "7").header(KEY, "k1")).statusCode());
      assertEquals(1, effects.get());
    }
  }

  @Test
  @DisplayName("are answered alike whatever the mapper of the executions leaves out")
  void mappers() {
    for (JsonInclude.Include included : JsonInclude.Include.values()) {
      if (included != JsonInclude.Include.CUSTOM) {
        mapper(included);
      }
    }
  }

  @Test
  @DisplayName("are answered alike however strict or strange the mapper of the executions is")
  void strictMappers() {
    mapper("features", strict());
    mapper("names", strict().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE));
    SimpleModule texts = new SimpleModule();
    texts.addSerializer(String.class, ToStringSerializer.instance);
    texts.addDeserializer(
        String.class,
        new StdScalarDeserializer<String>(String.class) {
          private static final long serialVersionUID = 1L;

          @Override
          public String deserialize(JsonParser from, DeserializationContext context)
              throws IOException {
            return from.getText().toUpperCase(Locale.ROOT);
          }
        });
    mapper("texts", strict().registerModule(texts));
    mapper("root", strict().enable(SerializationFeature.WRAP_ROOT_VALUE));
    mapper("fields", strict().setVisibility(PropertyAccessor.ALL, Visibility.NONE));
    mapper(
        "annotations",
        JsonMapper.builder()
            .annotationIntrospector(AnnotationIntrospector.nopInstance())
            .disable(MapperFeature.AUTO_DETECT_CREATORS)
            .build());
  }

  /** Each feature by which a mapper refuses more. */
  private static ObjectMapper strict() {
    ObjectMapper mapper = new ObjectMapper();
    for (DeserializationFeature feature : DeserializationFeature.values()) {
      if (feature.name().startsWith("FAIL_ON")) {
        mapper.enable(feature);
      }
    }
    return mapper;
  }

  @Test
  @DisplayName("are replayed where an earlier version stored them by the mapper of the executions")
  void earlier() {
    ObjectMapper mapper =
        new ObjectMapper().setPropertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE);
    Executions executions = Executions.builder("earlier", records).mapper(mapper).build();
    Server.Action answering =
        (request, response) -> {
          effects.incrementAndGet();
          response.setStatus(204);
          if (request.getRequestURI().equals("/text")) {
            response.setStatus(201);
            response.setContentType("text/plain;charset=UTF-8");
            response.getWriter().print("text");
          }
        };
    UnaryOperator<String> named = json -> json.replace("\"contentType\":", "\"content_type\":");
    UnaryOperator<String> brief = // as a mapper writes that leaves out what is empty
        json ->
            json.replace("\"error\":false,", "")
                .replace(",\"headers\":{}", "")
                .replace(",\"body\":\"\"", "")
                .replace(",\"message\":null", "")
                .replace(",\"redirect\":null", "")
                .replace(",\"contentType\":null", "");
    try (Server server =
        server(answering, IdempotencyFilter.builder(executions).sharedKeys().build())) {
      for (String path : List.of("/text", "/nothing")) {
        HttpResponse<String> first = server.send(server.post(path, "7").header(KEY, path));
        storeAsBefore(path, path.equals("/text") ? named : brief);
        HttpResponse<String> again = server.send(server.post(path, "7").header(KEY, path));
        assertEquals(Optional.of("true"), header(again, "Idempotency-Replayed"));
        assertEquals(first.statusCode(), again.statusCode());
        assertEquals(header(first, "Content-Type"), header(again, "Content-Type"));
        assertEquals(first.body(), again.body());
      }
      assertEquals(2, effects.get());
    }
  }

  /** Gives the record of a key another text, which has to differ. */
  private void storeAsBefore(String path, UnaryOperator<String> text) {
    String key =
        records.list("", null, 10).stream()
            .filter(each -> each.endsWith(path.substring(1)))
            .findFirst()
            .orElseThrow();
    StoredRecord found = records.read(key).orElseThrow();
    Map<?, ?> result = (Map<?, ?>) Objects.requireNonNull(found.fields().get("result"));
    Object type = Objects.requireNonNull(result.get("type"));
    String json = (String) Objects.requireNonNull(result.get("json"));
    assertNotEquals(json, text.apply(json));
    Map<String, Object> before = new HashMap<>(found.fields());
    before.put(StoredRecord.REVISION, "before");
    before.put("result", Map.of("type", type, "json", text.apply(json)));
    assertInstanceOf(
        Answer.Written.class,
        records.write(ConditionalWrite.replace(key, found.revision(), before)));
  }

  private void mapper(JsonInclude.Include included) {
    mapper(
        included.name(),
        new ObjectMapper()
            .setDefaultPropertyInclusion(included)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES));
  }

  private void mapper(String name, ObjectMapper mapper) {
    Server.Action answering =
        (request, response) -> {
          effects.incrementAndGet();
          switch (request.getRequestURI()) {
            case "/nothing" -> response.setStatus(204);
            case "/created" -> {
              response.setStatus(201);
              response.setHeader("Location", "/orders/1");
            }
            case "/refused" -> response.sendError(404);
            default -> response.getWriter().print("text");
          }
        };
    Executions executions = Executions.builder(name, records).mapper(mapper).build();
    effects.set(0);
    try (Server server =
        server(answering, IdempotencyFilter.builder(executions).sharedKeys().build())) {
      for (String path : List.of("/nothing", "/created", "/refused", "/text")) {
        HttpResponse<String> first = server.send(server.post(path, "7").header(KEY, path));
        HttpResponse<String> again = server.send(server.post(path, "7").header(KEY, path));
        assertEquals(Optional.of("true"), header(again, "Idempotency-Replayed"), name + path);
        assertEquals(first.statusCode(), again.statusCode());
        assertEquals(first.body(), again.body());
        assertEquals(header(first, "Location"), header(again, "Location"));
      }
      assertEquals(4, effects.get());
    }
  }

  @Test
  @DisplayName("are as long as the mapper of the executions reads, and a longer bound is refused")
  void bounds() {
    StreamReadConstraints.Builder text = StreamReadConstraints.builder().maxStringLength(100_000);
    StreamReadConstraints.Builder both = StreamReadConstraints.builder().maxStringLength(100_000);
    StreamReadConstraints.Builder all = StreamReadConstraints.builder().maxDocumentLength(100_000);
    for (var constraints : List.of(text, both.maxDocumentLength(1_000_000), all)) {
      bounded(JsonFactory.builder().streamReadConstraints(constraints.build()).build());
    }
    int tooLong = 20 << 20; // for the mapper that executions have by themselves
    assertThrows(
        IllegalArgumentException.class, () -> with(settings -> settings.maxResponseBytes(tooLong)));
  }

  private void bounded(JsonFactory factory) {
    int most = 25_848; // in Base64, beside 64 KiB for the rest
    Server.Action answering =
        (request, response) -> {
          effects.incrementAndGet();
          response.getWriter().print("x".repeat(request.getContentLength() + most - 1));
        };
    effects.set(0);
    Executions executions =
        Executions.builder("scope" + factory.hashCode(), records)
            .mapper(new ObjectMapper(factory))
            .build();
    IdempotencyFilter.Builder settings = IdempotencyFilter.builder(executions).sharedKeys();
    try (Server server = server(answering, settings.build())) {
      for (String body : List.of("1", "1", "12", "12")) {
        HttpResponse<String> answer = server.send(server.post("/orders", body).header(KEY, body));
        assertEquals(body.equals("1") ? 200 : 500, answer.statusCode());
        assertTrue(answer.body().startsWith(body.equals("1") ? "xx" : "{\"type\":"));
      }
      assertEquals(2, effects.get());
    }
    assertEquals(
        "maxResponseBytes must be at most 25848, since the mapper of the executions reads texts of"
            + " 100000 bytes at most, was 25849; give a mapper whose StreamReadConstraints allow"
            + " longer ones",
        assertThrows(
                IllegalArgumentException.class, () -> settings.maxResponseBytes(most + 1).build())
            .getMessage());
    assertNotNull(settings.maxResponseBytes(most).build());
  }

  @Test
  @DisplayName("need a mapper that has room for each of the filter's own answers")
  void shortTexts() {
    for (int text : List.of(50_000, 66_903, 66_904)) {
      StreamReadConstraints texts = StreamReadConstraints.builder().maxStringLength(text).build();
      JsonFactory factory = JsonFactory.builder().streamReadConstraints(texts).build();
      Executions executions =
          Executions.builder("scope" + text, records).mapper(new ObjectMapper(factory)).build();
      IdempotencyFilter.Builder settings = IdempotencyFilter.builder(executions).sharedKeys();
      if (text == 66_904) {
        assertNotNull(settings.maxResponseBytes(1024).build());
      } else {
        assertEquals(
            "the mapper of the executions reads texts of %d bytes at most, which has no room for responses; give a mapper whose StreamReadConstraints allow 66904 or more"
                .formatted(text),
            assertThrows(IllegalArgumentException.class, settings::build).getMessage());
      }
    }
    for (Problem problem : Problem.values()) {
      assertTrue(problem.json().length() < 1024, problem.name());
    }
  }

  @Test
  @DisplayName("store which answers they are told to")
  void storing() {
    Server.Action failing =
        (request, response) -> response.sendError(500 + effects.incrementAndGet());
    try (Server server =
        server(failing, with(settings -> settings.storing(status -> status == 502)))) {
      for (int status : new int[] {501, 502, 502}) {
        assertEquals(
            status, server.send(server.post("/orders", "7").header(KEY, "k1")).statusCode());
      }
    }
  }
}
