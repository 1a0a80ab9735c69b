package dev.tidemark.mongodb;

import com.mongodb.MongoException;
import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.Operation;
import dev.tidemark.Outcome;
import dev.tidemark.Path;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import dev.tidemark.kernel.Found;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** A change by a function: reads, calls it, writes the fields that differ, unless others wrote. */
final class MongoApply<T> {
  private final MongoRun<T> run;
  private final Write.Action.Apply<T> action;
  private boolean first = true;
  private @Nullable MongoStored<T> written;

  private MongoApply(MongoRun<T> run, Write.Action.Apply<T> action) {
    this.run = run;
    this.action = action;
  }

  static <T> Outcome<T> apply(MongoRun<T> run, Write.Action.Apply<T> action) {
    MongoApply<T> apply = new MongoApply<>(run, action);
    Outcome<T> outcome = MongoRetries.run(run, apply::round);
    run.context().recall().saw(run.message(), run.key(), outcome, false, apply.written);
    return outcome;
  }

  private Optional<Outcome<T>> round() {
    MongoStored<T> old = recalled();
    first = false;
    if (old != null) {
      Optional<Outcome<T>> outcome = overOld(old);
      if (outcome.isPresent()) {
        return outcome;
      }
    }
    MongoStored<T> stored = MongoReads.look(run);
    if (run.isSkipped(stored.found())) {
      return Optional.of(refused(stored, true));
    }
    Change existence =
        action.initialOrNull() == null ? Change.change() : Change.change().createIfMissing();
    Optional<Outcome<T>> settled = run.call().settle(stored.found());
    if (settled.isPresent()) {
      return settled;
    }
    Optional<Outcome<T>> missing = run.call().existence(stored.found(), existence);
    if (missing.isPresent()) {
      return MongoImages.missing(run, stored, existence, missing.get());
    }
    if (!stored.nulls().isEmpty()) {
      MongoImages.dropNulls(run, stored);
      return Optional.empty();
    }
    boolean live = stored.found().state(run.names(), run.call().now()) == Found.State.LIVE;
    return live ? changed(stored, true) : created(stored);
  }

  /** A fault of a function may be that of what is no longer so: a read tells. */
  private Optional<Outcome<T>> overOld(MongoStored<T> old) {
    try {
      return changed(old, false);
    } catch (MongoException e) {
      throw e;
    } catch (RuntimeException e) {
      return Optional.empty();
    }
  }

  /**
   * What was written last, if a write over it is all that is missing. Of ids it would not be known
   * whether they have to be rewritten; nor of a new source whether it fits.
   */
  @SuppressWarnings("unchecked")
  private @Nullable MongoStored<T> recalled() {
    Object kept = first ? run.context().recall().stored(run.key()) : null;
    if (kept == null || !(run.message() instanceof SourceEvent event)) {
      return null;
    }
    MongoStored<T> old = (MongoStored<T>) kept;
    boolean known =
        run.names().marks(event.source()).stream().anyMatch(old.found().marks()::containsKey);
    return known && run.call().<T>settle(old.found()).isEmpty() ? old : null;
  }

  private void keep(BsonDocument document, Map<String, Object> marks) {
    if (run.context().recall().isOn() && !run.context().mapping().carriesMarks()) {
      written = new MongoStored<>(new Found<>(true, marks, null), document, true, true, null, -1);
    }
  }

