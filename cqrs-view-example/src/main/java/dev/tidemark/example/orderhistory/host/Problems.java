package dev.tidemark.example.orderhistory.host;

import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/**
 * Errors as problem details (RFC 9457). One that a caller can mend has the {@code name} and {@code
 * value} of what is wrong; one of the service tells nothing of its inside.
 */
@RestControllerAdvice
final class Problems extends ResponseEntityExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);
  private static final String RETRY_SECONDS = "1";

  @ExceptionHandler
  ResponseEntity<ProblemDetail> bad(BadParameter fault) {
    return problem(HttpStatus.BAD_REQUEST, "bad-parameter", fault, fault.name(), fault.value());
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> absent(OrderApi.NoSuchOrder fault) {
    return problem(HttpStatus.NOT_FOUND, "no-such-order", fault, "orderId", fault.id());
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> early(OrderApi.NotYet fault) {
    return problem(HttpStatus.CONFLICT, "not-yet", fault, "notBefore", fault.notBefore());
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> tooMany(LiveUpdates.TooManyStreams fault) {
    String text = String.valueOf(fault.getMessage());
    return answer(detail(HttpStatus.TOO_MANY_REQUESTS, "too-many-streams", text), true);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> unfinished(CheckoutApi.Unfinished fault) {
    Throwable cause = fault.getCause();
    LOG.atWarn()
        .addKeyValue("fault", cause == null ? "none" : cause.getClass().getSimpleName())
        .log("a checkout was asked for and is not finished");
    String text = String.valueOf(fault.getMessage());
    return answer(detail(HttpStatus.SERVICE_UNAVAILABLE, "checkout-unfinished", text), true);
  }

  private static ResponseEntity<ProblemDetail> problem(
      HttpStatus status, String type, RuntimeException fault, String name, String value) {
    ProblemDetail problem = detail(status, type, String.valueOf(fault.getMessage()));
    problem.setProperty("name", name);
    problem.setProperty("value", value);
    return answer(problem, status == HttpStatus.CONFLICT);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> away(StoreUnavailable fault) {
    Throwable cause = fault.getCause();
    LOG.atWarn()
        .addKeyValue("fault", cause == null ? "none" : cause.getClass().getSimpleName())
        .log("a request found that {}", fault.getMessage());
    return answer(
        detail(HttpStatus.SERVICE_UNAVAILABLE, "store-unavailable", "the store does not answer"),
        true);
  }

  @ExceptionHandler
  ResponseEntity<ProblemDetail> unexpected(RuntimeException fault) {
    LOG.atError()
        .addKeyValue("fault", fault.getClass().getSimpleName())
        .addKeyValue("at", fault.getStackTrace().length == 0 ? "" : fault.getStackTrace()[0])
        .log("a request failed");
    return answer(
        detail(HttpStatus.INTERNAL_SERVER_ERROR, "unexpected", "the service failed"), false);
  }

  private static ProblemDetail detail(HttpStatus status, String type, String text) {
    ProblemDetail problem = ProblemDetail.forStatusAndDetail(status, text);
    problem.setType(URI.create("/problems/" + type));
    return problem;
  }

  private static ResponseEntity<ProblemDetail> answer(ProblemDetail problem, boolean again) {
    HttpHeaders headers = new HttpHeaders();
    headers.setCacheControl("no-store");
    if (again) {
      headers.set(HttpHeaders.RETRY_AFTER, RETRY_SECONDS);
    }
    return ResponseEntity.status(problem.getStatus()).headers(headers).body(problem);
  }
}
