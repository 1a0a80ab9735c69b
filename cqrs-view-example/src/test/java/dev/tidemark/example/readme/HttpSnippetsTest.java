package dev.tidemark.example.readme;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import dev.tidemark.dynamodb.DynamoDbRecordStore;
import dev.tidemark.example.orderhistory.local.LocalStore;
import dev.tidemark.execution.Doubt;
import dev.tidemark.execution.Executions;
import dev.tidemark.mongodb.MongoRecordStore;
import dev.tidemark.servlet.IdempotencyFilter;
import dev.tidemark.store.RecordStore;
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
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.bson.Document;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import software.amazon.awssdk.services.dynamodb.DynamoDbClient;

@DisplayName("The snippets about idempotency keys over HTTP")
class HttpSnippetsTest {
  /** None of those of the example, and no stores of the tracked classes of other snippets. */
  private static final String[] SETTINGS = {
    "--spring.config.name=shop",
    "--server.port=0",
    "--spring.autoconfigure.exclude=dev.tidemark.spring.TidemarkStoresAutoConfiguration"
  };

  private static final String KEY = "\"8e03978e-40d5-43dd-bc93-6894a57f9324\"";
  private static final String ORDER = "{\"cart\":\"c1\",\"cents\":2500}";

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
  @EnableAutoConfiguration
  static class Shop {
    @Bean
    Payments payments() {
      return new Payments();
    }

    @Bean
    Checkouts controller(Payments payments) {
      return new Checkouts(payments);
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
    FilterRegistrationBean<IdempotencyFilter> idempotency(RecordStore records) {
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

  /** Where it runs on DynamoDB. */
  @Configuration(proxyBeanMethods = false)
  static class OnDynamoDb {
    @Bean
    DynamoDbClient client() {
      DynamoDbClient client = LocalStore.dynamoDb().client();
      DynamoDbRecordStore.createTable(client, "executions");
      return client;
    }

    // snippet: execution-http-dynamodb
    @Bean
    RecordStore recordStore(DynamoDbClient client) {
      return DynamoDbRecordStore.of(client, "executions");
    }
    // end
  }

  /** Where it runs on MongoDB. */
  @Configuration(proxyBeanMethods = false)
  static class OnMongo {
    @Bean
    MongoClient client() {
      return MongoClients.create(LocalStore.mongo().uri());
    }

    // snippet: execution-http-mongodb
    @Bean
    RecordStore recordStore(MongoClient client) {
      MongoCollection<Document> executions = client.getDatabase("shop").getCollection("executions");
      MongoRecordStore.createIndexes(executions); // does nothing where they are there
      return MongoRecordStore.of(executions);
    }
    // end
  }

  @ParameterizedTest
  @ValueSource(classes = {OnDynamoDb.class, OnMongo.class})
  @DisplayName("a checkout that comes twice charges once")
  void checkout(Class<?> store) throws Exception {
    SpringApplication application = new SpringApplication(Shop.class, store);
    try (ConfigurableApplicationContext context = application.run(SETTINGS)) {
      int port =
          Objects.requireNonNull(((WebServerApplicationContext) context).getWebServer()).getPort();
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
      assertEquals(422, checkout(port, "ann", KEY, "{\"cart\":\"c2\",\"cents\":1}").statusCode());
      assertEquals(400, checkout(port, "ann", "", ORDER).statusCode());
    }
  }

  private HttpResponse<String> checkout(int port, String user)
      throws IOException, InterruptedException {
    return checkout(port, user, KEY, ORDER);
  }

  private HttpResponse<String> checkout(int port, String user, String key, String order)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/checkouts"))
            .header("Content-Type", "application/json")
            .header("X-User", user)
            .POST(BodyPublishers.ofString(order));
    if (!key.isEmpty()) {
      request.header("Idempotency-Key", key);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }
}
