package dev.tidemark.mongodb;

import com.mongodb.client.model.WriteModel;
import dev.tidemark.EntityStore;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Key;
import dev.tidemark.Result;
import dev.tidemark.TooLargeException;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Fold;
import dev.tidemark.kernel.FoldedWrite;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Marking;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** The writes of one entity in a batch, step by step, beside those of others. */
final class MongoFold<T> {
  /** After so many writes that others came before, single calls go on, which pause in between. */
  private static final int MOST_RACES = 3;

  private final MongoContext<T> context;
  private final EntityStore<T> store;
  private final Key key;
  private final Fold<T> fold;
  private final boolean functional;
  private Fold.Step<T> step;
  private @Nullable FoldedWrite<T> attempt;
  private @Nullable WriteModel<BsonDocument> model;
  private @Nullable MongoFoldedFunctions<T> functions;
  private @Nullable Found<T> base;
  private int races;
  private int losses;

  private MongoFold(
      MongoContext<T> context, EntityStore<T> store, Batch.Group<T> group, Fold<T> fold) {
    this.context = context;
    this.store = store;
    this.key = group.key();
    this.fold = fold;
    this.functional =
        group.writes().stream().anyMatch(write -> write.action() instanceof Write.Action.Apply);
    this.step = fold.next();
  }

  Key key() {
    return key;
  }

  Instant now() {
    return fold.now();
  }

  List<Result<T>> results() {
    fold.remember(null);
    return fold.results();
  }

  /** Makes the single calls that come next, and prepares a blind write. */
  void advance() {
    while (step instanceof Fold.Step.Alone<T> alone) {
      fold.end(alone.place(), Batch.alone(store, alone.write()));
      step = fold.next();
    }
    if (step instanceof Fold.Step.Blind<T> blind && attempt == null) {
      render(blind.attempt(), () -> MongoFoldedWrites.blind(context, blind.attempt()));
    }
  }

  /** Gives a write its form; one that has none is a fault of one of its messages. */
  private void render(FoldedWrite<T> write, Supplier<WriteModel<BsonDocument>> form) {
    try {
      model = form.get();
      attempt = write;
    } catch (RuntimeException e) {
      fault(e, true);
    }
  }

  boolean isFinished() {
    return step instanceof Fold.Step.Finished;
  }

  /** Whether it waits for a read. */
  boolean mustLook() {
    return step instanceof Fold.Step.Look && model == null;
  }

  /** The write that it waits for; null if there is none. */
  @Nullable WriteModel<BsonDocument> model() {
    return model;
  }

  /** What the write records, once one was prepared. */
  Marking marking() {
    return Objects.requireNonNull(attempt).marking();
  }

  /** Whether its write is one of who has not read. */
  boolean isBlind() {
    return attempt != null && !attempt.isInformed();
  }

  /** Whether the whole document has to be read, since outcomes or functions need it. */
  boolean needsDocument() {
    return functional || returns();
  }

  private boolean isOfFunctions() {
    return attempt != null && attempt.isOfFunctions();
  }

  /** Whether the outcome has to carry an entity that no reply of a bulk brings. */
  boolean returns() {
    return attempt != null && attempt.change().returns();
  }

  /** Takes what is stored. */
  void over(MongoStored<T> stored) {
    boolean written =
        attempt != null
            && attempt.marking().token().equals(stored.found().revision(context.names()));
    if (!written && isRefusedByShape(stored.found())) {
      fault(new InvalidChangeException("the change does not fit the entity", key, null), true);
      return;
    }
    MongoFoldedFunctions<T> calls =
        new MongoFoldedFunctions<>(
            context.mapping(), key, context.keys().document(key), live(stored));
    races += attempt != null && attempt.isInformed() && !written ? 1 : 0;
    Optional<FoldedWrite<T>> next = fold.over(stored.found(), calls);
    if (next.isEmpty() || races > MOST_RACES) {
      if (next.isPresent()) {
        fold.singly();
      }
      next();
      return;
    }
    functions = calls;
    base = stored.found();
    model = null;
    FoldedWrite<T> informed = next.get();
    render(informed, () -> MongoFoldedWrites.informed(context, informed, stored, calls));
  }

  private BsonDocument live(MongoStored<T> stored) {
    boolean live = stored.found().state(context.names(), fold.now()) == Found.State.LIVE;
    return live ? stored.document() : new BsonDocument();
  }

  /**
   * Nobody wrote since the read, and yet the write was not made: what is stored does not fit it.
   */
  private boolean isRefusedByShape(Found<T> now) {
    Found<T> read = base;
    return read != null
        && attempt != null
        && attempt.isInformed()
        && !attempt.isOfFunctions()
        && read.exists()
        && now.exists()
        && Objects.equals(read.revision(context.names()), now.revision(context.names()));
  }

  /** Takes it that the write was made. */
  void accepted(boolean created) {
    accepted(created, isOfFunctions() ? Objects.requireNonNull(functions).entity() : null);
  }

  /** Takes it that the write was made, with the entity that the outcome carries. */
  void accepted(boolean created, @Nullable T entity) {
    fold.accepted(created, entity, Map.of());
    next();
  }

  /** Takes a fault of the write, or of the read before it. */
  void fault(RuntimeException fault, boolean mayBeOfOne) {
    fold.fault(Faults.withKey(fault, key), mayBeOfOne);
    next();
  }

  /** Notes that a reply was lost, and what came of the write is known now. */
  void lost() {
    losses++;
    if (losses == MOST_RACES) {
      singly();
    }
  }

  /** Makes the next write one of fewer messages. */
  void halve() {
    FoldedWrite<T> next = attempt;
    if (next != null && next.places().size() == 1) {
      singly(); // whether it is this one that is too large shows when it is alone
    } else if (next != null) {
      fault(new TooLargeException("the batch is larger than MongoDB takes", key, null), true);
    }
  }

  /** Leaves what is left to single calls; nothing of it is under way. */
  void singly() {
    fold.singly();
    next();
  }

  private void next() {
    attempt = null;
    model = null;
    base = null;
    step = fold.next();
  }

  /** The fold of a group of which nothing is done yet. */
  static <T> MongoFold<T> of(MongoContext<T> context, EntityStore<T> store, Batch.Group<T> group) {
    Fold<T> fold =
        new Fold<>(
            group.writes(),
            context.tracking(),
            context.names(),
            context.clock(),
            write -> check(context, write),
            context.recall());
    return new MongoFold<>(context, store, group, fold);
  }

  private static <T> void check(MongoContext<T> context, Write<T> write) {
    Objects.requireNonNull(context.keys().document(write.key()), "key");
    if (write.action() instanceof Write.Action.Update<T> update) {
      context.mapping().properties().check(update.change(), write.key(), context.registry());
    }
  }
}
