package dev.tidemark.tck;

import dev.tidemark.Change;
import dev.tidemark.Condition;
import dev.tidemark.EntityKey;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Reply;
import dev.tidemark.kernel.Request;
import dev.tidemark.kernel.Requirement;
import dev.tidemark.kernel.Transition;
import java.util.LinkedHashMap;
import java.util.Map;
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
        return new Reply.Refused<>(stored, null);
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
    Requirement required = Requirement.of(request);
    boolean creates = !exists && required.passesAbsent();
    return (creates || Evaluator.test(required.open(), stored.record()))
        && Evaluator.test(required.marks().guard(), stored.record());
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
    Map<String, Object> before = request.marking().marks(stored.found());
    if (request.over() != null) {
      Transition transition = Transition.of(request);
      boolean anew = transition.replaces() || transition.kind() == Transition.Kind.BURIES;
      return anew ? transition.all() : Evaluator.apply(transition.changes(), before);
    }
    Map<String, Object> after =
        new LinkedHashMap<>(Evaluator.apply(Requirement.of(request).marks().operations(), before));
    if (!stored.found().exists()) {
      after.put(names.birth(), request.marking().token());
    }
    return after;
  }
}
