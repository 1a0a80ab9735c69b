package dev.tidemark.kernel;

import dev.tidemark.EntityKey;
import dev.tidemark.EventPolicy;
import dev.tidemark.Mark;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.marks.MarkCache;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A store's side of a {@link MarkCache}: what the outcomes of its own calls prove of entities. Safe
 * for use by many threads.
 *
 * <p>An outcome proves what it says of its own message: what was a Duplicate or Stale stays so, as
 * marks only ever advance, unless the entity is deleted. Only what was applied where late events
 * are dropped proves something of other positions: all below are Stale from then on. A mark proves
 * nothing of what is below it where a window has written, be it of another process or of an earlier
 * policy.
 */
public final class Recall {
  /** How many messages, and how many sources, one entry recalls; the oldest go. */
  private static final int MOST = 1_000;

  /** What is recalled of one entity. Sources are those of generation 0. */
  private static final class Entry {
    /** Messages that are a Duplicate, whatever else is, or Stale where the value is true. */
    private final Map<Message, Boolean> stale = oldestGo();

    /** The highest event of each source that the entity was seen to remember. */
    private final Map<Source, SourceEvent> highest = oldestGo();

    /** The event of each source up to which all of its generation was applied or dropped. */
    private final Map<Source, SourceEvent> floors = oldestGo();

    private volatile @Nullable Object stored;

