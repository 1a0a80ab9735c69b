package dev.tidemark.mongodb;

import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import dev.tidemark.Condition;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Operation;
import dev.tidemark.Outcome;
import dev.tidemark.Path;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Plan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * A portable change as operators under a filter, for servers without pipeline updates: what refused
 * it takes a read to know.
 */
final class MongoOperatorForm<T> implements MongoForm<T> {
  private final MongoRun<T> run;
  private final MongoFilters filters;

  MongoOperatorForm(MongoRun<T> run) {
    this.run = run;
    this.filters = new MongoFilters(run.registry());
  }

  @Override
  public Attempt<T> blind() {
    if (!MongoOperators.canSay(run.change().operations()) || !run.comparesExactly()) {
      return Attempt.refused(look());
    }
    Plan plan = run.call().blind(run.change().retired());
    List<BsonDocument> tests = new ArrayList<>(tests(run.change().operations()));
    tests.add(filters.render(plan.guard().and(run.call().live())));
    tests.addAll(floors(plan.operations()));
    MongoOperators operators =
        new MongoOperators(run.registry())
            .change(run.change().operations())
            .marks(plan.operations());
    boolean upsert = run.createsBlindly();
    if (upsert) {
      operators.onInsert(run.names().birth(), MongoValues.mark(run.call().token()));
    }
    return attempt(tests, operators, upsert);
  }

  private Attempt<T> attempt(List<BsonDocument> tests, MongoOperators operators, boolean upsert) {
    BsonDocument image;
    try {
      image = update(tests, operators, upsert);
    } catch (RuntimeException e) {
      if (MongoErrors.kind(e) == MongoErrors.Kind.KEY_TAKEN) {
        return Attempt.refused(look());
      }
      MongoStored<T> stored = MongoErrors.mayBeOfNull(e) ? look() : MongoStored.nothing();
      if (!stored.nulls().isEmpty()) {
        return Attempt.refused(stored);
      }
      throw e;
    }
    if (image == null && !upsert) {
      return Attempt.refused(look());
    }
    if (image == null) {
      flagFull(run.call().marksAfter(Map.of()), false);
      return Attempt.applied(run.applied(null, true, Map.of()));
    }
    Map<String, Object> marks = run.context().records().flat(image);
    if (run.change().returns()) {
      flagFull(marks, marks.containsKey(run.names().full()));
      boolean created = run.call().token().equals(marks.get(run.names().birth()));
      return Attempt.applied(run.call().applied(run.entity(image), created, marks));
    }
    flagFull(run.call().marksAfter(marks), marks.containsKey(run.names().full()));
    return Attempt.applied(run.applied(null, false, marks));
  }

  /** The number of sources is not known to these servers: one more write where it is the last. */
  private void flagFull(Map<String, Object> after, boolean flagged) {
    if (run.call().mustFlagFull(run.names().countSources(after.keySet()), flagged)) {
      run.flagFull();
    }
  }

  /** A floor is only ever raised blindly where it is missing. */
  static List<BsonDocument> floors(List<Operation> plan) {
    List<BsonDocument> tests = new ArrayList<>();
    for (Operation operation : plan) {
      if (operation instanceof Operation.AssignIfAbsent start
          && start.path().segments().size() > 1) {
        tests.add(MongoFilters.missingOrAtLeast(start.path(), start.value()));
      }
    }
    return tests;
  }

  private List<BsonDocument> tests(List<Operation> operations) {
    List<BsonDocument> tests = new ArrayList<>(MongoShapes.filters(operations, run.context()));
    run.change().condition().map(filters::render).ifPresent(tests::add);
    return tests;
  }

  private @Nullable BsonDocument update(
      List<BsonDocument> tests, MongoOperators operators, boolean upsert) {
    boolean after = run.change().returns();
    return run.transport()
        .writes()
        .findOneAndUpdate(
            run.filter(tests),
            operators.render(),
            new FindOneAndUpdateOptions()
                .upsert(upsert)
                .returnDocument(after ? ReturnDocument.AFTER : ReturnDocument.BEFORE));
  }

  @Override
  public MongoStored<T> look() {
    BsonDocument document =
        MongoRetries.reading(() -> run.transport().reads().find(run.filter(List.of())).first());
    return document == null ? MongoStored.nothing() : stored(run, document);
  }

  /** What a whole document says. */
  static <T> MongoStored<T> stored(MongoRun<T> run, BsonDocument document) {
    Map<String, Object> marks = run.context().records().flat(document);
    Found<T> found = new Found<>(true, marks, run.change().returns() ? run.entity(document) : null);
    MongoNeutral neutral = new MongoNeutral(run.registry());
    Condition condition = neutral.condition(run.change().condition().orElse(Condition.always()));
    Map<String, Object> entity = MongoValues.decode(document);
    return new MongoStored<>(
        found,
        document,
        run.call().acceptsBlindly(run.call().marks(found)),
        Evaluator.test(condition, entity),
        unmet(
            neutral.operations(run.change().operations()),
            entity,
            run.context().mapping().properties()),
        MongoReads.sourcesIfNew(run, marks),
        run.context().records().nulls(document));
  }

