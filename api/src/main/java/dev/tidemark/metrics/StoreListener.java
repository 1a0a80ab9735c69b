package dev.tidemark.metrics;

/**
 * A listener that is told of each call of an entity store: for metrics, and for warnings such as
 * those of {@link SizeGuard}. A store without a listener measures nothing.
 *
 * <p>It is told on the thread that ends the call, before the caller has its result, so it must not
 * block. Calls end on many threads at a time. What it throws is logged once for a store and does
 * not reach the caller.
 */
@FunctionalInterface
public interface StoreListener {

  /**
   * Takes note of one call, which has ended: with outcomes, or with a fault.
   *
   * @param call what it did and what it cost; never keys, values or payloads
   */
  void ended(StoreCall call);

  /**
   * Follows one call from its beginning on, on the thread that makes it.
   *
   * @param method what is called
   * @param store the name of the table or collection
   * @return is told of the call in place of this listener; {@link #ended} unless overridden
   */
  default Ongoing<StoreCall> calling(StoreCall.Method method, String store) {
    return this::ended;
  }

  /**
   * Tells another listener too, whatever this one throws.
   *
   * @param other is told after this one
   * @return both
   */
  default StoreListener and(StoreListener other) {
    StoreListener first = this;
    return new StoreListener() {
      @Override
      public void ended(StoreCall call) {
        try {
          first.ended(call);
        } finally {
          other.ended(call);
        }
      }

      @Override
      public Ongoing<StoreCall> calling(StoreCall.Method method, String store) {
        return Ongoing.both(() -> first.calling(method, store), () -> other.calling(method, store));
      }
    };
  }
}
