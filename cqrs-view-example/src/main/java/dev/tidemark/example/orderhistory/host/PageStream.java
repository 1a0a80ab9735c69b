package dev.tidemark.example.orderhistory.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.http.MediaType;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/**
 * One page's stream. Its events are sent one after the other, by threads of their own: a page that
 * does not read blocks whoever writes to it, and must not hold up the others. For one thread at a
 * time.
 */
final class PageStream {
  private static final int MOST_WAITING = 20;
  private static final Executor SENDERS =
      Executors.newCachedThreadPool(new CustomizableThreadFactory("page-"));

  private final SseEmitter stream;
  private final AtomicInteger waiting = new AtomicInteger();
  private CompletableFuture<Void> last = CompletableFuture.completedFuture(null);

  PageStream(SseEmitter stream) {
    this.stream = stream;
  }

  /** False if the page has gone, or too many events wait for it; it is to be sent no more then. */
  boolean send(String name, Object data) {
    last = last.thenRunAsync(() -> write(name, data), SENDERS);
    return waiting.incrementAndGet() <= MOST_WAITING && !last.isCompletedExceptionally();
  }

  private void write(String name, Object data) {
    try {
      stream.send(SseEmitter.event().name(name).data(data, MediaType.APPLICATION_JSON));
      waiting.decrementAndGet();
    } catch (IOException e) { // the page has gone
      throw new UncheckedIOException(e);
    }
  }

  void complete() {
    stream.complete();
  }
}
