package dev.tidemark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.assertj.AssertableWebApplicationContext;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.context.request.async.WebAsyncTask;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurationSupport;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

@DisplayName("Controllers of Spring MVC behind the filter of idempotency keys")
class AsynchronousControllersTest {
  /** Paths under /payments. */
  private static final String[] ASYNCHRONOUS = {
    "future",
    "stage",
    "deferred",
    "callable",
    "task",
    "emitter",
    "sse",
    "streaming",
    "mono",
    "flux",
    "entity-future",
    "future-entity",
    "entity-emitter",
    "entity-streaming",
    "entity-mono",
    "inherited"
  };

  private static WebApplicationContextRunner application(WebApplicationContextRunner runner) {
    return runner
        .withPropertyValues("tidemark.idempotency.shared-keys=true")
        .withBean(Payments.class)
        .withBean(Inheriting.class);
  }

  @Test
  @DisplayName("are refused before they act where what they return tells that they go on later")
  void refused() {
    for (Class<?> mvc : List.of(BootsMvc.class, EnabledMvc.class, OwnMvc.class)) {
      refused(mvc);
    }
  }

  private static void refused(Class<?> mvc) {
    for (WebApplicationContextRunner server : Web.everywhere()) {
      application(server)
          .withBean(Lenient.class)
          .withUserConfiguration(mvc)
          .run(
              context -> {
                AtomicInteger effects = context.getBean(Payments.class).effects;
                for (String path : ASYNCHRONOUS) {
                  for (int i = 0; i < 3; i++) {
                    HttpResponse<String> answer = pay(context, path);
                    assertThat(effects).as("%s, %s", mvc, path).hasValue(0);
                    assertThat(answer.statusCode()).as(path).isEqualTo(501);
                    assertThat(answer.body()).contains("idempotent-request-asynchronous");
                  }
                }
              });
    }
  }

  @Test
  @DisplayName("act once, and wait for a person, where that shows only in what they have returned")
  void parked() {
    for (WebApplicationContextRunner server : Web.everywhere()) {
      application(server)
          .run(
              context -> {
                assertThat(pay(context, "hidden").statusCode()).isEqualTo(500);
                for (int i = 0; i < 2; i++) {
                  HttpResponse<String> answer = pay(context, "hidden");
                  assertThat(answer.statusCode()).isEqualTo(409);
                  assertThat(answer.body()).contains("idempotency-key-in-doubt");
                }
                assertThat(context.getBean(Payments.class).effects).hasValue(1);
              });
    }
  }

  @Test
  @DisplayName("act once, and are answered alike, where they return what they have")
  void synchronous() {
    for (WebApplicationContextRunner server : Web.everywhere()) {
      application(server)
          .run(
              context -> {
                for (int i = 0; i < 3; i++) {
                  HttpResponse<String> answer = pay(context, "plain");
                  assertThat(answer.statusCode()).isEqualTo(200);
                  assertThat(answer.body()).isEqualTo("{\"paid\":1}");
                }
                assertThat(context.getBean(Payments.class).effects).hasValue(1);
              });
    }
  }

  @Test
  @DisplayName("are left alone where the request has no key")
  void withoutKeys() {
    for (WebApplicationContextRunner server : Web.everywhere()) {
      application(server)
          .withBean(IdempotencyFilterCustomizer.class, () -> filter -> filter.keysOptional())
          .run(
              context -> {
                HttpResponse<String> answer = Web.send(Web.keyless(context, "/payments/future"));
                assertThat(answer.body()).isEqualTo("{\"paid\":1}");
              });
    }
  }

  private static HttpResponse<String> pay(AssertableWebApplicationContext context, String path)
      throws Exception {
    return Web.send(Web.post(context, "/payments/" + path).setHeader("Idempotency-Key", path));
  }

  record Paid(int paid) {}

  /** Spring MVC as Boot configures it. */
  @Configuration(proxyBeanMethods = false)
  static class BootsMvc {}

