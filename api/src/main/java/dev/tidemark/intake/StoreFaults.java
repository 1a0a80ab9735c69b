package dev.tidemark.intake;

/**
 * What the module of a store knows of its client's exceptions, so that an {@link Intake} gives no
 * message up because the store was away. Every one counts that {@link java.util.ServiceLoader}
 * finds beside this interface: one jar that is made of several has to merge their {@code
 * META-INF/services}. For any number of threads; a public class with a public constructor without
 * parameters.
 */
public interface StoreFaults {
  /**
   * Whether the store, the way to it, or the right to use it is at fault, and no message is.
   *
   * @param fault what a handler threw for a message
   * @return false too if the exception is not of this store's client
   */
  boolean isOutage(RuntimeException fault);
}
