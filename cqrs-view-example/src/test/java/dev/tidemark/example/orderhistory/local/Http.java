package dev.tidemark.example.orderhistory.local;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/** A caller of the service. */
public record Http(String url) {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final JsonMapper JSON = JsonMapper.builder().build();

  /** An answer with its body as JSON; a text where it is none. */
  public record Answer(int status, String type, String text) {
    public static Answer of(HttpResponse<String> answer) {
      String type = answer.headers().firstValue("Content-Type").orElse("");
      return new Answer(answer.statusCode(), type, answer.body());
    }

    public JsonNode json() {
      try {
        return JSON.readTree(text);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  public Answer get(String path) {
    return send(HttpRequest.newBuilder(URI.create(url + path)).build());
  }

  /** Asks for as many answers at once, and does not wait for them. */
  public List<CompletableFuture<Integer>> statuses(String path, int times) {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url + path)).build();
    return Stream.generate(() -> CLIENT.sendAsync(request, BodyHandlers.discarding()))
        .limit(times)
        .map(answer -> answer.thenApply(HttpResponse::statusCode))
        .toList();
  }

  /** Opens a stream through a proxy, for a client of this address. */
  public HttpResponse<Stream<String>> open(String path, String client) {
    return exchange(
        HttpRequest.newBuilder(URI.create(url + path)).header("X-Forwarded-For", client).build(),
        BodyHandlers.ofLines());
  }

  public Answer post(String path) {
    return post(path, url);
  }

  /** As a page of some origin does. */
  public Answer post(String path, String origin) {
    return send(
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Origin", origin)
            .POST(BodyPublishers.noBody())
            .build());
  }

  /** With an idempotency key. */
  public HttpResponse<String> post(String path, String key, String json) {
    return exchange(
        HttpRequest.newBuilder(URI.create(url + path))
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", '"' + key + '"')
            .POST(BodyPublishers.ofString(json))
            .build(),
        BodyHandlers.ofString());
  }

  private static Answer send(HttpRequest request) {
    return Answer.of(exchange(request, BodyHandlers.ofString()));
  }

  /** The lines of a stream of events, for as long as it is read. */
  public Stream<String> lines(String path) {
    return exchange(HttpRequest.newBuilder(URI.create(url + path)).build(), BodyHandlers.ofLines())
        .body();
  }

  /** A header of an answer. */
  public String header(String path, String name) {
    return exchange(
            HttpRequest.newBuilder(URI.create(url + path)).build(), BodyHandlers.discarding())
        .headers()
        .firstValue(name)
        .orElse("");
  }

  private static <T> HttpResponse<T> exchange(
      HttpRequest request, HttpResponse.BodyHandler<T> body) {
    try {
      return CLIENT.send(request, body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
