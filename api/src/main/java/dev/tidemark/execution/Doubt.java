package dev.tidemark.execution;

import dev.tidemark.kernel.Misuse;
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

  private final @Nullable Function<String, Optional<R>> probe;

  private Doubt(@Nullable Function<String, Optional<R>> probe) {
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
    return new Doubt<>(Misuse.given("probe", probe));
  }

  boolean parks() {
    return probe == null;
  }

  /** What the probe gives; none without a probe. */
  Optional<R> resolve(String name, String downstreamKey) {
    Object resolved = probe == null ? Optional.empty() : probe.apply(downstreamKey);
    if (resolved == null) { // as a caller without null checks may give
      throw new Misuse.State(
          "the probe of step '%s' gave null; let it give Optional.empty() where the step has not acted"
              .formatted(name));
    }
    @SuppressWarnings("unchecked")
    Optional<R> given = (Optional<R>) resolved;
    return given;
  }

  /** The same, where what the probe gives does not count says that the step has not acted. */
  Doubt<R> where(String name, Predicate<R> counts) {
    return probe == null ? this : new Doubt<>(key -> resolve(name, key).filter(counts));
  }
}
