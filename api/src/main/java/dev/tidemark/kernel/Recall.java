package dev.tidemark.kernel;

import dev.tidemark.EventPolicy;
import dev.tidemark.Key;
import dev.tidemark.Mark;
import dev.tidemark.MarkCache;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A store's side of a {@link MarkCache}: what the outcomes of its own calls say of entities. Marks
 * only ever advance, so that what was a duplicate stays one, unless the entity is deleted. Safe for
 * use by many threads.
 */
public final class Recall {
  /** How many ids, and how many sources, one entry recalls; the oldest go. */
  private static final int MOST = 1_000;

  /** What is recalled of one entity. */
  private static final class Entry {
    /** Ids, and events of windows. */
    private final Set<Message> messages = new LinkedHashSet<>();

    /** The highest event of each other source, by source of generation 0. */
    private final Map<Source, Mark> marks = new LinkedHashMap<>();

    private @Nullable Object stored;

    synchronized boolean has(Message message) {
      return messages.contains(message);
    }

    synchronized @Nullable Mark mark(SourceEvent event) {
      return marks.get(event.source().generation(0));
    }

    synchronized @Nullable Object stored() {
      return stored;
    }

    synchronized void keep(@Nullable Object newest) {
      stored = newest;
    }

    synchronized void add(Message message) {
      messages.add(message);
      if (messages.size() > MOST) {
        messages.remove(messages.iterator().next());
      }
    }

    synchronized void add(Mark mark) {
      marks.merge(mark.source().generation(0), mark, Recall::later);
      if (marks.size() > MOST) {
        marks.remove(marks.keySet().iterator().next());
      }
    }
  }

  private final @Nullable MarkCache cache;
  private final Tracking tracking;

  /**
   * Recalls in a cache.
   *
   * @param cache null to recall nothing
   * @param tracking the policies
   */
  public Recall(@Nullable MarkCache cache, Tracking tracking) {
    this.cache = cache;
    this.tracking = tracking;
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
  public <T> Optional<Outcome<T>> sure(Message message, Key key) {
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
    if (entry.has(message)) {
      return Optional.of(new Outcome.Duplicate<>(null, null));
    }
    Mark mark = message instanceof SourceEvent event ? entry.mark(event) : null;
    if (mark == null || !(message instanceof SourceEvent event) || !compares(mark, event)) {
      return Optional.empty();
    }
    SourceMark known =
        new SourceMark(mark.source().generation(), mark.highest(), new TreeSet<>(), null);
    Judgement judgement = Judge.judge(known, event, policy(event));
    boolean sure =
        judgement.kind() == Judgement.Kind.DUPLICATE || judgement.kind() == Judgement.Kind.STALE;
    return sure ? Optional.of(judgement.outcome(null, mark, false)) : Optional.empty();
  }

  private static boolean compares(Mark mark, SourceEvent event) {
    return mark.highest().getClass() == event.position().getClass();
  }

  private EventPolicy policy(SourceEvent event) {
    return tracking.eventPolicy(event.source().type());
  }

  /**
   * Forgets an entity, before a call that takes marks away: it may be carried out without an
   * answer.
   *
   * @param key the entity
   */
  public void forget(Key key) {
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
  public @Nullable Object stored(Key key) {
    Entry entry = entry(key);
    return entry == null ? null : entry.stored();
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
      Message message, Key key, Outcome<?> outcome, boolean erases, @Nullable Object stored) {
    MarkCache entries = cache;
    if (entries == null) {
      return;
    }
    if (erases || outcome instanceof Outcome.Missing) {
      entries.remove(key);
      return;
    }
    Entry known = entry(key);
    Entry entry = known == null ? new Entry() : known;
    if (outcome.isDone() && !(outcome instanceof Outcome.BeyondHorizon)) {
      add(entry, message, mark(message, outcome));
    }
    entry.keep(stored);
    entries.put(key, entry);
  }

  private void add(Entry entry, Message message, @Nullable Mark mark) {
    boolean ordered =
        message instanceof SourceEvent event
            && (policy(event).kind() == EventPolicy.Kind.DROP_LATE
                || policy(event).kind() == EventPolicy.Kind.CONTIGUOUS);
    if (!ordered) {
      entry.add(message);
    } else if (mark != null) {
      entry.add(mark);
    }
  }

  /** As far as the message itself tells: an entity may hold more, of another policy. */
  private static @Nullable Mark mark(Message message, Outcome<?> outcome) {
    if (outcome instanceof Outcome.Stale<?> stale) {
      return stale.mark();
    }
    boolean passed = outcome.isApplied() || outcome instanceof Outcome.Duplicate;
    return passed && message instanceof SourceEvent event
        ? new Mark(event.source(), event.position())
        : null;
  }

  /** What another thread saw before may be put after. */
  private static Mark later(Mark one, Mark other) {
    int generations = Long.compare(one.source().generation(), other.source().generation());
    boolean first =
        generations != 0
            ? generations > 0
            : one.highest().getClass() == other.highest().getClass()
                && one.highest().compareTo(other.highest()) > 0;
    return first ? one : other;
  }

  private @Nullable Entry entry(Key key) {
    MarkCache entries = cache;
    return entries != null && entries.get(key) instanceof Entry entry ? entry : null;
  }
}
