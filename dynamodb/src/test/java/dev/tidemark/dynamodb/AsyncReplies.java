package dev.tidemark.dynamodb;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;

/** An HTTP client that loses the reply of a write after the server has sent it. */
final class AsyncReplies implements SdkAsyncHttpClient {
  private final SdkAsyncHttpClient client;
  private final AtomicReference<Optional<Runnable>> next = new AtomicReference<>(Optional.empty());

  AsyncReplies(SdkAsyncHttpClient client) {
    this.client = client;
  }

  /** Loses the next reply to a write; then, on a thread of its own, something happens. */
  void lose(Runnable between) {
    next.set(Optional.of(between));
  }

  @Override
  public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
    String target = request.request().firstMatchingHeader("X-Amz-Target").orElse("");
    Optional<Runnable> between =
        target.endsWith("UpdateItem") ? next.getAndSet(Optional.empty()) : Optional.empty();
    if (between.isEmpty()) {
      return client.execute(request);
    }
    CompletableFuture<Void> lost = new CompletableFuture<>();
    var unused =
        client.execute(
            AsyncExecuteRequest.builder()
                .request(request.request())
                .requestContentPublisher(request.requestContentPublisher())
                .fullDuplex(request.fullDuplex())
                .responseHandler(new Losing(request.responseHandler(), between.get(), lost))
                .build());
    return lost;
  }

  private record Losing(
      SdkAsyncHttpResponseHandler handler, Runnable between, CompletableFuture<Void> lost)
      implements SdkAsyncHttpResponseHandler, Subscriber<ByteBuffer> {
    @Override
    public void onHeaders(SdkHttpResponse headers) {}

    @Override
    public void onStream(Publisher<ByteBuffer> stream) {
      stream.subscribe(this);
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(ByteBuffer bytes) {}

    @Override
    public void onError(Throwable error) {
      lost.completeExceptionally(error);
      AsyncFaults.breakOff(handler, error);
    }

    @Override
    public void onComplete() {
      var unused =
          CompletableFuture.runAsync(between)
              .whenComplete(
                  (done, failed) ->
                      onError(new IOException("the reply was lost on purpose", failed)));
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
