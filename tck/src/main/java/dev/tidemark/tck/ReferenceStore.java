package dev.tidemark.tck;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.Decision;
import dev.tidemark.EntityStore;
import dev.tidemark.Freshness;
import dev.tidemark.Key;
import dev.tidemark.Mark;
import dev.tidemark.MarkCache;
import dev.tidemark.Message;
import dev.tidemark.NotBefore;
import dev.tidemark.Operation;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.TidemarkException;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Recall;
import dev.tidemark.kernel.TrackedCall;
import java.time.Clock;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory: the kernel's judge and a map. What real stores are compared with; also for
 * users' own fast tests. Safe for use by many threads.
 *
 * @param <T> the entity's type
 */
public final class ReferenceStore<T> implements EntityStore<T> {
  private final ReferenceTable table;
  private final ReferenceMapper<T> mapper;
  private final Tracking tracking;
  private final Clock clock;
  private final Names names;
  private final Recall recall;

  ReferenceStore(
      ReferenceTable table,
      ReferenceMapper<T> mapper,
      Tracking tracking,
      Clock clock,
      @Nullable MarkCache cache) {
    this.table = table;
    this.mapper = mapper;
    this.tracking = tracking;
    this.clock = clock;
    this.names = Names.flat(tracking);
    this.recall = new Recall(cache, tracking, table);
  }

  /**
   * An empty store.
   *
   * @param mapper turns entities into attributes
   * @param tracking what entities remember
   * @param clock the writer's clock
   * @param <T> the entity's type
   * @return a store of its own
   */
  public static <T> ReferenceStore<T> of(
      ReferenceMapper<T> mapper, Tracking tracking, Clock clock) {
    return new ReferenceStore<>(new ReferenceTable(), mapper, tracking, clock, null);
  }

  @Override
  public Tracking tracking() {
    return tracking;
  }

  @Override
  public Outcome<T> update(Message message, Key key, Change change) {
    for (Operation operation : change.operations()) {
      String attribute = operation.path().segments().get(0);
      if (names.owns(attribute)) {
        throw new IllegalArgumentException("tracking owns attribute '" + operation.path() + "'");
      }
      mapper.check(operation);
    }
    ReferenceCall<T> call = call(message, key);
    call.tracked().erasesItsMark(change.retired(), false);
    boolean retires = !change.retired().isEmpty();
    return recalling(message, key, retires, () -> call.run(look -> update(call, look, change)));
  }

  /** Makes a call unless its outcome is sure, and takes note of it. */
  private Outcome<T> recalling(
      Message message, Key key, boolean erases, Supplier<Outcome<T>> call) {
    Optional<Outcome<T>> sure = recall.sure(message, key);
    if (sure.isPresent()) {
      return sure.get();
    }
    if (erases) {
      recall.forget(key);
    }
    Outcome<T> outcome = call.get();
    recall.saw(message, key, outcome, erases, null);
    return outcome;
  }

  private Optional<Outcome<T>> update(
      ReferenceCall<T> call, ReferenceCall.Look<T> look, Change change) {
    Optional<Outcome<T>> missing = call.tracked().existence(look.found, change);
    if (missing.isPresent()) {
      return call.missing(look, change, missing.get());
    }
    Condition condition = change.condition().orElse(Condition.always());
    if (!Evaluator.test(condition, look.attributes)) {
      return refuse(call, look, change.skipsOtherwise(), look.found.entity());
    }
    Map<String, Object> marks = call.recorded(look, change.retired());
    Map<String, Object> after = Evaluator.apply(change.operations(), look.attributes);
    T entity = call.entityIfMapped(Neutral.record(after));
    boolean created = look.state != Found.State.LIVE;
    return look.write(
        ReferenceCall.record(after, marks), call.tracked().applied(entity, created, marks));
  }

  private Optional<Outcome<T>> refuse(
      ReferenceCall<T> call, ReferenceCall.Look<T> look, boolean skips, @Nullable T entity) {
    if (!skips || look.state != Found.State.LIVE) {
      return Optional.of(new Outcome.Refused<>(entity, false));
    }
    Map<String, Object> marks = call.skipped(look);
    return look.write(
        ReferenceCall.record(look.attributes, marks), new Outcome.Refused<>(entity, true));
  }

  @Override
  public Outcome<T> decide(Message message, Key key, Function<T, Decision<T>> function) {
    return apply(message, key, new Write.Action.Apply<>(null, function), Change.change());
  }

  @Override
  public Outcome<T> decide(
      Message message, Key key, Supplier<T> initial, Function<T, Decision<T>> function) {
    Write.Action.Apply<T> action = new Write.Action.Apply<>(initial, function);
    return apply(message, key, action, Change.change().createIfMissing());
  }

