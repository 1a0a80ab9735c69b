package dev.tidemark.example.orderhistory.checkout;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The payment provider, over HTTP. It has idempotency keys of its own: the same request with the
 * same key has its effect once. Safe for use by many threads.
 */
public final class Payments {
  private static final Duration PATIENCE = Duration.ofSeconds(2);
  private static final JsonMapper JSON = JsonMapper.builder().build();

  private final HttpClient client = HttpClient.newBuilder().connectTimeout(PATIENCE).build();
  private final String url;

  /**
   * A provider.
   *
   * @param url where it is, without a slash at the end
   */
  public Payments(String url) {
    this.url = url;
  }

  String reserve(String key, String orderId, long cents) {
    return post("reservations", key, Map.of("orderId", orderId, "cents", cents));
  }

  String charge(String key, String orderId, String reservation, long cents) {
    Map<String, Object> charge =
        Map.of("orderId", orderId, "reservation", reservation, "cents", cents);
    return post("charges", key, charge);
  }

  void confirm(String key, String orderId, String charge) {
    var unused = post("confirmations", key, Map.of("orderId", orderId, "charge", charge));
  }

  /** Has an effect, and gives the provider's id of it. */
  private String post(String effect, String key, Map<String, Object> body) {
    try {
      HttpRequest request =
          HttpRequest.newBuilder(URI.create(url + "/" + effect))
              .timeout(PATIENCE)
              .header("Content-Type", "application/json")
              .header("Idempotency-Key", key)
              .POST(BodyPublishers.ofByteArray(JSON.writeValueAsBytes(body)))
              .build();
      HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
      JsonNode id = response.statusCode() == 201 ? JSON.readTree(response.body()).get("id") : null;
      if (id == null) {
        String answer = "the provider answered " + response.statusCode() + " to " + effect;
        throw new Unavailable(answer, null);
      }
      return id.asText();
    } catch (IOException e) {
      throw new Unavailable("the provider did not answer to " + effect, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new Unavailable("the service is stopping", e);
    }
  }

  /** Whether the effect happened is not known; it may be asked for again by the same key. */
  public static final class Unavailable extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Unavailable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }
  }
}
