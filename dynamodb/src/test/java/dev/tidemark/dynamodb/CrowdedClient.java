package dev.tidemark.dynamodb;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import software.amazon.awssdk.http.ExecutableHttpRequest;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;

/**
 * A connection to a store that throttles what comes while it is at work on a number of requests.
 */
final class CrowdedClient implements SdkHttpClient {
  private final SdkHttpClient real;
  private final int most;
  private final AtomicInteger inFlight = new AtomicInteger();
  private final AtomicInteger peak = new AtomicInteger();
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger throttled = new AtomicInteger();

  CrowdedClient(SdkHttpClient real, int most) {
    this.real = real;
    this.most = most;
  }

  /** Attempts that came, throttled ones too. */
  int sent() {
    return sent.get();
  }

  int throttled() {
    return throttled.get();
  }

  /** The most attempts at a time since it was asked last. */
  int peak() {
    return peak.getAndSet(0);
  }

  @Override
  public ExecutableHttpRequest prepareRequest(HttpExecuteRequest request) {
    ExecutableHttpRequest call = real.prepareRequest(request);
    return new ExecutableHttpRequest() {
      @Override
      public HttpExecuteResponse call() throws IOException {
        sent.incrementAndGet();
        int now = inFlight.incrementAndGet();
        peak.accumulateAndGet(now, Math::max);
        try {
          if (now > most) {
            throttled.incrementAndGet();
            return DynamoDbFaults.answer("ProvisionedThroughputExceededException");
          }
          return call.call();
        } finally {
          inFlight.decrementAndGet();
        }
      }

      @Override
      public void abort() {
        call.abort();
      }
    };
  }

  @Override
  public void close() {
    real.close();
  }
}
