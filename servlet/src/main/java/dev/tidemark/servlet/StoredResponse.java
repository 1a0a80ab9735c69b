package dev.tidemark.servlet;

import dev.tidemark.execution.MapperIndependent;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A response as it is stored. Its components' names, and its own, are in the records.
 *
 * @param status of HTTP
 * @param error whether the status was sent as an error, whose body the server's error page makes
 * @param message of the error
 * @param contentType with its charset
 * @param headers those that are replayed
 * @param redirect where to, as the work named it; the server and filters in front make the rest
 * @param body in Base64
 */
record StoredResponse(
    int status,
    Boolean error,
    @Nullable String message,
    @Nullable String contentType,
    Map<String, List<String>> headers,
    @Nullable String redirect,
    String body)
    implements MapperIndependent {
  private static final String REPLAYED = "Idempotency-Replayed";

  /** What is left for all but the body: servers take less than that for headers. */
  private static final int REST = 1 << 16;

  /** The least bound of a body, which each of the filter's own answers is shorter than. */
  static final int LEAST = 1024;

  /** Puts back what a mapper leaves out that writes no empty values, or no defaults. */
  StoredResponse {
    error = Boolean.TRUE.equals(error);
    headers = Objects.requireNonNullElse(headers, Map.of());
    body = Objects.requireNonNullElse(body, "");
  }

  /**
   * How long a body may be.
   *
   * @param given null for 10 MiB, or what there is room for
   * @param text how many bytes one text may have
   * @throws IllegalArgumentException if there is no room for what was given, or for {@link #LEAST}
   */
  static int mostBytes(@Nullable Integer given, int text) {
    int room = Math.max(0, text - REST) / 4 * 3; // in Base64
    if (room < LEAST) {
      throw new IllegalArgumentException(
          ("the mapper of the executions reads texts of %d bytes at most, which has no room for"
                  + " responses; give a mapper whose StreamReadConstraints allow %d or more")
              .formatted(text, REST + (LEAST + 2) / 3 * 4));
    }
    int most = given == null ? Math.min(room, 10 << 20) : given;
    if (most > room) {
      throw new IllegalArgumentException(
          ("maxResponseBytes must be at most %d, since the mapper of the executions reads texts of"
                  + " %d bytes at most, was %d; give a mapper whose StreamReadConstraints allow"
                  + " longer ones")
              .formatted(room, text, most));
    }
    return most;
  }

  /**
   * Answers a later request as the first was answered. The stored headers are those that the work
   * has set, in place of what filters before this one have set for the later request.
   */
  void replay(HttpServletResponse response) throws IOException {
    headers.forEach(
        (name, values) -> {
          response.setHeader(name, values.get(0));
          values.subList(1, values.size()).forEach(value -> response.addHeader(name, value));
        });
    response.setHeader(REPLAYED, "true");
    if (contentType != null) {
      response.setContentType(contentType);
    }
    if (error) {
      sendError(response, status, message);
      return;
    }
    if (redirect != null) {
      sendRedirect(response, redirect);
      return;
    }
    response.setStatus(status);
    byte[] bytes = Base64.getDecoder().decode(body);
    if (bytes.length > 0) {
      response.setContentLength(bytes.length);
      response.getOutputStream().write(bytes);
    }
  }

  static void sendError(HttpServletResponse response, int status, @Nullable String message)
      throws IOException {
    if (message == null) {
      response.sendError(status);
    } else {
      response.sendError(status, message);
    }
  }

  /**
   * A location that the server, or a filter in front, refuses is sent as it is, since the work has
   * acted.
   */
  static void sendRedirect(HttpServletResponse response, String location) throws IOException {
    try {
      response.sendRedirect(location);
    } catch (RuntimeException e) {
      if (response.isCommitted()) {
        throw e;
      }
      response.setStatus(HttpServletResponse.SC_FOUND);
      response.setHeader(SentResponse.LOCATION, location);
    }
  }

  /** Leaves out everything but the status. */
  @Override
  public String toString() {
    return "StoredResponse[status=" + status + "]";
  }
}
