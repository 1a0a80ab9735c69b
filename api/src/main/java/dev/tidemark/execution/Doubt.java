package dev.tidemark.execution;

import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What to do with a step that began in an earlier run and may have acted.
 *
 * @param <R> the step's result
 */
public final class Doubt<R> {
  private static final Doubt<?> RETRY = new Doubt<>(key -> Optional.empty());
  private static final Doubt<?> PARK = new Doubt<>(null);

  private final @Nullable Function<String, @Nullable Optional<R>> probe;

  private Doubt(@Nullable Function<String, @Nullable Optional<R>> probe) {
    this.probe = probe;
  }

  /**
   * Acts again, with the same downstream key: for effects that know idempotency keys themselves, or
   * that do no harm twice.
   *
   * @param <R> the step's result
   * @return the way to resolve a doubt
   */
  @SuppressWarnings("unchecked")
  public static <R> Doubt<R> retry() {
    return (Doubt<R>) RETRY;
  }

  /**
   * Waits for a person: the call answers {@link Execution.InDoubt}, and so do later ones.
   *
   * @param <R> the step's result
   * @return the way to resolve a doubt
   */
  @SuppressWarnings("unchecked")
  public static <R> Doubt<R> park() {
    return (Doubt<R>) PARK;
  }

  /**
   * Asks the service that the step calls whether the step has acted.
   *
   * @param probe is given the downstream key; its result is the step's, and the step acts where it
   *     gives none. Null is an {@link IllegalStateException}, and the step stays in doubt
   * @param <R> the step's result
   * @return the way to resolve a doubt
   */
  public static <R> Doubt<R> ask(Function<String, Optional<R>> probe) {
    return new Doubt<>(Objects.requireNonNull(probe, "probe")::apply);
  }

  boolean parks() {
    return probe == null;
  }

  /** What the probe gives, whatever it is; none without a probe. */
  @Nullable Optional<R> resolve(String downstreamKey) {
    return probe == null ? Optional.empty() : probe.apply(downstreamKey);
  }

  /** The same, where what the probe gives does not count says that the step has not acted. */
  Doubt<R> where(Predicate<R> counts) {
    return new Doubt<>(
        probe == null
            ? null
            : key -> {
              Optional<R> resolved = probe.apply(key);
              return resolved == null ? null : resolved.filter(counts);
            });
  }
}
