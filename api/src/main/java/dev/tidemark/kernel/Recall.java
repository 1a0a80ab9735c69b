package dev.tidemark.kernel;

import dev.tidemark.EntityKey;
import dev.tidemark.EventPolicy;
import dev.tidemark.Mark;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Position;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.marks.MarkCache;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  /**
   * What is recalled of one source.
   *
   * @param highest the highest position that the entity was seen to remember
   * @param floor all up to here, of that generation, was applied or dropped; null if not known
   */
  private record Known(Mark highest, @Nullable Position floor) {
    /** What another thread saw before may be put after. */
    static Known later(Known one, Known other) {
      long generation = one.generation();
      if (generation != other.generation()) {
        return generation > other.generation() ? one : other;
      }
      if (!one.highest.highest().comparesTo(other.highest.highest())) {
        return other;
      }
      boolean first = one.highest.highest().compareTo(other.highest.highest()) > 0;
      return new Known(
          first ? one.highest : other.highest, SourceMark.higher(one.floor, other.floor));
    }

    long generation() {
      return highest.source().generation();
    }
  }

  /** What is recalled of one entity. */
  private static final class Entry {
    /** Messages that are Duplicate or Stale, whatever else is. */
    private final Map<Message, Judgement> messages = oldestGo();

    /** By source of generation 0. */
    private final Map<Source, Known> sources = oldestGo();

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
  private final Tracking tracking;
  private final Object owner;

  /**
   * Recalls in a cache.
   *
   * @param cache null to recall nothing
   * @param tracking the policies
   * @param place the name of the table or collection, or what else tells it from others
   */
  public Recall(@Nullable MarkCache cache, Tracking tracking, Object place) {
    this.cache = cache;
    this.tracking = tracking;
    this.owner = List.of(place, tracking.subscriber(), tracking.names(), tracking.toString());
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
      Known known = entry.sources.get(event.source().generation(0));
      return known == null ? Optional.empty() : sure(event, known, entry);
    }
    return entry.messages.get(message) == null
        ? Optional.empty()
        : Optional.of(new Outcome.Duplicate<>(null, null));
  }

  private <T> Optional<Outcome<T>> sure(SourceEvent event, Known known, Entry entry) {
    EventPolicy.Kind kind = kind(event);
    boolean window = Judge.isWindow(tracking.events(event.source().type()));
    if (event.source().generation() < known.generation() && !window) {
      return Optional.of(new Outcome.Stale<>(null, known.highest()));
    }
    if (event.source().generation() != known.generation()
        || !event.position().comparesTo(known.highest().highest())) {
      return Optional.empty();
    }
    Judgement judgement = entry.messages.get(event);
    Position floor = known.floor();
    if (kind == EventPolicy.Kind.DROP_LATE
        && floor != null
        && event.position().compareTo(floor) <= 0) {
      boolean last = event.position().equals(known.highest().highest());
      judgement = last ? Judgement.DUPLICATE : Judgement.STALE;
    }
    if (judgement == null
        || (judgement.kind() == Judgement.Kind.STALE && kind != EventPolicy.Kind.DROP_LATE)) {
      return Optional.empty();
    }
    return Optional.of(judgement.outcome(null, window ? null : known.highest(), false));
  }

  private EventPolicy.Kind kind(SourceEvent event) {
    return tracking.events(event.source().type()).kind();
  }

  /**
   * Forgets an entity, before a call that takes marks away: it may be carried out without an
   * answer.
   *
   * @param key the entity
   */
  public void forget(EntityKey key) {
    MarkCache entries = cache;
    if (entries != null) {
      entries.remove(key);
    }
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
    MarkCache entries = cache;
    if (entries == null) {
      return;
    }
    if (erases || outcome instanceof Outcome.Missing || outcome instanceof Outcome.Deleted) {
      entries.remove(key);
      return;
    }
    Entry known = entry(key);
    Entry entry = known == null ? new Entry() : known;
    add(entry, message, outcome);
    entry.stored = stored;
    entries.put(owner, key, entry);
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
      Mark mark = mark(event, outcome);
      boolean proves = recorded && kind(event) == EventPolicy.Kind.DROP_LATE;
      Known known = new Known(mark, proves ? event.position() : null);
      entry.sources.merge(event.source().generation(0), known, Known::later);
      if (proves || mark.source().generation() != event.source().generation()) {
        return;
      }
    }
    entry.messages.put(message, stale ? Judgement.STALE : Judgement.DUPLICATE);
  }

  private static Mark mark(SourceEvent event, Outcome<?> outcome) {
    Mark mark = known(outcome);
    return mark != null ? mark : new Mark(event.source(), event.position());
  }

  private static @Nullable Mark known(Outcome<?> outcome) {
    if (outcome instanceof Outcome.Applied<?> applied) {
      return applied.markOrNull();
    }
    if (outcome instanceof Outcome.Recorded<?> recorded) {
      return recorded.markOrNull();
    }
    if (outcome instanceof Outcome.Duplicate<?> duplicate) {
      return duplicate.markOrNull();
    }
    return outcome instanceof Outcome.Stale<?> stale ? stale.mark() : null;
  }

  private @Nullable Entry entry(EntityKey key) {
    MarkCache entries = cache;
    return entries != null && entries.get(owner, key) instanceof Entry entry ? entry : null;
  }
}