  /** What is surely stored may be refused; what was stored a while ago may be another by now. */
  private Optional<Outcome<T>> changed(MongoStored<T> stored, boolean sure) {
    T entity = Objects.requireNonNull(run.requiredEntity(stored.document()));
    BsonDocument before = run.context().mapping().document(entity);
    Decision<T> decision = decision(entity);
    if (decision instanceof Decision.Refuse<T> refusal) {
      return sure ? refuse(stored, refusal) : Optional.empty();
    }
    T after = ((Decision.To<T>) decision).entity();
    List<Operation> difference =
        difference(before, run.context().mapping().document(after), run.id().keySet());
    MongoOperators operators =
        new MongoOperators(run.registry())
            .change(difference)
            .marks(MongoOperatorForm.known(known(stored), run.informed(stored, Set.of())));
    BsonDocument filter = run.filter(MongoImages.unchanged(run, stored.found()));
    if (run.transport().writes().updateOne(filter, operators.render()).getMatchedCount() == 0) {
      return Optional.empty();
    }
    Map<String, Object> marks = run.call().marks(stored.found());
    BsonDocument document = stored.document().clone();
    before.keySet().forEach(document::remove);
    document.putAll(run.context().mapping().document(after));
    document.putAll(run.id());
    keep(document, run.call().marksAfter(marks));
    return Optional.of(run.applied(after, false, marks));
  }

  /** Marks as they were read, where {@code known} looks for those that are missing. */
  private MongoStored<T> known(MongoStored<T> stored) {
    BsonDocument marks = run.context().records().nested(stored.found().marks());
    return new MongoStored<>(stored.found(), marks, true, true, null, -1);
  }

  private Decision<T> decision(T entity) {
    Decision<T> decision = MongoRetries.own(() -> action.decide(entity));
    if (decision instanceof Decision.To<T> to) {
      BsonDocument after = run.context().mapping().document(to.entity());
      MongoMapping.requireKey(after, run.id(), run.key());
    }
    return decision;
  }

  /** Records a refused message if the function says so, unless another write came between. */
  private Optional<Outcome<T>> refuse(MongoStored<T> stored, Decision.Refuse<T> refusal) {
    if (!refusal.recorded()) {
      return Optional.of(refused(stored, false));
    }
    MongoOperators marks =
        new MongoOperators(run.registry())
            .marks(MongoOperatorForm.known(known(stored), run.skipping(stored)));
    BsonDocument filter = run.filter(MongoImages.unchanged(run, stored.found()));
    long matched = run.transport().writes().updateOne(filter, marks.render()).getMatchedCount();
    return matched == 0 ? Optional.empty() : Optional.of(refused(stored, true));
  }

  /** The entity as it was found, which the function may have changed in its hands. */
  private Outcome<T> refused(MongoStored<T> stored, boolean recorded) {
    return new Outcome.Refused<>(run.entity(stored.document()), recorded);
  }

  /** What makes the one out of the other, but for the fields of the key. */
  static List<Operation> difference(BsonDocument before, BsonDocument after, Set<String> ofKey) {
    List<Operation> operations = new ArrayList<>();
    after.forEach(
        (name, value) -> {
          if (!ofKey.contains(name) && !value.equals(before.get(name))) {
            operations.add(new Operation.Assign(Path.of(MongoNames.check(name)), value));
          }
        });
    before.forEach(
        (name, value) -> {
          if (!ofKey.contains(name) && !after.containsKey(name)) {
            operations.add(new Operation.Remove(Path.of(MongoNames.check(name))));
          }
        });
    return operations;
  }

  private Optional<Outcome<T>> created(MongoStored<T> stored) {
    T first = MongoRetries.own(action::initial);
    Decision<T> decision = decision(run.context().mapping().keyed(first, run.id()));
    if (!(decision instanceof Decision.To<T> to)) {
      return Optional.of(new Outcome.Refused<>(null, false));
    }
    T after = to.entity();
    BsonDocument document = run.id().clone();
    run.context().mapping().document(after).forEach(document::putIfAbsent);
    document.putAll(run.context().records().nested(run.newMarks()));
    if (stored.found().exists()) {
      BsonDocument filter = run.filter(MongoImages.unchanged(run, stored.found()));
      if (run.transport().writes().replaceOne(filter, document).getMatchedCount() == 0) {
        return Optional.empty();
      }
    } else {
      run.transport().writes().insertOne(document);
    }
    keep(document, run.newMarks());
    return Optional.of(run.applied(run.entity(document), true, Map.of()));
  }
}
