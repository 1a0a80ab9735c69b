package dev.tidemark.execution;

import dev.tidemark.kernel.Telling;
import dev.tidemark.metrics.Ongoing;
import java.time.Duration;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tells a listener of events, if there is one. */
final class Events {
  private final @Nullable ExecutionListener listener;
  private final Telling telling;
  private final String scope;
  private final LongSupplier nanos;

  Events(ExecutionsBuilder builder) {
    this.listener = builder.listener;
    this.scope = builder.scope;
    this.nanos = builder.nanos;
    this.telling = new Telling(ExecutionListener.class, "The listener of executions of " + scope);
  }

  /** Begins a call, now. */
  Told begin() {
    ExecutionListener asked = listener;
    return asked == null
        ? Told.NOBODY
        : new Told(telling.begin(() -> asked.executing(scope)), scope, nanos);
  }

  /** Who is told of the events of one call. */
  static final class Told {
    private static final Told NOBODY = new Told(event -> {}, "", () -> 0);

    private final Ongoing<ExecutionEvent> ongoing;
    private final String scope;
    private final LongSupplier nanos;
    private final long start;

    private Told(Ongoing<ExecutionEvent> ongoing, String scope, LongSupplier nanos) {
      this.ongoing = ongoing;
      this.scope = scope;
      this.nanos = nanos;
      this.start = nanos.getAsLong();
    }

    Ongoing.Scope enter() {
      return ongoing.enter();
    }

    /** Makes a claim; one that throws is the end of the call. */
    <C> C unlessFault(Supplier<C> claim) {
      try {
        return claim.get();
      } catch (Throwable e) {
        tell(ExecutionEvent.Kind.FAULT);
        throw e;
      }
    }

    void tell(ExecutionEvent.Kind kind) {
      if (this != NOBODY) {
        Duration elapsed = Duration.ofNanos(nanos.getAsLong() - start);
        ongoing.note(new ExecutionEvent(kind, scope, elapsed));
      }
    }
  }
}
