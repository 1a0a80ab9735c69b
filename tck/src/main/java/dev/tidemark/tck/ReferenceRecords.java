package dev.tidemark.tck;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.Source;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Plan;
import dev.tidemark.kernel.Reply;
import dev.tidemark.kernel.Request;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The port of records over a map: makes one request of a record, under its condition, and tells
 * what came of it, not why. It decides nothing: a run does. Safe for use by many threads.
 */
final class ReferenceRecords<T> {
  private final ReferenceTable table;
  private final ReferenceMapping<T> mapping;
  private final Names names;

  ReferenceRecords(ReferenceTable table, ReferenceMapping<T> mapping, Names names) {
    this.table = table;
    this.mapping = mapping;
    this.names = names;
  }

  ReferenceStored<T> read(EntityKey key) {
    return mapping.stored(key, table.read(key));
  }

  Reply<T> write(Request<T> request) {
    EntityKey key = request.marking().key();
    while (true) {
      @Nullable Map<String, Object> before = table.read(key);
      ReferenceStored<T> stored = mapping.stored(key, before);
      if (!guard(request, stored) || !rule(request, stored.attributes())) {
        return new Reply.Refused<>(stored, false);
      }
      @Nullable Map<String, Object> after;
      try {
        after = after(request, stored);
      } catch (RuntimeException e) {
        return new Reply.Fault<>(e, true);
      }
      if (table.replace(key, before, after)) {
        boolean created = request.over() == null && before == null;
        return accepted(created, mapping.stored(key, after));
      }
    }
  }

  private Reply<T> accepted(boolean created, ReferenceStored<T> stored) {
    Map<String, Object> marks = stored.found().marks();
    int sources = names.countSources(marks.keySet());
    return new Reply.Accepted<>(created, stored.found().entity(), marks, sources);
  }

  /** The caller's rule. */
  private boolean rule(Request<T> request, Map<String, Object> attributes) {
    return Evaluator.test(change(request).condition().orElse(Condition.always()), attributes);
  }

  private Change change(Request<T> request) {
    return request.effect() instanceof Effect.Changes<T> changes
        ? changes.change()
        : Change.change();
  }

  /** All else that the request asks of the record. */
  private boolean guard(Request<T> request, ReferenceStored<T> stored) {
    boolean exists = stored.found().exists();
    Marking marking = request.marking();
    if (request.effect() instanceof Effect.Flag) {
      return Evaluator.test(marking.sources().flag().guard(), stored.record());
    }
    if (request.over() != null) {
      Found<T> over = request.over().found();
      return exists == over.exists()
          && Evaluator.test(marking.unchangedSince(over), stored.record());
    }
    boolean creates = !exists && change(request).rules().creates();
    return (creates || Evaluator.test(marking.open(), stored.record()))
        && Evaluator.test(plan(request).guard(), stored.record());
  }

  private Plan plan(Request<T> request) {
    return request.marking().blind(change(request).rules().retired());
  }

  /** The record after the request; null for none. */
  private @Nullable Map<String, Object> after(Request<T> request, ReferenceStored<T> stored) {
    if (request.effect() instanceof Effect.Removal) {
      return null;
    }
    if (request.effect() instanceof Effect.Flag) {
      return Evaluator.apply(request.marking().sources().flag().operations(), stored.record());
    }
    Map<String, Object> record = new LinkedHashMap<>(attributes(request, stored));
    record.putAll(marks(request, stored));
    return Neutral.record(record);
  }

  private Map<String, Object> attributes(Request<T> request, ReferenceStored<T> stored) {
    if (request.effect() instanceof Effect.Tombstone) {
      return Map.of();
    }
    return request.effect() instanceof Effect.Called<T> called
        ? ((ReferenceFunctions<T>) called.functions()).madeOn(stored.attributes())
        : Evaluator.apply(change(request).operations(), stored.attributes());
  }

  private Map<String, Object> marks(Request<T> request, ReferenceStored<T> stored) {
    Marking marking = request.marking();
    Map<String, Object> before = marking.marks(stored.found());
    if (request.effect() instanceof Effect.Tombstone) {
      return marking.tombstone(before);
    }
    Found.State state = stored.found().state(names, marking.now());
    boolean informed = request.over() != null;
    if (informed && state == Found.State.DELETED && request.effect() instanceof Effect.Nothing) {
      return Evaluator.apply(marking.recorded(before), before);
    }
    Set<Source> retired = change(request).rules().retired();
    if (informed) {
      return state == Found.State.ABSENT
          ? marking.beginning(retired)
          : Evaluator.apply(marking.informed(stored.found(), retired), before);
    }
    Map<String, Object> after =
        new LinkedHashMap<>(Evaluator.apply(plan(request).operations(), before));
    if (state == Found.State.ABSENT) {
      after.put(names.birth(), marking.token());
    }
    return after;
  }
}
