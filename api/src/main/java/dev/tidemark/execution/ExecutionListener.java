package dev.tidemark.execution;

/**
 * Is told of what happens to executions: for metrics and logs. {@link ExecutionsBuilder#listener}
 * takes it; executions without one measure nothing.
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
   * Tells another listener too, whatever this one throws.
   *
   * @param other is told after this one
   * @return both
   */
  default ExecutionListener and(ExecutionListener other) {
    return event -> {
      try {
        happened(event);
      } finally {
        other.happened(event);
      }
    };
  }
}
