package dev.tidemark.lab.orders;

import com.mongodb.client.MongoClient;
import dev.tidemark.example.orderhistory.carrier.ChangeStreamCarrier;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** The follower of a change stream, on a thread of its own. */
final class StreamCarrying implements Carrying {
  private static final long PATIENCE_SECONDS = 90;

  private final MongoClient client;
  private final ChangeStreamCarrier carrier;
  private volatile @Nullable CompletableFuture<Void> ended;

  StreamCarrying(MongoClient client, ChangeStreamCarrier carrier) {
    this.client = client;
    this.carrier = carrier;
  }

  @Override
  public void start() {
    ended = CompletableFuture.runAsync(carrier, task -> new Thread(task, "consumer").start());
  }

  @Override
  public void check() {
    CompletableFuture<Void> running = ended;
    if (running != null && running.isDone()) {
      Throwable fault = running.handle((nothing, thrown) -> thrown).getNow(null);
      throw new IllegalStateException("a consumer ended by itself", fault);
    }
  }

  @Override
  public void close() {
    carrier.stop();
    CompletableFuture<Void> running = ended;
    try {
      if (running != null) {
        running.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("a consumer failed: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new IllegalStateException("a consumer does not stop", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      client.close();
    }
  }
}
