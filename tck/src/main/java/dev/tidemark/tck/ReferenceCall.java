package dev.tidemark.tck;

import dev.tidemark.Change;
import dev.tidemark.ContentionException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.Key;
import dev.tidemark.Outcome;
import dev.tidemark.Source;
import dev.tidemark.TidemarkException;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.TrackedCall;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** One call of the reference store: looks, decides, and writes if nothing came between. */
final class ReferenceCall<T> {
  private static final int ATTEMPTS = 8;
  private static final int RACES = 10_000;

  /** What a call does once the message is known to be fresh. */
  interface Step<T> {
    /** Ends the call, or leaves in the call what is to be written. */
    Optional<Outcome<T>> decide(Look<T> look);
  }

  /** What is stored, in parts; and what shall be stored. */
  static final class Look<T> {
    final Found<T> found;
    final Found.State state;
    final Map<String, Object> attributes;
    private final @Nullable Map<String, Object> record;
    private @Nullable Map<String, Object> after;
    private Outcome<T> outcome;

    private Look(
        Found<T> found,
        Found.State state,
        Map<String, Object> attributes,
        @Nullable Map<String, Object> record,
        Outcome<T> outcome) {
      this.found = found;
      this.state = state;
      this.attributes = attributes;
      this.record = record;
      this.outcome = outcome;
    }

    /** Asks for a write, and says what it will have been. */
    Optional<Outcome<T>> write(@Nullable Map<String, Object> record, Outcome<T> outcome) {
      this.after = record == null ? null : Neutral.record(record);
      this.outcome = outcome;
      return Optional.empty();
    }
  }

  private final ReferenceTable table;
  private final ReferenceMapper<T> mapper;
  private final Names names;
  private final TrackedCall call;
  private final TrackedCall skip; // a refused message is recorded under a token of its own

  ReferenceCall(ReferenceTable table, ReferenceMapper<T> mapper, Names names, TrackedCall call) {
    this.table = table;
    this.mapper = mapper;
    this.names = names;
    this.call = call;
    this.skip = call.another();
  }

  Key key() {
    return call.key();
  }

  TrackedCall tracked() {
    return call;
  }

  Look<T> look() {
    @Nullable Map<String, Object> record = table.read(call.key()).orElse(null);
    Map<String, Object> marks = new LinkedHashMap<>();
    Map<String, Object> attributes = new LinkedHashMap<>();
    if (record != null) {
      record.forEach((name, value) -> (names.owns(name) ? marks : attributes).put(name, value));
    }
    Found.State state = new Found<T>(record != null, marks, null).state(names, call.now());
    boolean live = state == Found.State.LIVE;
    T entity = live ? entityIfMapped(attributes) : null;
    Found<T> found = new Found<>(record != null, marks, entity);
    Map<String, Object> seen = live ? attributes : Map.of();
    return new Look<>(found, state, seen, record, new Outcome.Missing<>(false));
  }

  /** The entity of some attributes, for whoever needs it. */
  T entity(Map<String, Object> attributes) {
    try {
      return mapper.entity(call.key(), attributes);
    } catch (RuntimeException e) {
      throw new CorruptRecordException(
          "the stored entity cannot be mapped" + misfit(attributes), call.key(), Faults.silent(e));
    }
  }

  /** The same for an outcome, which is what it is without the entity, too. */
  @Nullable T entityIfMapped(Map<String, Object> attributes) {
    try {
      return entity(attributes);
    } catch (CorruptRecordException e) {
      return null;
    }
  }

  /** Names the first attribute that cannot be mapped by itself. */
  private String misfit(Map<String, Object> attributes) {
    for (Map.Entry<String, Object> attribute : attributes.entrySet()) {
      try {
        mapper.key(mapper.entity(call.key(), Map.ofEntries(attribute)));
      } catch (RuntimeException e) {
        return ": attribute '" + attribute.getKey() + "' does not fit";
      }
    }
    return "";
  }

  Outcome<T> run(Step<T> step) {
    try {
      return rounds(step);
    } catch (TidemarkException e) {
      throw Faults.withKey(e, call.key());
    }
  }

  private Outcome<T> rounds(Step<T> step) {
    int failures = 0;
    for (int race = 0; race < RACES; race++) {
      Look<T> look = look();
      if (skip.token().equals(look.found.revision(names))) {
        return new Outcome.Refused<>(look.found.entity(), true);
      }
      Optional<Outcome<T>> answer = call.settle(look.found);
      answer = answer.isPresent() ? answer : step.decide(look);
      if (answer.isPresent()) {
        return answer.get();
      }
      try {
        if (table.replace(call.key(), look.record, look.after)) {
          return look.outcome;
        }
      } catch (ReferenceTable.ReplyLost e) {
        call.attemptWasUncertain();
        failures++;
        if (failures == ATTEMPTS) {
          throw call.unknown(e);
        }
      } catch (ReferenceTable.Busy e) {
        failures++;
        if (failures == ATTEMPTS) {
          throw new ContentionException("the store was busy: " + e.getMessage(), call.key(), e);
        }
        LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(1_000L << failures));
      }
    }
    throw new ContentionException("other writers kept getting in between", call.key(), null);
  }

  /** Says that there is no entity, and has the message recorded on a tombstone where it must be. */
  Optional<Outcome<T>> missing(Look<T> look, Change change, Outcome<T> missing) {
    TrackedCall recorder = call.recorder(look.found, change).orElse(null);
    return recorder == null
        ? Optional.of(missing)
        : look.write(
            Evaluator.apply(recorder.recorded(look.found.marks()), look.found.marks()), missing);
  }

  /** The marks after the message was recorded. */
  Map<String, Object> recorded(Look<T> look, Set<Source> retired) {
    return recorded(call, look, retired);
  }

  /** The marks after the message was recorded without its change. */
  Map<String, Object> skipped(Look<T> look) {
    return recorded(skip, look, Set.of());
  }

  private Map<String, Object> recorded(TrackedCall by, Look<T> look, Set<Source> retired) {
    Map<String, Object> marks = by.marks(look.found);
    Map<String, Object> after =
        new LinkedHashMap<>(Evaluator.apply(by.informed(marks, retired), marks));
    boolean created = look.state != Found.State.LIVE;
    if (created) {
      after.put(names.birth(), call.token());
    }
    after.remove(names.tombstone());
    return after;
  }

  /** An entity's attributes and marks in one record. */
  static Map<String, Object> record(Map<String, Object> attributes, Map<String, Object> marks) {
    Map<String, Object> record = new LinkedHashMap<>(attributes);
    record.putAll(marks);
    return record;
  }
}
