package dev.tidemark.example.orderhistory.host;

import java.net.URI;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.ErrorResponseException;

/**
 * What a request is answered that cannot be done, as a problem detail (RFC 9457). Its cause may
 * quote values; what callers see does not.
 */
class Problem extends ErrorResponseException {
  private static final long serialVersionUID = 1L;
  private static final int SHOWN = 64;

  /** Those after which a caller may ask again. */
  private static final Set<HttpStatus> PASSING =
      Set.of(HttpStatus.CONFLICT, HttpStatus.TOO_MANY_REQUESTS, HttpStatus.SERVICE_UNAVAILABLE);

  Problem(HttpStatus status, String type, String detail, @Nullable Throwable cause) {
    super(status, ProblemDetail.forStatusAndDetail(status, detail), cause);
    setType(URI.create("/problems/" + type));
    getHeaders().setCacheControl(CacheControl.noStore());
    if (PASSING.contains(status)) {
      getHeaders().set(HttpHeaders.RETRY_AFTER, "1");
    }
  }

  /** One that a caller can mend: tells what is wrong, cut at 64 characters. */
  static Problem of(HttpStatus status, String type, String detail, String name, Object value) {
    String text = value.toString();
    boolean isLong = text.length() > SHOWN;
    int end = isLong && Character.isHighSurrogate(text.charAt(SHOWN - 1)) ? SHOWN - 1 : SHOWN;
    Problem problem = new Problem(status, type, detail, null);
    problem.getBody().setProperty("name", name);
    problem.getBody().setProperty("value", isLong ? text.substring(0, end) + "…" : text);
    return problem;
  }

  static Problem badParameter(String name, Object value, String rule) {
    return of(HttpStatus.BAD_REQUEST, "bad-parameter", name + " " + rule, name, value);
  }
}
