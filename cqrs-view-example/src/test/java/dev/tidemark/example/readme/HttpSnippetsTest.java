package dev.tidemark.example.readme;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.execution.Doubt;
import dev.tidemark.execution.ExecutionRecords;
import dev.tidemark.execution.Executions;
import dev.tidemark.servlet.IdempotencyFilter;
import dev.tidemark.tck.MemoryExecutionRecords;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.EnableWebMvc;

@DisplayName("The snippets about idempotency keys over HTTP")
class HttpSnippetsTest {
  private final HttpClient client = HttpClient.newHttpClient();

  /** What the shop asks for. */
  record Checkout(String cart, int cents) {}

  /** What it answers. */
  record Receipt(String charge) {}

  /** A payment provider that has idempotency keys of its own. */
  static final class Payments {
    private final Map<String, String> charges = new HashMap<>();

    synchronized String charge(String idempotencyKey, int cents) {
      return charges.computeIfAbsent(
          idempotencyKey, any -> "charge-" + (charges.size() + 1) + "-of-" + cents);
    }
  }

  /** The controller. */
  @RestController
  static class Checkouts {
    private final Payments payments;

    Checkouts(Payments payments) {
      this.payments = payments;
    }

    // snippet: execution-http-steps
    @PostMapping("/checkouts")
    ResponseEntity<Receipt> checkout(@RequestBody Checkout order, HttpServletRequest request) {
      String charge =
          IdempotencyFilter.steps(request)
              .orElseThrow()
              .step(
                  "charge",
                  String.class,
                  Doubt.retry(), // the provider knows this key, and charges once
                  downstreamKey -> payments.charge(downstreamKey, order.cents()));
      return ResponseEntity.created(URI.create("/receipts/" + charge)).body(new Receipt(charge));
    }
    // end
  }

  /** The application. */
  @Configuration(proxyBeanMethods = false)
  @EnableWebMvc
  static class Shop {
    @Bean
    TomcatServletWebServerFactory server() {
      return new TomcatServletWebServerFactory(0);
    }

    @Bean
    DispatcherServlet dispatcherServlet() {
      return new DispatcherServlet();
    }

    @Bean
    Payments payments() {
      return new Payments();
    }

    @Bean
    Checkouts controller(Payments payments) {
      return new Checkouts(payments);
    }

    @Bean
    ExecutionRecords records() {
      return new MemoryExecutionRecords(Clock.systemUTC());
    }

    /** Takes everybody for whom they say they are. */
    @Bean
    FilterRegistrationBean<Filter> login() {
      FilterRegistrationBean<Filter> login =
          new FilterRegistrationBean<>(
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
              });
      login.setOrder(Ordered.HIGHEST_PRECEDENCE);
      return login;
    }

    // snippet: execution-http
    @Bean
    FilterRegistrationBean<IdempotencyFilter> idempotency(ExecutionRecords records) {
      IdempotencyFilter filter =
          IdempotencyFilter.builder(Executions.of("http", records)) // a scope of its own
              .tenant(HttpServletRequest::getRemoteUser)
              .build();
      FilterRegistrationBean<IdempotencyFilter> registration = new FilterRegistrationBean<>(filter);
      registration.addUrlPatterns("/checkouts/*");
      return registration;
    }
    // end
  }

  @Test
  @DisplayName("a checkout that comes twice charges once")
  void checkout() throws Exception {
    try (AnnotationConfigServletWebServerApplicationContext shop =
        new AnnotationConfigServletWebServerApplicationContext(Shop.class)) {
      int port = Objects.requireNonNull(shop.getWebServer()).getPort();
      HttpResponse<String> first = checkout(port, "ann");
      HttpResponse<String> again = checkout(port, "ann");
      HttpResponse<String> other = checkout(port, "bob");

      assertEquals(201, first.statusCode());
      assertEquals("{\"charge\":\"charge-1-of-2500\"}", first.body());
      assertEquals(Optional.empty(), first.headers().firstValue("Idempotency-Replayed"));
      assertEquals(201, again.statusCode());
      assertEquals(first.body(), again.body());
      assertEquals(first.headers().firstValue("Location"), again.headers().firstValue("Location"));
      assertEquals(
          first.headers().firstValue("Content-Type"), again.headers().firstValue("Content-Type"));
      assertEquals(Optional.of("true"), again.headers().firstValue("Idempotency-Replayed"));
      assertEquals("{\"charge\":\"charge-2-of-2500\"}", other.body());
    }
  }

  private HttpResponse<String> checkout(int port, String user)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/checkouts"))
            .header("Content-Type", "application/json")
            .header("X-User", user)
            .header("Idempotency-Key", "\"8e03978e-40d5-43dd-bc93-6894a57f9324\"")
            .POST(BodyPublishers.ofString("{\"cart\":\"c1\",\"cents\":2500}"))
            .build();
    return client.send(request, BodyHandlers.ofString());
  }
}
