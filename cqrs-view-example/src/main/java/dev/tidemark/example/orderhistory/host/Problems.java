package dev.tidemark.example.orderhistory.host;

import org.apache.tomcat.util.http.InvalidParameterException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.TypeMismatchException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ResponseEntity;
import org.springframework.validation.method.ParameterValidationResult;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.method.annotation.HandlerMethodValidationException;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;

/**
 * Answers faults with a {@link Problem}: of a parameter with its name and value, and of the service
 * with nothing of its inside.
 */
@RestControllerAdvice
final class Problems extends ResponseEntityExceptionHandler {
  private static final Logger LOG = LoggerFactory.getLogger(Problems.class);

  /** A constraint of a parameter does not hold. */
  @Override
  protected @Nullable ResponseEntity<Object> handleHandlerMethodValidationException(
      HandlerMethodValidationException fault,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    ParameterValidationResult wrong = fault.getParameterValidationResults().get(0);
    return answer(
        Problem.badParameter(
            String.valueOf(wrong.getMethodParameter().getParameterName()),
            String.valueOf(wrong.getArgument()),
            String.valueOf(wrong.getResolvableErrors().get(0).getDefaultMessage())),
        request);
  }

  /** A parameter is no number, or {@link ParameterFormats} cannot read it. */
  @Override
  protected @Nullable ResponseEntity<Object> handleTypeMismatch(
      TypeMismatchException fault, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
    Throwable cause = fault.getMostSpecificCause();
    boolean isNumber = cause instanceof NumberFormatException;
    return answer(
        Problem.badParameter(
            String.valueOf(fault.getPropertyName()),
            String.valueOf(fault.getValue()),
            isNumber ? "must be a whole number" : String.valueOf(cause.getMessage())),
        request);
  }

  @Override
  protected @Nullable ResponseEntity<Object> handleErrorResponseException(
      ErrorResponseException fault,
      HttpHeaders headers,
      HttpStatusCode status,
      WebRequest request) {
    Throwable cause = fault.getCause();
    if (cause != null) {
      LOG.atWarn()
          .addKeyValue("fault", cause.getClass().getSimpleName())
          .log("a request was answered: {}", fault.getBody().getDetail());
    }
    return super.handleErrorResponseException(fault, headers, status, request);
  }

  /** The query cannot be decoded, as with a percent sign that stands alone. */
  @ExceptionHandler
  @Nullable ResponseEntity<Object> undecodable(
      InvalidParameterException fault, WebRequest request) {
    String detail = "a parameter is not percent-encoded: write % as %25";
    return answer(new Problem(HttpStatus.BAD_REQUEST, "bad-parameter", detail, null), request);
  }

  @ExceptionHandler
  @Nullable ResponseEntity<Object> unexpected(RuntimeException fault, WebRequest request) {
    LOG.atError()
        .addKeyValue("fault", fault.getClass().getSimpleName())
        .addKeyValue("at", fault.getStackTrace().length == 0 ? "" : fault.getStackTrace()[0])
        .log("a request failed");
    return answer(
        new Problem(HttpStatus.INTERNAL_SERVER_ERROR, "unexpected", "the service failed", null),
        request);
  }

  private @Nullable ResponseEntity<Object> answer(Problem problem, WebRequest request) {
    return handleErrorResponseException(
        problem, problem.getHeaders(), problem.getStatusCode(), request);
  }
}