    private static <K, V> Map<K, V> oldestGo() {
      return Collections.synchronizedMap(
          new LinkedHashMap<>() {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> oldest) {
              return size() > MOST;
            }
          });
    }
  }

  private final @Nullable MarkCache cache;

  /** The same cache, also where nothing is recalled in it. */
  private final @Nullable MarkCache forgets;

  private final Tracking tracking;
  private final String store;
  private final Object owner;
  private final Function<EntityKey, Object> identity;

  /**
   * Recalls in a cache.
   *
   * @param cache null to recall nothing
   * @param tracking the policies
   * @param store the name of the table or collection, or what else tells it from others
   */
  public Recall(@Nullable MarkCache cache, Tracking tracking, Object store) {
    this(cache, tracking, store, EntityKey::parts);
  }

  /**
   * Recalls in a cache, by what keys stand for.
   *
   * @param cache null to recall nothing
   * @param tracking the policies
   * @param store the name of the table or collection, or what else tells it from others
   * @param identity equal for keys of one entity that are spelled in two ways, routing apart
   */
  public Recall(
      @Nullable MarkCache cache,
      Tracking tracking,
      Object store,
      Function<EntityKey, Object> identity) {
    this.cache = cache;
    this.forgets = cache;
    this.tracking = tracking;
    this.store = store instanceof String name ? name : "";
    this.owner = List.of(store, tracking);
    this.identity = identity;
  }

  private Recall(Recall outside) {
    this.cache = null;
    this.forgets = outside.forgets;
    this.tracking = outside.tracking;
    this.store = outside.store;
    this.owner = outside.owner;
    this.identity = outside.identity;
  }

  /**
   * The same in a transaction: what may be taken back is not recalled, but what may be carried out
   * is forgotten.
   *
   * @return for calls whose outcomes are true once the transaction is committed
   */
  public Recall inTransaction() {
    return new Recall(this);
  }

  /** The name of the table or collection; empty where it has none. */
  String store() {
    return store;
  }

  /**
   * Whether anything is recalled at all.
   *
   * @return false without a cache
   */
  public boolean isOn() {
    return cache != null;
  }

  /**
   * The outcome of a message that needs no request.
   *
   * @param message the delivery
   * @param key the entity
   * @param <T> the entity's type
   * @return Duplicate or Stale; empty if the store has to be asked
   */
  public <T> Optional<Outcome<T>> sure(Message message, EntityKey key) {
    MarkCache entries = cache;
    if (entries == null) {
      return Optional.empty();
    }
    Entry entry = entry(key);
    Optional<Outcome<T>> sure = entry == null ? Optional.empty() : sure(message, entry);
    entries.count(sure.isPresent());
    return sure;
  }

  private <T> Optional<Outcome<T>> sure(Message message, Entry entry) {
    if (message instanceof SourceEvent event) {
      SourceEvent highest = entry.highest.get(event.source().generation(0));
      return Optional.ofNullable(highest == null ? null : sure(event, highest, entry));
    }
    return Optional.ofNullable(entry.stale.get(message))
        .map(known -> new Outcome.Duplicate<>(null, null));
  }

  private <T> @Nullable Outcome<T> sure(SourceEvent event, SourceEvent highest, Entry entry) {
    Mark mark = new Mark(highest.source(), highest.position());
    boolean window = Judge.isWindow(tracking.events(event.source().type()));
    if (event.source().generation() != highest.source().generation()) {
      return window || event.isLaterThan(highest) ? null : new Outcome.Stale<>(null, mark);
    }
    if (!event.position().comparesTo(highest.position())) {
      return null;
    }
    SourceEvent floor = entry.floors.get(event.source().generation(0));
    boolean passed = dropsLate(event) && floor != null && !event.isLaterThan(floor);
    Boolean stale = passed ? (Boolean) !event.equals(highest) : entry.stale.get(event);
    if (stale == null || (stale && !dropsLate(event))) {
      return null;
    }
    return stale
        ? new Outcome.Stale<>(null, mark)
        : new Outcome.Duplicate<>(null, window ? null : mark);
  }

  private boolean dropsLate(SourceEvent event) {
    return tracking.events(event.source().type()).kind() == EventPolicy.Kind.DROP_LATE;
  }

  /**
   * Forgets an entity, before a call that takes marks away: it may be carried out without an
   * answer.
   *
   * @param key the entity
   */
  public void forget(EntityKey key) {
    MarkCache entries = forgets;
    if (entries != null) {
      entries.remove(entity(key));
    }
  }

  /**
   * Forgets an entity again, if a write takes marks away, once the transaction of that write has
   * ended: others may have been told meanwhile of what was before.
   *
   * @param write may have been carried out
   */
  public void ended(Write<?> write) {
    if (erases(write)) {
      forget(write.key());
    }
  }

  /** Whether a write takes marks away, so that what is recalled may not be true after it. */
  static boolean erases(Write<?> write) {
    return write.action() instanceof Write.Action.Delete
        || write.action() instanceof Write.Action.Forget
        || !write.action().rules().retired().isEmpty();
  }

  /**
   * What the backend keeps of an entity.
   *
   * @param key the entity
   * @return null if it keeps nothing
   */
  public @Nullable Object stored(EntityKey key) {
    Entry entry = entry(key);
    return entry == null ? null : entry.stored;
  }

  /**
   * Takes note of what a call did.
   *
   * @param message the delivery
   * @param key the entity
   * @param outcome its outcome
   * @param erases whether the call takes marks away: a delete, or of a source that is retired
   * @param stored what the backend keeps of the entity as it now is; null to keep nothing
   */
  public void saw(
      Message message, EntityKey key, Outcome<?> outcome, boolean erases, @Nullable Object stored) {
    if (erases || outcome instanceof Outcome.Missing || outcome instanceof Outcome.Deleted) {
      forget(key);
      return;
    }
    MarkCache entries = cache;
    if (entries == null) {
      return;
    }
    Entry known = entry(key);
    Entry entry = known == null ? new Entry() : known;
    add(entry, message, outcome);
    entry.stored = stored;
    entries.put(owner(key), entity(key), entry);
  }

  private void add(Entry entry, Message message, Outcome<?> outcome) {
    boolean recorded =
        outcome.isApplied()
            || outcome instanceof Outcome.Recorded
            || (outcome instanceof Outcome.Refused<?> r && r.recorded());
    boolean stale = outcome instanceof Outcome.Stale;
    if (!recorded && !stale && !(outcome instanceof Outcome.Duplicate)) {
      return;
    }
    if (message instanceof SourceEvent event) {
      Source source = event.source().generation(0);
      Mark mark = outcome.markOrNull();
      SourceEvent highest = mark == null ? event : SourceEvent.of(mark.source(), mark.highest());
      entry.highest.merge(source, highest, Recall::later);
      if (recorded && dropsLate(event)) {
        entry.floors.merge(source, event, Recall::later);
        return;
      }
      if (highest.source().generation() != event.source().generation()) {
        return;
      }
    }
    entry.stale.put(message, stale);
  }

  /** The later one, since another thread may tell first what it saw last. */
  private static SourceEvent later(SourceEvent one, SourceEvent other) {
    return other.isLaterThan(one) ? other : one;
  }

  /** The same for each spelling of a key, so that an entity is forgotten under all of them. */
  private EntityKey entity(EntityKey key) {
    return new EntityKey(List.of(List.of(identity.apply(key))), Map.of());
  }

  /** What one shard has proven says nothing of a document of the same key on another. */
  private Object owner(EntityKey key) {
    return List.of(owner, key.routing());
  }

  private @Nullable Entry entry(EntityKey key) {
    MarkCache entries = cache;
    return entries != null && entries.get(owner(key), entity(key)) instanceof Entry entry
        ? entry
        : null;
  }
}