  /** Spring MVC without what Boot configures. */
  @EnableWebMvc
  @Configuration(proxyBeanMethods = false)
  static class EnabledMvc {}

  /** Spring MVC that asks no configurer. */
  @Configuration(proxyBeanMethods = false)
  static class OwnMvc extends WebMvcConfigurationSupport {}

  @RestController
  static class Payments {
    final AtomicInteger effects = new AtomicInteger();

    private Paid pay() {
      return new Paid(effects.incrementAndGet());
    }

    @PostMapping("/payments/plain")
    Paid plain() {
      return pay();
    }

    @PostMapping("/payments/hidden")
    @SuppressWarnings("FutureReturnValueIgnored") // Spring MVC takes it
    Object hidden() {
      return CompletableFuture.completedFuture(pay());
    }

    @PostMapping("/payments/future")
    CompletableFuture<Paid> future() {
      return CompletableFuture.completedFuture(pay());
    }

    @PostMapping("/payments/stage")
    CompletionStage<Paid> stage() {
      return CompletableFuture.completedFuture(pay());
    }

    @PostMapping("/payments/deferred")
    DeferredResult<Paid> deferred() {
      DeferredResult<Paid> result = new DeferredResult<>();
      result.setResult(pay());
      return result;
    }

    @PostMapping("/payments/callable")
    Callable<Paid> callable() {
      Paid paid = pay();
      return () -> paid;
    }

    @PostMapping("/payments/task")
    WebAsyncTask<Paid> task() {
      Paid paid = pay();
      return new WebAsyncTask<>(() -> paid);
    }

    @PostMapping("/payments/emitter")
    ResponseBodyEmitter emitter() {
      pay();
      return new ResponseBodyEmitter();
    }

    @PostMapping("/payments/sse")
    SseEmitter sse() {
      pay();
      return new SseEmitter();
    }

    @PostMapping("/payments/streaming")
    StreamingResponseBody streaming() {
      pay();
      return body -> body.write('7');
    }

    @PostMapping("/payments/mono")
    Mono<Paid> mono() {
      return Mono.just(pay());
    }

    @PostMapping(path = "/payments/flux", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    Flux<Paid> flux() {
      return Flux.just(pay());
    }

    @PostMapping("/payments/entity-future")
    CompletableFuture<ResponseEntity<Paid>> entityOfFuture() {
      return CompletableFuture.completedFuture(ResponseEntity.ok(pay()));
    }

    @PostMapping("/payments/future-entity")
    ResponseEntity<CompletableFuture<Paid>> futureInEntity() {
      return ResponseEntity.ok(CompletableFuture.completedFuture(pay()));
    }

    @PostMapping("/payments/entity-emitter")
    ResponseEntity<SseEmitter> entityOfEmitter() {
      pay();
      return ResponseEntity.ok(new SseEmitter());
    }

    @PostMapping("/payments/entity-streaming")
    ResponseEntity<StreamingResponseBody> entityOfStreaming() {
      pay();
      return ResponseEntity.ok(body -> body.write('7'));
    }

    @PostMapping("/payments/entity-mono")
    ResponseEntity<Mono<Paid>> entityOfMono() {
      return ResponseEntity.ok(Mono.just(pay()));
    }
  }

  abstract static class Generic<T> {
    @PostMapping("/payments/inherited")
    abstract T inherited();
  }

  @RestController
  static class Inheriting extends Generic<CompletionStage<Paid>> {
    private final Payments payments;

    Inheriting(Payments payments) {
      this.payments = payments;
    }

    @Override
    CompletionStage<Paid> inherited() {
      return payments.future();
    }
  }

  /** Answers whatever was thrown by a status that is stored. */
  @RestControllerAdvice
  static class Lenient {
    @ExceptionHandler(Exception.class)
    ResponseEntity<String> all() {
      return ResponseEntity.badRequest().body("no");
    }
  }
}
