package dev.tidemark.servlet;

import dev.tidemark.MessageId;
import dev.tidemark.execution.Execution;
import dev.tidemark.execution.Executions;
import dev.tidemark.execution.Steps;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Runs requests once per {@code Idempotency-Key}, and answers a request that comes again as the
 * first was answered.
 *
 * <p>It follows the latest text of the header's draft, <a
 * href="https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-idempotency-key-header-07">draft-ietf-httpapi-idempotency-key-header-07</a>,
 * which has lapsed without becoming a standard.
 *
 * <table>
 * <caption>What it answers by itself, as {@code application/problem+json}</caption>
 * <tr><th>status</th><th>where</th></tr>
 * <tr><td>400</td><td>the key is missing or malformed</td></tr>
 * <tr><td>401</td><td>nobody knows whose key it is: the request has no tenant</td></tr>
 * <tr><td>409 with {@code Retry-After}</td><td>the first request is in progress, or another server
 *   took it over; without it where a person has to look</td></tr>
 * <tr><td>413</td><td>the body is too large to be compared</td></tr>
 * <tr><td>415</td><td>the request is multipart; exclude such by {@link Builder#appliesTo}</td></tr>
 * <tr><td>422</td><td>the key came with another request: method, path, query, content type or
 *   body</td></tr>
 * <tr><td>500</td><td>the request was carried out, and its response is too large to be stored</td>
 *   </tr>
 * <tr><td>501</td><td>a framework found before the work that it would be asynchronous</td></tr>
 * <tr><td>503</td><td>the store was throttling or did not answer, before anything was done</td></tr>
 * <tr><td>504</td><td>in place of 409 after a wait, by option</td></tr>
 * </table>
 *
 * <p>Bodies of requests and responses are held in memory. The response is stored before it is sent.
 * If it cannot be stored once the request has acted, it is sent all the same, and the fault goes to
 * the log of the servlet context; the key is in progress until its lease ends. A response of 5xx,
 * and an exception, leave the key free.
 *
 * <p>Asynchronous requests are not supported: exclude them by {@link Builder#appliesTo}. One that
 * asks to go on asynchronously has begun and may have acted, so its key waits for a person unless
 * its response is stored; a framework that knows it before uses {@link #refuseAsynchronous}. Safe
 * for use by many threads.
 */
public final class IdempotencyFilter implements Filter {
  private final Executions executions;
  private final Predicate<? super HttpServletRequest> applies;
  private final @Nullable Function<? super HttpServletRequest, @Nullable String> tenant;
  private final IntPredicate stored;
  private final ReplayedHeaders headers;
  private final int maxBodyBytes;
  private final int maxResponseBytes;
  private final boolean keysOptional;
  private final Problem inProgress;

  private IdempotencyFilter(Builder builder) {
    this.executions = builder.executions;
    this.applies = builder.applies;
    this.tenant = builder.tenant;
    this.stored = builder.stored;
    this.headers = builder.headers;
    this.maxBodyBytes = builder.maxBodyBytes;
    this.maxResponseBytes =
        StoredResponse.mostBytes(builder.maxResponseBytes, executions.maxTextBytes());
    this.keysOptional = builder.keysOptional;
    this.inProgress = builder.inProgress;
  }

  /**
   * With settings of one's own.
   *
   * @param executions run the requests; of a scope that nothing else uses
   * @return a builder
   */
  public static Builder builder(Executions executions) {
    return new Builder(executions);
  }

  /**
   * What runs the requests, whose scope nothing else uses.
   *
   * @return the executions that it was built with
   */
  public Executions executions() {
    return executions;
  }

  /**
   * The steps of a request that this filter runs: recovery points, the fence, keys for others.
   *
   * @param request as a servlet or a controller gets it
   * @return empty if the request has no key
   */
  public static Optional<Steps> steps(ServletRequest request) {
    return Optional.ofNullable((Steps) request.getAttribute(Exchange.STEPS));
  }

  /**
   * Refuses a request that this filter runs, for frameworks that know before the work that it would
   * go on asynchronously: it is answered 501 whatever else is answered, and its key stays free.
   *
   * @param request as a servlet or a controller gets it
   * @return false if the request has no key; after true the work must not begin
   */
  public static boolean refuseAsynchronous(ServletRequest request) {
    boolean runs = steps(request).isPresent();
    if (runs) {
      request.setAttribute(Exchange.ASYNCHRONOUS, true);
    }
    return runs;
  }

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    if (request instanceof HttpServletRequest asked
        && response instanceof HttpServletResponse answer
        && asked.getDispatcherType() == DispatcherType.REQUEST
        && steps(asked).isEmpty() // else it is here for the second time
        && applies.test(asked)) {
      filter(asked, answer, chain);
    } else {
      chain.doFilter(request, response);
    }
  }

  private void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    String key = IdempotencyKey.of(request);
    if (key != null) {
      key = ofTenant(request, key);
      if (key == null) {
        Problem.NO_TENANT.refuse(request, response, maxBodyBytes);
        return;
      }
      if (BufferedRequest.isMultipart(request)) {
        Problem.MULTIPART.refuse(request, response, maxBodyBytes);
        return;
      }
      BufferedRequest buffered = BufferedRequest.read(request, maxBodyBytes);
      if (buffered == null) {
        Problem.TOO_LARGE.refuse(request, response, maxBodyBytes);
      } else {
        run(key, buffered, response, chain);
      }
    } else if (IdempotencyKey.isIn(request)) {
      Problem.MALFORMED.refuse(request, response, maxBodyBytes);
    } else if (keysOptional) {
      chain.doFilter(request, response);
    } else {
      Problem.MISSING.refuse(request, response, maxBodyBytes);
    }
  }

  /** The key as one of its tenant's; null if nobody knows whose it is. */
  private @Nullable String ofTenant(HttpServletRequest request, String key) {
    if (tenant == null) {
      return key;
    }
    String name = tenant.apply(request);
    return name == null || name.isEmpty() ? null : MessageId.of(name, key).value();
  }

  private void run(
      String key, BufferedRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    CapturedResponse captured = new CapturedResponse(request, response, maxResponseBytes);
    Exchange exchange = new Exchange(request, captured, chain, stored, headers);
    Execution<StoredResponse> execution;
    try {
      execution = executions.run(key, request.fingerprint(), StoredResponse.class, exchange);
    } catch (Exchange.Unstored e) {
      e.rethrow();
      captured.send();
      return;
    } catch (RuntimeException e) { // of the store, since the chain's are Unstored
      Exchange.Unstored parked = exchange.parked();
      if (parked != null) {
        request.getServletContext().log("an idempotency key waits for a person", e);
        parked.rethrow();
        captured.send();
        return;
      }
      if (exchange.hasAnswered()) {
        request.getServletContext().log("a response was sent that could not be stored", e);
        captured.send();
        return;
      }
      if (exchange.hasBegun() || !Exchange.isPassing(e)) {
        throw e;
      }
      request.getServletContext().log("an idempotency key could not be claimed", e);
      Problem.UNAVAILABLE.send(response, Exchange.SOON);
      return;
    }
    if (execution instanceof Execution.Executed) {
      headers.tellOfCors(captured, request.getServletContext());
      captured.send();
    } else {
      if (exchange.hasBegun()) {
        captured.discard();
      }
      Exchange.answer(execution, response, inProgress);
    }
  }

  /** Settings of the filter. */
  public static final class Builder {
    private final Executions executions;
    private Predicate<? super HttpServletRequest> applies =
        request -> request.getMethod().equals("POST") || request.getMethod().equals("PATCH");
    private @Nullable Function<? super HttpServletRequest, @Nullable String> tenant;
    private boolean shared;
    private IntPredicate stored = Builder::isFinal;
    private ReplayedHeaders headers =
        ReplayedHeaders.of("Content-Encoding", "Content-Language", "ETag", "Location");
    private int maxBodyBytes = 1 << 20;
    private @Nullable Integer maxResponseBytes;
    private boolean keysOptional;
    private Problem inProgress = Problem.IN_PROGRESS;

    private Builder(Executions executions) {
      this.executions = Objects.requireNonNull(executions, "executions");
    }

    /** Whether another request with the same key and body would be answered alike. */
    private static boolean isFinal(int status) {
      return switch (status) {
        case 401, 407, 408, 425, 429 -> false;
        default -> status < 500;
      };
    }

    /**
     * Which requests have keys; others pass through.
     *
     * @param requests of method POST or PATCH unless given
     * @return this builder
     */
    public Builder appliesTo(Predicate<? super HttpServletRequest> requests) {
      this.applies = Objects.requireNonNull(requests, "requests");
      return this;
    }

    /**
     * Lets requests pass through that have no key, instead of answering 400.
     *
     * @return this builder
     */
    public Builder keysOptional() {
      this.keysOptional = true;
      return this;
    }

    /**
     * Keeps the keys of clients apart, so that a client that knows or guesses another's key is
     * never given the other's response. The filter needs either this or {@link #sharedKeys()}; the
     * later call counts.
     *
     * @param tenant the client's name, such as that of the authenticated user; a request with a key
     *     for which it is null or empty is answered 401, and nothing is done
     * @return this builder
     */
    public Builder tenant(Function<? super HttpServletRequest, @Nullable String> tenant) {
      this.tenant = Objects.requireNonNull(tenant, "tenant");
      this.shared = false;
      return this;
    }

    /**
     * Gives all clients the same keys: whoever knows or guesses a key, and sends the same request,
     * is given the response that another client got. For services that have one client, or whose
     * clients may read each other's responses. The filter needs either this or {@link #tenant}; the
     * later call counts.
     *
     * @return this builder
     */
    public Builder sharedKeys() {
      this.tenant = null;
      this.shared = true;
      return this;
    }

    /**
     * Which responses are stored and replayed; others leave the key free, so that the next request
     * runs.
     *
     * @param statuses those below 500 but 401, 407, 408, 425 and 429, unless given
     * @return this builder
     */
    public Builder storing(IntPredicate statuses) {
      this.stored = Objects.requireNonNull(statuses, "statuses");
      return this;
    }

    /**
     * Which headers are replayed, beside Content-Type, where what stands behind this filter has set
     * them. Leave out what must not come twice, such as Set-Cookie. A replayed header replaces what
     * filters before this one have set under its name.
     *
     * @param names Content-Encoding, Content-Language, ETag and Location unless given
     * @return this builder
     * @throws IllegalArgumentException for a header of CORS, which depends on who asks and is for a
     *     filter before this one to set, and for one of a single connection or message
     */
    public Builder replayingHeaders(String... names) {
      this.headers = ReplayedHeaders.of(names);
      return this;
    }

    /**
     * How long a request's body may be; a longer one is answered 413.
     *
     * @param bytes not negative; 1 MiB unless given
     * @return this builder
     */
    public Builder maxBodyBytes(int bytes) {
      if (bytes < 0 || bytes == Integer.MAX_VALUE) {
        throw new IllegalArgumentException(
            "maxBodyBytes must be from 0 to 2147483646, was " + bytes);
      }
      this.maxBodyBytes = bytes;
      return this;
    }

    /**
     * How long a response's body may be, which is held in memory and stored. In place of a longer
     * one the request is answered 500, now and whenever it comes again: it was carried out, and is
     * not carried out again. So is a longer one below 400 that would not be {@linkplain #storing
     * stored}. A longer one of 400 or more that is not stored leaves the key free, and is sent
     * without its body.
     *
     * @param bytes at least 1,024, at most what {@link Executions#maxTextBytes()} leaves for a body
     *     in Base64; 10 MiB unless given, or less where that is less
     * @return this builder
     */
    public Builder maxResponseBytes(int bytes) {
      if (bytes < StoredResponse.LEAST) {
        throw new IllegalArgumentException(
            "maxResponseBytes must be at least %d, was %d".formatted(StoredResponse.LEAST, bytes));
      }
      this.maxResponseBytes = bytes;
      return this;
    }

    /**
     * Answers 504 instead of 409 where the first request is still in progress: for executions that
     * wait for it ({@code waitingUpTo}).
     *
     * @return this builder
     */
    public Builder gatewayTimeoutAfterWaiting() {
      this.inProgress = Problem.GAVE_UP;
      return this;
    }

    /**
     * Builds it.
     *
     * @return a filter, for dispatches of type REQUEST
     * @throws IllegalStateException unless {@link #tenant} or {@link #sharedKeys()} was called
     * @throws IllegalArgumentException if responses may be longer than the executions store
     */
    public IdempotencyFilter build() {
      if (tenant == null && !shared) {
        throw new IllegalStateException(
            "the IdempotencyFilter has neither a tenant nor shared keys; call tenant(request -> the"
                + " client's name), such as HttpServletRequest::getRemoteUser, or sharedKeys()"
                + " where every client may get every other's response");
      }
      return new IdempotencyFilter(this);
    }
  }
}
