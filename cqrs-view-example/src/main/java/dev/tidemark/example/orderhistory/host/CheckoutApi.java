package dev.tidemark.example.orderhistory.host;

import static org.springframework.http.HttpStatus.SERVICE_UNAVAILABLE;

import dev.tidemark.TidemarkException;
import dev.tidemark.example.orderhistory.checkout.Checkout;
import dev.tidemark.example.orderhistory.checkout.Checkouts;
import dev.tidemark.example.orderhistory.checkout.Payments;
import dev.tidemark.example.orderhistory.checkout.Receipt;
import dev.tidemark.execution.Execution;
import dev.tidemark.servlet.IdempotencyFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.Valid;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/**
 * Checkouts over HTTP. A request with the same {@code Idempotency-Key} is answered as the first
 * was; the order that it pays for is told by its key.
 */
@RestController
@ConditionalOnExpression("!environment.getProperty('PAYMENTS_URL', '').isEmpty()")
record CheckoutApi(Checkouts checkouts) {
  @PostMapping("/checkouts")
  @ResponseStatus(HttpStatus.CREATED)
  Receipt checkout(@Valid @RequestBody Checkout checkout, HttpServletRequest request) {
    String orderId = IdempotencyFilter.steps(request).orElseThrow().downstreamKey("order");
    return run(orderId, checkout).result().orElseThrow(() -> unfinished(null));
  }

  private Execution<Receipt> run(String orderId, Checkout checkout) {
    try {
      return checkouts.run(orderId, checkout);
    } catch (Payments.Unavailable e) {
      throw unfinished(e);
    } catch (TidemarkException e) {
      throw e.isRetryable() ? unfinished(e) : e;
    }
  }

  /** The checkout has begun, perhaps, and goes on without the caller, who may ask again. */
  private static Problem unfinished(@Nullable Throwable cause) {
    String detail = "the checkout is not finished yet";
    return new Problem(SERVICE_UNAVAILABLE, "checkout-unfinished", detail, cause);
  }
}
