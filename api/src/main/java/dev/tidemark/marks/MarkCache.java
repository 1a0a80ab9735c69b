package dev.tidemark.marks;

import dev.tidemark.EntityKey;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * A cache of what a store has written lately. The cache answers a sure duplicate without a request,
 * and {@code apply} need not read an entity that was just written. A store has no cache unless it
 * is given one. Safe for use by many threads. Stores of several tables, collections or subscribers
 * may share a cache; each store sees only its own entries. The cache tells stores apart by name, so
 * the tables of two regions, accounts or clusters need a cache each.
 *
 * <p>The map that holds it must be bounded, and forget its entries after a time; Caffeine's does
 * both:
 *
 * <pre>{@code
 * MarkCache.in(
 *     Caffeine.newBuilder()
 *         .maximumSize(10_000)
 *         .expireAfterWrite(Duration.ofMinutes(10))
 *         .<EntityKey, Object>build()
 *         .asMap())
 * }</pre>
 *
 * <p>The cache answers only Duplicate and Stale, and only if an earlier outcome of the same store
 * has proven the answer: an outcome of the same message or, where late events are dropped, an
 * Applied of a later event. A higher mark alone proves nothing, since there may be holes below the
 * mark of a window. An entry lives on while messages of its entity come. The store's own deletes,
 * {@code forget} and retired sources take the entity out, in transactions too; what else a
 * transaction on MongoDB does is not recalled. If another process forgets an entity or retires a
 * source, or if a tombstone expires, the cache answers redeliveries with Duplicate until the entry
 * has gone, though they would be applied anew. So entries should be kept for a shorter time than
 * tombstones. The same happens if a call overlaps another call of this store that deletes the same
 * entity, or comes between such a call in a MongoDB session of the caller's and the commit of its
 * transaction. A function's write still asks for the revision that it was made over, so a stale
 * entry costs one more request; writers that do not bump the revision are overwritten from an older
 * state than without the cache. Outcomes from here have no entity.
 *
 * <p>An entry recalls up to 1,000 ids and as many sources; on DynamoDB the whole item too, on
 * MongoDB the document that {@code apply} wrote.
 */
public final class MarkCache {
  private final ConcurrentMap<EntityKey, Object> entries;
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();

  private MarkCache(ConcurrentMap<EntityKey, Object> entries) {
    this.entries = Objects.requireNonNull(entries, "entries");
  }

  /**
   * A cache in a map.
   *
   * @param entries bounded, and forgetting in time; for this cache alone
   * @return the cache
   */
  public static MarkCache in(ConcurrentMap<EntityKey, Object> entries) {
    return new MarkCache(entries);
  }

  /**
   * How many messages were answered without a request.
   *
   * @return since the cache was made
   */
  public long hits() {
    return hits.sum();
  }

  /**
   * How many messages were not.
   *
   * @return since the cache was made
   */
  public long misses() {
    return misses.sum();
  }

  /**
   * The share of messages that were answered without a request.
   *
   * @return 0 to 1; 0 before the first message
   */
  public double hitRate() {
    long found = hits.sum();
    long all = found + misses.sum();
    return all == 0 ? 0 : (double) found / all;
  }

  /**
   * For backends: counts a message.
   *
   * @param hit whether it was answered from here
   */
  public void count(boolean hit) {
    (hit ? hits : misses).increment();
  }

  /**
   * For backends: what a store recalls of an entity.
   *
   * @param owner tells the store's table and subscriber from others; with {@code equals}
   * @param key the entity
   * @return null if nothing is
   */
  public @Nullable Object get(Object owner, EntityKey key) {
    return entries.get(key) instanceof Map<?, ?> byOwner ? byOwner.get(owner) : null;
  }

  /**
   * For backends: replaces what a store recalls of an entity.
   *
   * @param owner as in {@link #get}
   * @param key the entity
   * @param entry what is recalled
   */
  public void put(Object owner, EntityKey key, Object entry) {
    entries.compute(key, (same, before) -> with(before, owner, entry));
  }

  private static Object with(@Nullable Object before, Object owner, Object entry) {
    Map<Object, Object> byOwner = new HashMap<>();
    if (before instanceof Map<?, ?> others) {
      byOwner.putAll(others);
    }
    byOwner.put(owner, entry);
    return Map.copyOf(byOwner);
  }

  /**
   * For backends: forgets an entity, for all stores.
   *
   * @param key the entity
   */
  public void remove(EntityKey key) {
    entries.remove(key);
  }

  /** Tells the counts, not what is in it. */
  @Override
  public String toString() {
    return "MarkCache[hits=" + hits() + ", misses=" + misses() + "]";
  }
}
