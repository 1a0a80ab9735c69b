package dev.tidemark.tck;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.EventPolicy;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Mark;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Position;
import dev.tidemark.Result;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Judge;
import dev.tidemark.kernel.Judgement;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.kernel.SourceMark;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One view as it has to be: what stores are compared with. It judges one message after the other on
 * plain maps, by the judge and the evaluator alone: no guard, no token, no retry, no batch. What it
 * knows it never forgets, so it is for fewer message IDs than any policy keeps. Immutable.
 *
 * @param attributes the view's own attributes; null if there is no view
 * @param deletedUntil until which second the view is remembered as deleted; null if it is not
 * @param ids the message IDs that it remembers
 * @param sources what it remembers of sources, by source of generation 0
 * @param published the texts that wait to be sent
 * @param subscriber whose memory ids and sources are
 * @param others the memory of the other subscribers
 */
public record Oracle(
    @Nullable Map<String, Object> attributes,
    @Nullable Long deletedUntil,
    Set<String> ids,
    Map<Source, OfSource> sources,
    List<String> published,
    String subscriber,
    Map<String, Memory> others) {
  private static final ViewMapper MAPPER = new ViewMapper(false);
  private static final SourceMark NO_MARK = new SourceMark(0, null, new TreeSet<>(), null);

  /**
   * What is remembered of one source.
   *
   * @param mark as the judge reads it
   * @param recorded all positions of its generation that were recorded, also where the mark does
   *     not tell
   */
  public record OfSource(SourceMark mark, Set<Position> recorded) {
    private static final OfSource NOTHING = new OfSource(NO_MARK, Set.of());

    private OfSource with(SourceEvent event, EventPolicy policy) {
      SourceMark after = Judge.advance(mark, event, policy);
      boolean same = after.generation() == mark.generation();
      Set<Position> all = same ? new HashSet<>(recorded) : new HashSet<>();
      all.add(event.position());
      return new OfSource(after, all);
    }
  }

  /**
   * What a subscriber remembers.
   *
   * @param ids the message IDs
   * @param sources what it remembers of sources, by source of generation 0
   */
  public record Memory(Set<String> ids, Map<Source, OfSource> sources) {
    private static final Memory NOTHING = new Memory(Set.of(), Map.of());
  }

  /**
   * What one write has to do.
   *
   * @param result what has to be told
   * @param wasRecorded whether the message was recorded before: a store that remembers for longer
   *     than it has to may call it a duplicate
   * @param after the view after it
   */
  public record Step(Result<View> result, boolean wasRecorded, Oracle after) {}

  /**
   * No view.
   *
   * @return of which nothing is remembered
   */
  public static Oracle nothing() {
    return new Oracle(null, null, Set.of(), Map.of(), List.of(), "", Map.of());
  }

  /**
   * The view as a subscriber sees it.
   *
   * @param another the subscriber's name; empty for the unnamed one
   * @return the same view, whose memory is that of the subscriber
   */
  public Oracle as(String another) {
    if (another.equals(subscriber)) {
      return this;
    }
    Map<String, Memory> all = new HashMap<>(others);
    all.put(subscriber, new Memory(ids, sources));
    Memory own = all.getOrDefault(another, Memory.NOTHING);
    all.remove(another);
    return new Oracle(
        attributes, deletedUntil, own.ids(), own.sources(), published, another, Map.copyOf(all));
  }

  private Oracle with(
      @Nullable Map<String, Object> newAttributes,
      @Nullable Long newDeletedUntil,
      Map<Source, OfSource> newSources,
      List<String> newPublished) {
    return new Oracle(
        newAttributes, newDeletedUntil, ids, newSources, newPublished, subscriber, others);
  }

  /**
   * The view at a later time.
   *
   * @param now the time
   * @return nothing, if it was a tombstone that has expired
   */
  public Oracle at(Instant now) {
    boolean expired = deletedUntil != null && deletedUntil <= now.getEpochSecond();
    return expired ? nothing() : this;
  }

  /**
   * What the record is.
   *
   * @return its state
   */
  public Found.State state() {
    return attributes != null
        ? Found.State.LIVE
        : deletedUntil != null ? Found.State.DELETED : Found.State.ABSENT;
  }

  /**
   * The view.
   *
   * @param key its key
   * @return empty if there is none
   */
  public Optional<View> view(EntityKey key) {
    return Optional.ofNullable(attributes).map(present -> MAPPER.entity(key, present));
  }

  /**
   * What a message deserves by what is remembered.
   *
   * @param message the delivery
   * @param tracking the policies
   * @param now the time
   * @return empty if it is fresh
   */
  public Optional<Outcome<View>> judged(Message message, Tracking tracking, Instant now) {
    Oracle present = at(now).as(tracking.subscriber());
    Judgement judgement = present.judgement(message, tracking, now);
    Mark mark = present.mark(message);
    return switch (judgement.kind()) {
      case FRESH -> Optional.empty();
      case DUPLICATE -> Optional.of(new Outcome.Duplicate<>(null, mark));
      case STALE -> Optional.of(new Outcome.Stale<>(null, Objects.requireNonNull(mark)));
      case BEYOND_HORIZON ->
          Optional.of(new Outcome.BeyondHorizon<>(null, tracking.acknowledgesBeyondHorizon()));
      case GAP -> {
        Position expected = Objects.requireNonNull(judgement.expected());
        yield Optional.of(new Outcome.Gap<>(null, expected, judgement.holes()));
      }
    };
  }

  private Judgement judgement(Message message, Tracking tracking, Instant now) {
    return message instanceof SourceEvent event
        ? Judge.judge(of(event).mark(), event, policy(event, tracking))
        : Judge.judge(wasRecorded(message), (MessageId) message, tracking, now);
  }

  private static EventPolicy policy(SourceEvent event, Tracking tracking) {
    return tracking.events(event.source().type());
  }

  private OfSource of(SourceEvent event) {
    return sources.getOrDefault(event.source().generation(0), OfSource.NOTHING);
  }

  /**
   * Whether a message was recorded, be it that its mark does not tell so any more.
   *
   * @param message the delivery
   * @return false for what was recorded before its source was retired, or had a higher generation
   */
  public boolean wasRecorded(Message message) {
    return message instanceof SourceEvent event
        ? of(event).mark().generation() == event.source().generation()
            && of(event).recorded().contains(event.position())
        : ids.contains(((MessageId) message).value());
  }

  private @Nullable Mark mark(Message message) {
    if (!(message instanceof SourceEvent event)) {
      return null;
    }
    SourceMark mark = of(event).mark();
    Position last = mark.seen().isEmpty() ? null : mark.seen().last();
    return Stream.of(mark.floor(), last, mark.horizon())
        .filter(Objects::nonNull)
        .max(Comparator.naturalOrder())
        .map(highest -> new Mark(event.source().generation(mark.generation()), highest))
        .orElse(null);
  }

  /**
   * Makes one write.
   *
   * @param write the write
   * @param tracking the policies
   * @param now the time
   * @return what it does
   */
  public Step write(Write<View> write, Tracking tracking, Instant now) {
    Oracle present = at(now).as(tracking.subscriber());
    try {
      Optional<Outcome<View>> judged = present.judged(write.message(), tracking, now);
      return judged.isPresent()
          ? present.tells(write, judged.get(), present)
          : present.fresh(write, tracking, now);
    } catch (RuntimeException e) {
      return new Step(new Result.Failed<>(e), present.wasRecorded(write.message()), present);
    }
  }

  private Step tells(Write<View> write, Outcome<View> outcome, Oracle after) {
    return new Step(new Result.Judged<>(outcome), wasRecorded(write.message()), after);
  }

  private Step fresh(Write<View> write, Tracking tracking, Instant now) {
    Rules rules = existence(write.action());
    Oracle recorded = recording(write.message(), tracking);
    if (state() == Found.State.DELETED && !rules.revives()) {
      boolean dense =
          write.message() instanceof SourceEvent event && policy(event, tracking).isDense();
      return tells(write, new Outcome.Deleted<>(), dense ? recorded : this);
    }
    if (write.action() instanceof Write.Action.Forget) {
      if (!published.isEmpty()) {
        throw new InvalidChangeException("messages wait", null, null);
      }
      return state() == Found.State.ABSENT
          ? tells(write, new Outcome.Deleted<>(), this)
          : tells(write, new Outcome.Applied<>(null, false, null), nothing());
    }
    if (state() == Found.State.ABSENT && !rules.creates()) {
      return tells(write, new Outcome.Missing<>(), this);
    }
    if (write.action() instanceof Write.Action.Update<View> update) {
      return updated(write, update.update().in(Change.class), recorded);
    }
    if (write.action() instanceof Write.Action.Apply<View> apply) {
      return decided(write, apply, recorded);
    }
    long until = now.plus(tracking.tombstonesKeptFor()).getEpochSecond();
    until += published.isEmpty() ? 0 : Outbox.WAITING;
    Oracle deleted = recorded.with(null, until, recorded.sources, published);
    return tells(write, new Outcome.Applied<>(null, false, deleted.mark(write.message())), deleted);
  }

  /** What an action does with missing and deleted entities, at least. */
  private static Rules existence(Write.Action<View> action) {
    if (action instanceof Write.Action.Update<View> update) {
      return update.rules();
    }
    boolean creates =
        action instanceof Write.Action.Delete<View> delete
            ? !delete.mustExist()
            : action instanceof Write.Action.Apply<View> apply && apply.initialOrNull() != null;
    Rules rules = creates ? Rules.defaults().createIfMissing() : Rules.defaults();
    return action instanceof Write.Action.Forget ? rules.recreate() : rules;
  }

  private Oracle recording(Message message, Tracking tracking) {
    if (message instanceof SourceEvent event) {
      Map<Source, OfSource> all = new HashMap<>(sources);
      all.put(event.source().generation(0), of(event).with(event, policy(event, tracking)));
      return with(attributes, deletedUntil, all, published);
    }
    Set<String> all = new HashSet<>(ids);
    all.add(((MessageId) message).value());
    return new Oracle(attributes, deletedUntil, all, sources, published, subscriber, others);
  }

  private Step updated(Write<View> write, Change change, Oracle recorded) {
    Map<String, Object> before = attributes == null ? Map.of() : attributes;
    if (!Evaluator.test(change.condition().orElse(Condition.always()), before)) {
      return refused(write, change.rules().skipsOtherwise(), recorded);
    }
    Map<String, Object> after = Neutral.record(Evaluator.apply(change.operations(), before));
    Map<Source, OfSource> kept = new HashMap<>(recorded.sources);
    change.rules().retired().forEach(source -> kept.remove(source.generation(0)));
    List<String> all = with(change.rules().published());
    Oracle changed = recorded.with(after, null, kept, all);
    boolean recordsOnly =
        change.operations().isEmpty()
            && change.rules().retired().isEmpty()
            && change.rules().published().isEmpty();
    return recordsOnly ? unchanged(write, changed) : applied(write, changed);
  }

  /** The message is recorded alone, unless that creates the entity. */
  private Step unchanged(Write<View> write, Oracle after) {
    View view = after.view(write.key()).orElse(null);
    return state() == Found.State.LIVE
        ? tells(write, new Outcome.Recorded<>(view, after.mark(write.message())), after)
        : applied(write, after);
  }

  private Step decided(Write<View> write, Write.Action.Apply<View> apply, Oracle recorded) {
    View before =
        view(write.key())
            .orElseGet(() -> MAPPER.entity(write.key(), MAPPER.attributes(apply.initial())));
    Map<String, Object> after = new LinkedHashMap<>(attributes == null ? Map.of() : attributes);
    after.keySet().removeAll(MAPPER.attributes(before).keySet());
    Map<String, Object> found = MAPPER.attributes(before);
    Decision<View> decision = apply.decide(before);
    if (decision instanceof Decision.Refuse<View> refusal) {
      return refused(write, refusal.recorded(), recorded);
    }
    Decision.To<View> to = (Decision.To<View>) decision;
    Map<String, Object> made = MAPPER.attributes(to.entity());
    after.putAll(made);
    List<String> all = with(to.published());
    Oracle changed = recorded.with(after, null, recorded.sources, all);
    return made.equals(found) && to.published().isEmpty()
        ? unchanged(write, changed)
        : applied(write, changed);
  }

  private List<String> with(List<OutgoingMessage> more) {
    List<String> all = new ArrayList<>(published);
    more.forEach(message -> all.add(message.text().orElseThrow()));
    return all;
  }

  private Step refused(Write<View> write, boolean records, Oracle recorded) {
    boolean skips = records && state() == Found.State.LIVE;
    View view = view(write.key()).orElse(null);
    return tells(write, new Outcome.Refused<>(view, skips), skips ? recorded : this);
  }

  private Step applied(Write<View> write, Oracle after) {
    View view = after.view(write.key()).orElse(null);
    boolean created = state() != Found.State.LIVE;
    return tells(write, new Outcome.Applied<>(view, created, after.mark(write.message())), after);
  }
}