  private static @Nullable String unmet(
      List<Operation> operations, Map<String, Object> entity, MongoProperties properties) {
    try {
      Map<String, Object> after = after(operations, entity);
      return operations.stream()
          .filter(Operation.Increase.class::isInstance)
          .map(Operation::path)
          .filter(path -> !properties.holds(path, MongoValues.at(after, path)))
          .map(path -> "'" + path + "' would overflow")
          .findFirst()
          .orElse(null);
    } catch (InvalidChangeException e) {
      return e.getMessage();
    }
  }

  private List<Operation> neutral(List<Operation> operations) {
    return new MongoNeutral(run.registry()).operations(operations);
  }

  private static Map<String, Object> after(List<Operation> operations, Map<String, Object> entity) {
    Map<String, Object> result = entity;
    for (Operation operation : operations) {
      boolean set =
          operation instanceof Operation.AddAll || operation instanceof Operation.RemoveAll;
      Map<String, Object> typed =
          set ? MongoValues.withSet(result, operation.path().segments()) : result;
      result = Evaluator.apply(List.of(operation), typed);
    }
    return result;
  }

  @Override
  public Optional<Outcome<T>> informed(MongoStored<T> stored) {
    boolean deleted = stored.found().marks().containsKey(run.names().tombstone());
    if (!deleted && !run.comparesExactly()) {
      return replaced(stored);
    }
    List<BsonDocument> tests = new ArrayList<>(MongoImages.unchanged(run, stored.found()));
    MongoOperators operators = new MongoOperators(run.registry());
    operators.marks(known(stored, run.informed(stored, run.change().retired())));
    if (deleted) {
      operators.change(resolved(new BsonDocument(), tests));
      operators
          .unset(run.names().tombstone())
          .set(run.names().birth(), MongoValues.mark(run.call().token()));
    } else {
      tests.addAll(tests(run.change().operations()));
      operators.change(resolved(stored.document(), tests));
    }
    BsonDocument image = update(tests, operators, false);
    if (image == null) {
      return Optional.empty();
    }
    T entity = run.change().returns() ? run.entity(image) : null;
    return Optional.of(run.applied(entity, deleted, run.call().marks(stored.found())));
  }

  /** The whole document: operators leave a number that the server takes for equal as it was. */
  private Optional<Outcome<T>> replaced(MongoStored<T> stored) {
    Map<String, Object> before = MongoValues.decode(stored.document());
    Map<String, Object> after = after(neutral(run.change().operations()), before);
    BsonDocument document = run.context().records().withoutMarks(stored.document());
    document.keySet().retainAll(after.keySet());
    after.forEach(
        (name, value) -> {
          if (!value.equals(before.get(name))) {
            document.put(name, MongoValues.encode(value, run.registry()));
          }
        });
    Map<String, Object> marks = run.call().marksWritten(run.call().marks(stored.found()));
    document.putAll(run.context().records().nested(marks));
    BsonDocument filter = run.filter(MongoImages.unchanged(run, stored.found()));
    if (run.transport().writes().replaceOne(filter, document).getMatchedCount() == 0) {
      return Optional.empty();
    }
    T entity = run.change().returns() ? run.entity(document) : null;
    return Optional.of(run.applied(entity, false, run.call().marks(stored.found())));
  }

  /** Marks that are set where they are missing, by a writer who knows whether they are. */
  static List<Operation> known(MongoStored<?> stored, List<Operation> marks) {
    List<Operation> known = new ArrayList<>();
    for (Operation operation : marks) {
      if (!(operation instanceof Operation.AssignIfAbsent start)) {
        known.add(operation);
      } else if (MongoValues.at(stored.document(), start.path()) == null) {
        known.add(new Operation.Assign(start.path(), start.value()));
      }
    }
    return known;
  }

  /** What operators cannot say, by a writer who has read: sets the result, if nothing changed. */
  private List<Operation> resolved(BsonDocument document, List<BsonDocument> tests) {
    if (document.isEmpty()) {
      Map<String, Object> after = Evaluator.apply(neutral(run.change().operations()), Map.of());
      List<Operation> assigned = new ArrayList<>();
      after.forEach((name, value) -> assigned.add(new Operation.Assign(Path.of(name), value)));
      return assigned;
    }
    Map<Path, Operation> resolved = new LinkedHashMap<>();
    for (Operation operation : run.change().operations()) {
      resolved.put(operation.path(), operation);
      if (!MongoOperators.canSay(List.of(operation))) {
        tests.add(MongoFilters.isStill(operation.path(), document));
        resolved.remove(operation.path());
        Map<String, Object> after =
            after(neutral(List.of(operation)), MongoValues.decode(document));
        Object value = MongoValues.at(after, operation.path());
        boolean missing = MongoValues.at(document, operation.path()) == null;
        if (value != null) {
          resolved.put(operation.path(), new Operation.Assign(operation.path(), value));
        } else if (!missing) {
          resolved.put(operation.path(), new Operation.Remove(operation.path()));
        }
      }
    }
    return List.copyOf(resolved.values());
  }

  @Override
  public boolean skip(MongoStored<T> stored) {
    MongoOperators operators =
        new MongoOperators(run.registry()).marks(known(stored, run.skipping(stored)));
    return update(MongoImages.unchanged(run, stored.found()), operators, false) != null;
  }
}
