package dev.tidemark.intake;

/**
 * Tells which exceptions of a store's client mean that the store is away, so that an {@link Intake}
 * gives up no message because of an outage, and the filter of {@code tidemark-servlet} answers 503.
 * The module of each store implements it. {@link #anyOutage} asks every implementation that {@link
 * java.util.ServiceLoader} finds by the class loader of this interface, so a jar that is made of
 * several has to merge their {@code META-INF/services}. An implementation is a public class with a
 * public constructor without parameters, for any number of threads.
 */
public interface StoreFaults {
  /**
   * Whether the store, the way to it, or the right to use it is at fault, and no message is.
   *
   * @param fault what a handler threw for a message. The client's exception may be one of its
   *     causes; where a {@link dev.tidemark.TidemarkException} comes before that, no client's
   *     exception is at fault
   * @return false too if the exception is not of this store's client
   */
  boolean isOutage(RuntimeException fault);

  /**
   * Whether one of the stores on the class path is away.
   *
   * @param fault what a call threw
   * @return false too if the exception is of no store's client
   */
  static boolean anyOutage(RuntimeException fault) {
    return Stores.FOUND.stream().anyMatch(store -> store.isOutage(fault));
  }
}
