package dev.tidemark.lab.orders;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** A long-running consumer on a thread of this process. */
final class Member implements AutoCloseable {
  private static final long PATIENCE_SECONDS = 90;

  private final Carrying carrying;
  private final OpenViews views;
  private final CompletableFuture<Void> ended;

  Member(String name, Carrying carrying, OpenViews views) {
    this.carrying = carrying;
    this.views = views;
    this.ended =
        CompletableFuture.runAsync(carrying.carrier(), task -> new Thread(task, name).start());
  }

  /** Throws what ended it, if it ended by itself. */
  void check() {
    if (ended.isDone()) {
      throw new IllegalStateException("a consumer ended by itself", failure());
    }
  }

  private @Nullable Throwable failure() {
    return ended.handle((nothing, fault) -> fault).getNow(null);
  }

  /** Lets it finish what it has in hand. */
  @Override
  public void close() {
    carrying.carrier().stop();
    try {
      ended.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new IllegalStateException("a consumer failed: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new IllegalStateException("a consumer does not stop", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      carrying.close().run();
      views.close();
    }
  }
}
