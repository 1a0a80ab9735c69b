package dev.tidemark.mongodb;

import dev.tidemark.InvalidChangeException;
import dev.tidemark.Outcome;
import dev.tidemark.kernel.Evaluator;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.TrackedCall;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.bson.BsonDocument;

/**
 * The algorithm of a change: write blindly; if that is refused let the kernel judge what is stored;
 * if the message is fresh nevertheless, write on the condition that nothing came between.
 */
final class MongoCalls<T> {
  private final MongoRun<T> run;
  private final MongoForm<T> form;

  private MongoCalls(MongoRun<T> run, MongoForm<T> form) {
    this.run = run;
    this.form = form;
  }

  /** A portable change. */
  static <T> Outcome<T> update(MongoRun<T> run) {
    MongoCalls<T> piped = new MongoCalls<>(run, new MongoPipelineForm<>(run));
    return TrackedCall.told(MongoRetries.run(run, () -> round(run, piped)), run.change());
  }

  private static <T> Optional<Outcome<T>> round(MongoRun<T> run, MongoCalls<T> piped) {
    if (run.transport().hasPipelines()) {
      try {
        return piped.round();
      } catch (RuntimeException e) {
        if (MongoErrors.kind(e) != MongoErrors.Kind.NO_PIPELINES) {
          throw e;
        }
        run.transport().lacksPipelines();
      }
    }
    return new MongoCalls<>(run, new MongoOperatorForm<>(run)).round();
  }

  /** An update by the caller's own operators. */
  static <T> Outcome<T> update(MongoRun<T> run, MongoForm<T> form) {
    MongoCalls<T> calls = new MongoCalls<>(run, form);
    return MongoRetries.run(run, calls::round);
  }

  private Optional<Outcome<T>> round() {
    if (run.call().isBeyondHorizon() || run.call().mustLook()) {
      return decide(form.look());
    }
    MongoForm.Attempt<T> attempt = form.blind();
    return attempt.outcome().isPresent() ? attempt.outcome() : decide(attempt.stored());
  }

  /** Judges what refused a write: marks first, then existence, then the caller's condition. */
  private Optional<Outcome<T>> decide(MongoStored<T> stored) {
    Found<T> found = stored.found();
    if (run.isSkipped(found)) {
      return Optional.of(new Outcome.Refused<>(found.entity(), true));
    }
    Optional<Outcome<T>> settled = run.call().settle(found);
    if (settled.isPresent()) {
      return settled;
    }
    Optional<Outcome<T>> missing = run.call().existence(found, run.change());
    if (missing.isPresent()) {
      return MongoImages.missing(run, stored, run.change(), missing.get());
    }
    if (!stored.nulls().isEmpty() && !(form instanceof MongoPipelineForm)) {
      MongoImages.dropNulls(run, stored);
      return Optional.empty();
    }
    if (found.state(run.names(), run.call().now()) != Found.State.LIVE) {
      return create(stored);
    }
    if (!stored.condition()) {
      return refused(stored);
    }
    if (stored.unmet() != null) {
      throw new InvalidChangeException(stored.unmet(), run.key(), null);
    }
    return form.informed(stored);
  }

  private Optional<Outcome<T>> refused(MongoStored<T> stored) {
    T entity = stored.found().entity();
    if (!run.change().skipsOtherwise()) {
      return Optional.of(new Outcome.Refused<>(entity, false));
    }
    return form.skip(stored) ? Optional.of(new Outcome.Refused<>(entity, true)) : Optional.empty();
  }

  private Optional<Outcome<T>> create(MongoStored<T> stored) {
    boolean passes = run.change().condition().map(c -> Evaluator.test(c, Map.of())).orElse(true);
    if (!passes) {
      return Optional.of(new Outcome.Refused<>(null, false));
    }
    Found<T> found = stored.found();
    if (found.state(run.names(), run.call().now()) == Found.State.DELETED) {
      MongoNewDocument.fields(run.context(), run.key(), run.change()); // a fault before the write
      return form.informed(stored);
    }
    if (form instanceof MongoNativeForm<T> own) {
      return own.create(stored);
    }
    BsonDocument document =
        MongoNewDocument.of(run.context(), run.key(), run.change(), run.newMarks());
    if (found.exists()) {
      List<BsonDocument> unchanged = MongoImages.unchanged(run, found);
      if (run.transport().writes().replaceOne(run.filter(unchanged), document).getMatchedCount()
          == 0) {
        return Optional.empty();
      }
    } else {
      run.transport().writes().insertOne(document);
    }
    T entity = run.change().returns() ? run.entity(document) : null;
    return Optional.of(run.applied(entity, true, Map.of()));
  }
}
