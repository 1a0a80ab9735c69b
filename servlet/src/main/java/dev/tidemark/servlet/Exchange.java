package dev.tidemark.servlet;

import dev.tidemark.TidemarkException;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Steps;
import dev.tidemark.execution.Work;
import dev.tidemark.intake.StoreFaults;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/** The rest of the chain as the work of one key. */
final class Exchange implements Work<StoredResponse, RuntimeException> {
  /** After which a client may try again where nobody knows better. */
  static final Duration SOON = Duration.ofSeconds(1);

  /** Under which the work's steps stand in the request. */
  static final String STEPS = Steps.class.getName();

  /** Under which a request is marked that must not begin, since it would go on asynchronously. */
  static final String ASYNCHRONOUS = Exchange.class.getName() + ".asynchronous";

  private final BufferedRequest request;
  private final CapturedResponse response;
  private final FilterChain chain;
  private final IntPredicate stored;
  private final ReplayedHeaders headers;
  private boolean begun;
  private boolean answered;
  private @Nullable Unstored parked;

  Exchange(
      BufferedRequest request,
      CapturedResponse response,
      FilterChain chain,
      IntPredicate stored,
      ReplayedHeaders headers) {
    this.request = request;
    this.response = response;
    this.chain = chain;
    this.stored = stored;
    this.headers = headers;
  }

  /** Gives null for a key that has to wait for a person. */
  @Override
  @SuppressWarnings("NullAway") // executions park a key whose work gives nothing
  public StoredResponse run(Steps steps) {
    begun = true;
    request.setAttribute(STEPS, steps);
    try {
      return respond();
    } catch (Unstored e) {
      if (request.isExceeded()) { // it may have acted, and would act and fail each time
        parked = e;
        return null;
      }
      throw e;
    } finally {
      request.removeAttribute(STEPS);
    }
  }

  private StoredResponse respond() {
    try {
      chain.doFilter(request, response);
    } catch (IOException | ServletException | RuntimeException e) {
      throw new Unstored(e);
    }
    if (request.getAttribute(ASYNCHRONOUS) != null) {
      response.replaceBy(Problem.ASYNCHRONOUS);
      throw new Unstored(null);
    }
    boolean isTooLarge = response.isTooLarge();
    if (isTooLarge) {
      request.getServletContext().log("a response was longer than maxResponseBytes");
    }
    boolean isGood = response.getStatus() < 400; // whose caller has to be told what is lost
    if (!stored.test(response.getStatus()) && !(isTooLarge && isGood)) {
      throw new Unstored(null);
    }
    if (isTooLarge) { // it has acted, so that the key must not be free again
      response.replaceBy(Problem.RESPONSE_TOO_LARGE);
    }
    StoredResponse result = response.captured(headers);
    answered = true;
    return result;
  }

  /** Whether the store is at fault, and the same request may find it well again. */
  static boolean isPassing(RuntimeException error) {
    return error instanceof TidemarkException fault
        ? fault.isRetryable()
        : StoreFaults.anyOutage(error);
  }

  boolean hasBegun() {
    return begun;
  }

  /** What came of the work where its key waits for a person. */
  @Nullable Unstored parked() {
    return parked;
  }

  /** Whether there is a response that should have been stored. */
  boolean hasAnswered() {
    return answered;
  }

  /** Answers a request that did not run to its end here. */
  static void answer(
      Execution<StoredResponse> execution, HttpServletResponse response, Problem inProgress)
      throws IOException {
    if (execution instanceof Execution.Replayed<StoredResponse> replayed) {
      replayed.value().replay(response);
    } else if (execution instanceof Execution.InProgress<StoredResponse> busy) {
      inProgress.send(response, busy.retryAfter());
    } else if (execution instanceof Execution.KeyReused) {
      Problem.REUSED.send(response);
    } else if (execution instanceof Execution.InDoubt) {
      Problem.IN_DOUBT.send(response);
    } else if (execution instanceof Execution.LostOwnership) {
      Problem.IN_PROGRESS.send(response, SOON);
    } else if (execution instanceof Execution.NotStarted) {
      Problem.UNAVAILABLE.send(response, SOON);
    } else {
      throw new IllegalStateException(
          "a failure is stored under the request's key; the scope of an IdempotencyFilter must not"
              + " be used by anything else");
    }
  }

  /**
   * Leaves the key free: what the chain threw, or nothing if its response is not to be stored. An
   * Error, so that executions that store failures do not store it.
   */
  static final class Unstored extends Error {
    private static final long serialVersionUID = 1L;

    Unstored(@Nullable Exception thrown) {
      super(null, thrown, true, false);
    }

    /** Throws what the chain threw, if it did. */
    void rethrow() throws IOException, ServletException {
      Throwable thrown = getCause();
      if (thrown == null) {
        return;
      }
      for (Throwable suppressed : getSuppressed()) {
        thrown.addSuppressed(suppressed);
      }
      if (thrown instanceof IOException e) {
        throw e;
      }
      if (thrown instanceof ServletException e) {
        throw e;
      }
      throw (RuntimeException) thrown;
    }
  }
}
