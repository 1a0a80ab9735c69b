package dev.tidemark.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** What the filter answers by itself, as {@code application/problem+json} (RFC 9457). */
enum Problem {
  MISSING(
      400,
      "idempotency-key-missing",
      "Idempotency-Key is missing",
      "This operation needs the header Idempotency-Key: a string that is new for each operation and"
          + " the same whenever one is sent again."),
  MALFORMED(
      400,
      "idempotency-key-malformed",
      "Idempotency-Key is malformed",
      "The header Idempotency-Key has to be one string of 1 to 255 printable ASCII characters, in"
          + " double quotes, without parameters."),
  NO_TENANT(
      401,
      "idempotency-key-of-nobody",
      "The request names nobody",
      "A request with an Idempotency-Key has to be authenticated, since each client has keys of its"
          + " own. Nothing was done."),
  IN_PROGRESS(
      409,
      "idempotency-key-in-progress",
      "A request with this Idempotency-Key is in progress",
      "Send the same request again later: it is then answered as the first was."),
  GAVE_UP(
      504,
      "idempotency-key-in-progress",
      "A request with this Idempotency-Key is in progress",
      "It was waited for, and has not ended. Send the same request again later: it is then answered"
          + " as the first was."),
  IN_DOUBT(
      409,
      "idempotency-key-in-doubt",
      "A request with this Idempotency-Key may have acted",
      "The first request ended without an answer. Somebody has to look whether it has acted before"
          + " it can be answered."),
  REUSED(
      422,
      "idempotency-key-reused",
      "Idempotency-Key is already used",
      "The key came with another request before: another method, path, query, content type or body."
          + " Use a new key for a new request."),
  TOO_LARGE(
      413,
      "idempotent-request-too-large",
      "The request is too large",
      "The body of a request with an Idempotency-Key is limited on this server."),
  MULTIPART(
      415,
      "idempotent-request-multipart",
      "The request is multipart",
      "A request with an Idempotency-Key cannot be multipart. Nothing was done."),
  ASYNCHRONOUS(
      501,
      "idempotent-request-asynchronous",
      "The operation is asynchronous",
      "This operation cannot have an Idempotency-Key on this server. Nothing was done."),
  RESPONSE_TOO_LARGE(
      500,
      "idempotent-response-too-large",
      "The response is too large",
      "The request was carried out, but its response is longer than this server keeps. Sending it"
          + " again changes nothing."),
  UNAVAILABLE(
      503,
      "idempotency-key-unavailable",
      "Idempotency keys are unavailable",
      "Nothing was done. Send the same request again later.");

  private final int status;
  private final String name;
  private final String title;
  private final String detail;

  Problem(int status, String name, String title, String detail) {
    this.status = status;
    this.name = name;
    this.title = title;
    this.detail = detail;
  }

  String json() {
    return String.format(
        Locale.ROOT,
        "{\"type\":\"tag:tidemark.dev,2026:%s\",\"title\":\"%s\",\"status\":%d,\"detail\":\"%s\"}",
        name,
        title,
        status,
        detail);
  }

  /**
   * Answers a request that was not read to its end, and closes a connection whose next bytes are
   * not those of a request.
   */
  void refuse(HttpServletRequest request, HttpServletResponse response, int maxBodyBytes)
      throws IOException {
    if (!BufferedRequest.drain(request, maxBodyBytes)
        && request.getProtocol().startsWith("HTTP/1.")) {
      response.setHeader("Connection", "close");
    }
    send(response);
  }

  void send(HttpServletResponse response) throws IOException {
    send(response, null);
  }

  /** Answers, and says after how many seconds, rounded up, another try makes sense. */
  void send(HttpServletResponse response, @Nullable Duration retryAfter) throws IOException {
    if (retryAfter != null) {
      long seconds = retryAfter.plusNanos(999_999_999).toSeconds();
      response.setHeader("Retry-After", Long.toString(Math.max(1, seconds)));
    }
    byte[] body = json().getBytes(StandardCharsets.UTF_8);
    response.setStatus(status);
    response.setContentType("application/problem+json");
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }
}
