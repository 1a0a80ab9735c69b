package dev.tidemark.dynamodb;

import dev.tidemark.tck.Backend;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.http.AbortableInputStream;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;

/**
 * An HTTP client that loses replies after the server has sent them, answers writes by errors of the
 * server, and counts requests. What the SDK sends again is the same request: a busy server may have
 * it done at any time, and a request's cost is what the library asked for.
 */
final class DynamoDbFaults implements SdkHttpClient, Backend.Faults {
  private final SdkHttpClient client;
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicInteger writes = new AtomicInteger();
  private final AtomicInteger attempts = new AtomicInteger();
  private int toPass;
  private int toLose;
  private int toRefuse;
  private int toRefuseOfReads;
  private String error = "";
  private @Nullable Runnable between;
  private boolean inBetween;
  private int toDelay;
  private List<ExecutableHttpRequest> delayed = List.of();
  private Runnable before = () -> {};
  private Runnable after = () -> {};

  DynamoDbFaults(SdkHttpClient client) {
    this.client = client;
  }

  @Override
  public synchronized void loseReplies(int after, int count, Runnable then) {
    toPass = after;
    toLose = count;
    between = then;
  }

  @Override
  public synchronized void delay(int count, Runnable first, Runnable then) {
    toDelay = count;
    before = first;
    after = then;
  }

  @Override
  public void throttle(int count) {
    refuse(count, "ProvisionedThroughputExceededException");
  }

  @Override
  public void conflict(int count) {
    refuse(count, "TransactionConflictException");
  }

  synchronized void refuse(int count, String code) {
    toRefuse = count;
    error = code;
  }

  /** Answers the next reads with the store's throttling error. */
  synchronized void throttleReads(int count) {
    toRefuseOfReads = count;
  }

  private synchronized Optional<String> refusalOfRead() {
    return toRefuseOfReads-- > 0
        ? Optional.of("ProvisionedThroughputExceededException")
        : Optional.empty();
  }

  @Override
  public synchronized void heal() {
    toPass = 0;
    toLose = 0;
    toRefuse = 0;
    toRefuseOfReads = 0;
    toDelay = 0;
    delayed = List.of();
    between = null;
  }

  int reads() {
    return reads.get();
  }

  int writes() {
    return writes.get();
  }

  /** How many attempts the SDK has made for all requests. */
  int attempts() {
    return attempts.get();
  }

  private synchronized boolean loses() {
    if (inBetween || toPass-- > 0) {
      return false;
    }
    return toLose-- > 0;
  }

  private synchronized Optional<String> refusal() {
    boolean refuses = !inBetween && toRefuse-- > 0;
    return refuses ? Optional.of(error) : Optional.empty();
  }

  private void afterFirstLoss() {
    Runnable action;
    synchronized (this) {
      action = between;
      between = null;
    }
    if (action != null) {
      spared(action);
    }
  }

  /** Keeps a write back; or carries out those that were, before the one that is here. */
  private void delay(ExecutableHttpRequest write) throws IOException {
    List<ExecutableHttpRequest> late;
    synchronized (this) {
      if (inBetween) {
        return;
      }
      late = delayed;
      delayed = List.of();
      if (toDelay > 0) {
        toDelay--;
        delayed = Stream.concat(late.stream(), Stream.of(write)).toList();
        throw new IOException("the request is late on purpose");
      }
    }
    if (!late.isEmpty()) {
      spared(before);
      for (ExecutableHttpRequest request : late) {
        request.call().responseBody().ifPresent(AbortableInputStream::abort);
      }
      spared(after);
    }
  }

  private void spared(Runnable action) {
    synchronized (this) {
      inBetween = true;
    }
    try {
      action.run();
    } finally {
      synchronized (this) {
        inBetween = false;
      }
    }
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    String target = request.httpRequest().firstMatchingHeader("X-Amz-Target").orElse("");
    boolean write =
        target.matches(".*\\.((Update|Put|Delete|TransactWrite)Items?|BatchExecuteStatement)");
    String attempt = request.httpRequest().firstMatchingHeader("amz-sdk-request").orElseThrow();
    boolean first = attempt.startsWith("attempt=1;");
    ExecutableHttpRequest real = client.prepareRequest(request);
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        attempts.incrementAndGet();
        if (first) {
          (write ? writes : reads).incrementAndGet();
        }
        Optional<String> refusal = write ? refusal() : refusalOfRead();
        if (refusal.isPresent()) {
          return answer(refusal.get());
        }
        if (write) {
          delay(real);
        }
        HttpExecuteResponse response = real.call();
        if (write && loses()) {
          response.responseBody().ifPresent(AbortableInputStream::abort);
          afterFirstLoss();
          throw new IOException("the reply was lost on purpose");
        }
        return response;
      }

      @Override
      public void abort() {
        real.abort();
      }
    };
  }

  static HttpExecuteResponse answer(String code) {
    String json = "{\"__type\":\"com.amazonaws.dynamodb.v20120810#" + code + "\",\"message\":\"\"}";
    byte[] body = json.getBytes(StandardCharsets.UTF_8);
    return HttpExecuteResponse.builder()
        .response(
            SdkHttpResponse.builder()
                .statusCode(code.equals("InternalServerError") ? 500 : 400)
                .putHeader("Content-Type", "application/x-amz-json-1.0")
                .putHeader("Content-Length", Integer.toString(body.length))
                .build())
        .responseBody(AbortableInputStream.create(new ByteArrayInputStream(body)))
        .build();
  }

  @Override
  public void close() {
    client.close();
  }
}
