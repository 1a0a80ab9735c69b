package dev.tidemark.lab.service;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.tidemark.example.orderhistory.local.Await;
import dev.tidemark.example.orderhistory.local.Http;
import dev.tidemark.example.orderhistory.local.Http.Answer;
import dev.tidemark.example.orderhistory.local.PaymentStub;
import dev.tidemark.lab.orders.SharedServe;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Checkouts over HTTP")
class CheckoutApiTest {
  private static final String ORDER = "{\"consumerId\":\"consumer-1\",\"cents\":2500}";
  private static final String REPLAYED = "Idempotency-Replayed";

  private static Http http(String store) {
    return new Http(SharedServe.on(store).url());
  }

  private static PaymentStub payments(String store) {
    return SharedServe.on(store).payments();
  }

  private static String orderId(HttpResponse<String> answer) {
    return Answer.of(answer).json().get("orderId").asText();
  }

  @ParameterizedTest
  @ValueSource(strings = {"dynamodb", "mongodb"})
  @DisplayName("charge once for a double click: the second answer is the first one replayed")
  void doubleClick(String store) {
    String key = UUID.randomUUID().toString();
    List<CompletableFuture<HttpResponse<String>>> clicks =
        Stream.generate(
                () ->
                    CompletableFuture.supplyAsync(() -> http(store).post("/checkouts", key, ORDER)))
            .limit(2)
            .toList();
    List<HttpResponse<String>> answers = clicks.stream().map(CompletableFuture::join).toList();
    assertEquals(List.of(201, 201), answers.stream().map(HttpResponse::statusCode).toList());
    assertEquals(answers.get(0).body(), answers.get(1).body());
    assertEquals(
        List.of("true"),
        answers.stream()
            .flatMap(answer -> answer.headers().firstValue(REPLAYED).stream())
            .toList());
    String orderId = orderId(answers.get(0));
    Map<String, Integer> effects = new TreeMap<>();
    for (String kind : List.of("reservations", PaymentStub.CHARGE, "confirmations")) {
      effects.put(kind, payments(store).effects(kind).getOrDefault(orderId, 0));
    }
    assertEquals(Map.of("reservations", 1, "charges", 1, "confirmations", 1), effects);
    assertEquals("1", http(store).get("/api/lab/charges?orderId=" + orderId).text());
  }

  @ParameterizedTest
  @ValueSource(strings = {"dynamodb", "mongodb"})
  @DisplayName("go on where the provider's answer was lost, when they are asked for again")
  void lostAnswer(String store) {
    String key = UUID.randomUUID().toString();
    payments(store).loseNextAnswer();
    HttpResponse<String> first = http(store).post("/checkouts", key, ORDER);
    assertEquals(503, first.statusCode());
    assertEquals(Optional.of("1"), first.headers().firstValue("Retry-After"));
    HttpResponse<String> again = http(store).post("/checkouts", key, ORDER);
    assertEquals(201, again.statusCode(), again.body());
    String orderId = orderId(again);
    assertEquals(1, payments(store).effects("reservations").get(orderId));
    assertEquals(1, payments(store).effects(PaymentStub.CHARGE).get(orderId));
  }

  @ParameterizedTest
  @ValueSource(strings = {"dynamodb", "mongodb"})
  @DisplayName("are completed where nobody asks for them again")
  void abandoned(String store) {
    payments(store).loseNextAnswer();
    assertEquals(
        503, http(store).post("/checkouts", UUID.randomUUID().toString(), ORDER).statusCode());
    Await.until(
        "every order that was reserved is confirmed",
        () ->
            payments(store)
                .effects("reservations")
                .equals(payments(store).effects("confirmations")));
  }

  @ParameterizedTest
  @ValueSource(strings = {"dynamodb", "mongodb"})
  @DisplayName("refuse a request without a key, and a key that came with another request")
  void refused(String store) {
    String key = UUID.randomUUID().toString();
    assertEquals(400, http(store).post("/checkouts").status());
    assertEquals(201, http(store).post("/checkouts", key, ORDER).statusCode());
    String other = ORDER.replace("2500", "2600");
    assertEquals(422, http(store).post("/checkouts", key, other).statusCode());
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.5", "0.9", "-1", "\"many\""})
  @DisplayName("are refused, and charge nothing, where the amount is no whole number of cents")
  void amount(String cents) {
    String order = "{\"consumerId\":\"consumer-1\",\"cents\":" + cents + "}";
    HttpResponse<String> answer =
        http("dynamodb").post("/checkouts", UUID.randomUUID().toString(), order);
    assertEquals(400, answer.statusCode(), answer::body);
  }
}
