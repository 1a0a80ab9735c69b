package dev.tidemark.kernel;

import dev.tidemark.Change;
import dev.tidemark.Write;
import dev.tidemark.metrics.StoreCall;
import dev.tidemark.metrics.StoreListener;
import java.util.Objects;

/** Tells a listener of the calls of one store. For many threads. */
public final class StoreObserver {
  private final StoreListener listener;
  private final String store;
  private final Telling telling;

  /**
   * An observer.
   *
   * @param listener is told
   * @param store the name of the table or collection
   */
  public StoreObserver(StoreListener listener, String store) {
    this.listener = Objects.requireNonNull(listener, "listener");
    this.store = store;
    this.telling = new Telling(StoreListener.class, "The listener of " + store);
  }

  /**
   * The method that makes a write.
   *
   * @param write a write of one message
   * @return what a listener is told
   */
  public static StoreCall.Method method(Write<?> write) {
    Write.Action<?> action = Text.given("write", write).action();
    if (action instanceof Write.Action.Apply) {
      return StoreCall.Method.APPLY;
    }
    if (action instanceof Write.Action.Delete<?> delete) {
      return delete.mustExist() ? StoreCall.Method.DELETE_EXISTING : StoreCall.Method.DELETE;
    }
    if (action instanceof Write.Action.Forget) {
      return StoreCall.Method.FORGET;
    }
    boolean skips =
        action instanceof Write.Action.Update<?> update && update.update() == Change.change();
    return skips ? StoreCall.Method.SKIP : StoreCall.Method.UPDATE;
  }

  /**
   * Starts to observe a call, now.
   *
   * @param method what was called
   * @return what to tell of it
   */
  public Observation start(StoreCall.Method method) {
    return new Observation(telling.begin(() -> listener.calling(method, store)), method, store);
  }
}
