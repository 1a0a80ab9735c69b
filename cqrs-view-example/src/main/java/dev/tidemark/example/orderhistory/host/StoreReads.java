package dev.tidemark.example.orderhistory.host;

import com.mongodb.MongoException;
import dev.tidemark.TidemarkException;
import java.time.Duration;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import software.amazon.awssdk.core.exception.SdkException;

/**
 * Reads for requests, which must not wait as long as a carrier may: each has a limit, and there are
 * only so many at a time, so that a store that hangs does not take all threads of the web server
 * with it. For any number of threads.
 */
final class StoreReads implements AutoCloseable {
  private final Duration limit;
  private final ThreadPoolExecutor threads;

  /**
   * Threads for reads of one kind, so that reads of another kind do not wait for them.
   *
   * @param name begins the threads' names
   * @param limit how long a read may take, with the time that it waits for a thread
   * @param atATime how many at a time
   * @param waiting how many more wait for a thread; further ones are refused
   */
  StoreReads(String name, Duration limit, int atATime, int waiting) {
    this.limit = limit;
    threads =
        new ThreadPoolExecutor(
            atATime,
            atATime,
            1,
            TimeUnit.MINUTES,
            new ArrayBlockingQueue<>(waiting),
            new CustomizableThreadFactory(name + "-"));
    threads.allowCoreThreadTimeOut(true);
  }

  /**
   * Reads.
   *
   * @throws StoreUnavailable if the store fails or takes too long, or too many reads wait already
   */
  <T> T read(Supplier<T> question) {
    Future<T> answer = ask(question);
    try {
      return answer.get(limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw new StoreUnavailable(e);
    } catch (ExecutionException e) {
      throw fault(e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new StoreUnavailable(e);
    }
  }

  private <T> Future<T> ask(Supplier<T> question) {
    try {
      return threads.submit(question::get);
    } catch (RejectedExecutionException e) {
      throw new StoreUnavailable(e);
    }
  }

  private static RuntimeException fault(Throwable cause) {
    boolean ofTheStore =
        cause instanceof SdkException
            || cause instanceof MongoException
            || (cause instanceof TidemarkException tidemark && tidemark.isRetryable());
    if (ofTheStore) {
      return new StoreUnavailable(cause);
    }
    return cause instanceof RuntimeException fault ? fault : new IllegalStateException(cause);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
