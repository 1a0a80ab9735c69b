package dev.tidemark.execution;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Tells a listener of events, if there is one. */
final class Events {
  private static final System.Logger LOGGER = System.getLogger(ExecutionListener.class.getName());

  private final @Nullable ExecutionListener listener;
  private final String scope;
  private final LongSupplier nanos;
  private final AtomicBoolean complained = new AtomicBoolean();

  Events(ExecutionsBuilder builder) {
    this.listener = builder.listener;
    this.scope = builder.scope;
    this.nanos = builder.nanos;
  }

  /** When a call begins, for {@link #tell}. */
  long start() {
    return listener == null ? 0 : nanos.getAsLong();
  }

  /** A listener's own trouble must not change what a call did. */
  void tell(ExecutionEvent.Kind kind, long start) {
    if (listener == null) {
      return;
    }
    Duration elapsed = Duration.ofNanos(nanos.getAsLong() - start);
    try {
      listener.happened(new ExecutionEvent(kind, scope, elapsed));
    } catch (Throwable e) {
      if (complained.compareAndSet(false, true)) {
        LOGGER.log(
            System.Logger.Level.WARNING,
            "The listener of executions of " + scope + " failed; further failures are not logged",
            e);
      }
    }
  }
}