  private Outcome<T> apply(
      Message message, Key key, Write.Action.Apply<T> action, Change existence) {
    ReferenceCall<T> call = call(message, key);
    return recalling(
        message,
        key,
        false,
        () ->
            call.run(
                look -> {
                  Optional<Outcome<T>> missing = call.tracked().existence(look.found, existence);
                  return missing.isPresent()
                      ? call.missing(look, existence, missing.get())
                      : apply(call, look, action);
                }));
  }

  private Optional<Outcome<T>> apply(
      ReferenceCall<T> call, ReferenceCall.Look<T> look, Write.Action.Apply<T> action) {
    T before = entity(call, look);
    Map<String, Object> known = before == null ? Map.of() : mapper.attributes(before);
    if (before == null) {
      before = mapper.entity(call.key(), mapper.attributes(action.initial()));
    }
    Decision<T> decision = action.decide(before);
    if (decision instanceof Decision.Refuse<T> refusal) {
      boolean live = look.state == Found.State.LIVE;
      T entity = live ? mapper.entity(call.key(), look.attributes) : null;
      return refuse(call, look, refusal.recorded(), entity);
    }
    T after = ((Decision.To<T>) decision).entity();
    if (!mapper.key(after).equals(new Key(call.key().parts(), Map.of()))) {
      throw new IllegalArgumentException("the function changed the key");
    }
    Map<String, Object> attributes = new LinkedHashMap<>(look.attributes);
    attributes.keySet().removeAll(known.keySet());
    attributes.putAll(mapper.attributes(after));
    Map<String, Object> marks = call.recorded(look, Set.of());
    boolean created = look.state != Found.State.LIVE;
    return look.write(
        ReferenceCall.record(attributes, marks), call.tracked().applied(after, created, marks));
  }

  @Override
  public Outcome<T> delete(Message message, Key key) {
    return recalling(message, key, true, () -> delete(call(message, key), false));
  }

  @Override
  public Outcome<T> deleteExisting(Message message, Key key) {
    return recalling(message, key, true, () -> delete(call(message, key), true));
  }

  private Outcome<T> delete(ReferenceCall<T> call, boolean mustExist) {
    return call.run(
        look -> {
          if (look.state == Found.State.DELETED
              || (look.state == Found.State.ABSENT && mustExist)) {
            Outcome<T> missing = new Outcome.Missing<>(look.state == Found.State.DELETED);
            return call.missing(look, Change.change(), missing);
          }
          Map<String, Object> marks = call.tracked().tombstone(call.tracked().marks(look.found));
          return look.write(marks, call.tracked().applied(null, false, marks));
        });
  }

  @Override
  public Outcome<T> forget(Message message, Key key) {
    ReferenceCall<T> call = call(message, key);
    call.tracked().erasesItsMark(Set.of(), true);
    return recalling(
        message,
        key,
        true,
        () ->
            call.run(
                look ->
                    look.state == Found.State.ABSENT
                        ? Optional.of(new Outcome.Missing<>(true))
                        : look.write(null, call.tracked().applied(null, false, Map.of()))));
  }

  @Override
  public List<Result<T>> writeAll(List<Write<T>> writes) {
    return Batch.oneByOne(this, writes);
  }

  @Override
  public Optional<T> find(Key key) {
    // The message does not matter: a find only looks.
    ReferenceCall<T> call = call(dev.tidemark.MessageId.of("find"), key);
    return Optional.ofNullable(entity(call, call.look()));
  }

  @Override
  public Freshness<T> find(Key key, NotBefore notBefore) {
    long end = System.nanoTime() + notBefore.timeout().toNanos();
    for (long pause = 100_000; ; pause *= 2) {
      Freshness<T> seen = look(key, notBefore.message());
      if (seen instanceof Freshness.Fresh || System.nanoTime() - end >= 0) {
        return seen;
      }
      LockSupport.parkNanos(Math.min(pause, end - System.nanoTime()));
    }
  }

  private Freshness<T> look(Key key, Message message) {
    try {
      return freshness(call(message, key));
    } catch (TidemarkException e) {
      throw Faults.withKey(e, key);
    }
  }

  private Freshness<T> freshness(ReferenceCall<T> call) {
    ReferenceCall.Look<T> look = call.look();
    Optional<Outcome<T>> judged = call.tracked().settle(look.found);
    boolean seen = judged.isPresent() && !(judged.get() instanceof Outcome.Gap);
    @Nullable Mark mark = call.tracked().mark(call.tracked().marks(look.found));
    return seen ? new Freshness.Fresh<>(entity(call, look)) : new Freshness.NotYet<>(mark);
  }

  private @Nullable T entity(ReferenceCall<T> call, ReferenceCall.Look<T> look) {
    return look.state == Found.State.LIVE ? call.entity(look.attributes) : null;
  }

  private ReferenceCall<T> call(Message message, Key key) {
    TrackedCall tracked = new TrackedCall(message, key, tracking, names, clock);
    return new ReferenceCall<>(table, mapper, names, tracked);
  }
}
