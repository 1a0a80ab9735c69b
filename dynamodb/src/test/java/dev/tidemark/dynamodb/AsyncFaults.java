package dev.tidemark.dynamodb;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Consumer;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import software.amazon.awssdk.core.async.AsyncRequestBody;
import software.amazon.awssdk.http.HttpExecuteRequest;
import software.amazon.awssdk.http.HttpExecuteResponse;
import software.amazon.awssdk.http.SdkHttpClient;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.http.async.AsyncExecuteRequest;
import software.amazon.awssdk.http.async.SdkAsyncHttpClient;
import software.amazon.awssdk.http.async.SdkAsyncHttpResponseHandler;

/** An asynchronous HTTP client that sends by a synchronous one, on threads of its own. */
final class AsyncFaults implements SdkAsyncHttpClient {
  private final SdkHttpClient client;
  private final ExecutorService threads =
      Executors.newCachedThreadPool(
          task -> {
            Thread thread = new Thread(task, "http");
            thread.setDaemon(true);
            return thread;
          });

  AsyncFaults(SdkHttpClient client) {
    this.client = client;
  }

  @Override
  public CompletableFuture<Void> execute(AsyncExecuteRequest request) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    request
        .requestContentPublisher()
        .subscribe(new Body(body -> threads.execute(() -> send(request, body, done))));
    return done;
  }

  private void send(AsyncExecuteRequest request, byte[] body, CompletableFuture<Void> done) {
    try {
      HttpExecuteResponse response =
          client
              .prepareRequest(
                  HttpExecuteRequest.builder()
                      .request(request.request())
                      .contentStreamProvider(() -> new ByteArrayInputStream(body))
                      .build())
              .call();
      byte[] reply = new byte[0];
      if (response.responseBody().isPresent()) {
        try (InputStream stream = response.responseBody().get()) {
          reply = stream.readAllBytes();
        }
      }
      request.responseHandler().onHeaders(response.httpResponse());
      request.responseHandler().onStream(AsyncRequestBody.fromBytes(reply));
      done.complete(null);
    } catch (IOException | RuntimeException e) {
      breakOff(request.responseHandler(), e);
      done.completeExceptionally(e);
    }
  }

  /**
   * Ends a reply within its body. {@code onError} of the handler would not do: the SDK has one
   * handler for all attempts of a call and tells its parts one after the other, so that the next
   * attempt may have begun before the last part hears of the failure, and takes it for its own.
   */
  static void breakOff(SdkAsyncHttpResponseHandler handler, Throwable error) {
    handler.onHeaders(SdkHttpResponse.builder().statusCode(200).build());
    handler.onStream(subscriber -> fail(subscriber, error));
  }

  private static void fail(Subscriber<? super ByteBuffer> subscriber, Throwable error) {
    subscriber.onSubscribe(
        new Subscription() {
          @Override
          public void request(long count) {
            subscriber.onError(error);
          }

          @Override
          public void cancel() {}
        });
  }

  /** Gathers what a publisher gives. */
  private static final class Body implements Subscriber<ByteBuffer> {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Consumer<byte[]> whole;

    Body(Consumer<byte[]> whole) {
      this.whole = whole;
    }

    @Override
    public void onSubscribe(Subscription subscription) {
      subscription.request(Long.MAX_VALUE);
    }

    @Override
    public void onNext(ByteBuffer part) {
      byte[] some = new byte[part.remaining()];
      part.get(some);
      bytes.writeBytes(some);
    }

    @Override
    public void onError(Throwable error) {
      throw new IllegalStateException(error);
    }

    @Override
    public void onComplete() {
      whole.accept(bytes.toByteArray());
    }
  }

  @Override
  public void close() {
    threads.shutdown();
    client.close();
  }
}
