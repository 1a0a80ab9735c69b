package dev.tidemark.execution;

import dev.tidemark.metrics.Ongoing;

/**
 * A listener that is told what happens to executions: for metrics and logs. {@link
 * ExecutionsBuilder#listener} sets it; executions without a listener measure nothing.
 *
 * <p>It is told on the thread of the call, so it must not block. Calls end on many threads at a
 * time. What it throws is logged once for a scope and does not reach the caller.
 */
@FunctionalInterface
public interface ExecutionListener {
  /**
   * Takes note of an event.
   *
   * @param event what happened; never keys, requests or results
   */
  void happened(ExecutionEvent event);

  /**
   * Follows one call for a key from its beginning on, with the work that is done in it.
   *
   * @param scope of the executions
   * @return is told of the call's events in place of this listener; {@link #happened} unless
   *     overridden
   */
  default Ongoing<ExecutionEvent> executing(String scope) {
    return this::happened;
  }

  /**
   * Tells another listener too, whatever this one throws.
   *
   * @param other is told after this one
   * @return both
   */
  default ExecutionListener and(ExecutionListener other) {
    ExecutionListener first = this;
    return new ExecutionListener() {
      @Override
      public void happened(ExecutionEvent event) {
        try {
          first.happened(event);
        } finally {
          other.happened(event);
        }
      }

      @Override
      public Ongoing<ExecutionEvent> executing(String scope) {
        return Ongoing.both(() -> first.executing(scope), () -> other.executing(scope));
      }
    };
  }
}
