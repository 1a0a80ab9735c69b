package dev.tidemark.mongodb;

import dev.tidemark.EntityKey;
import dev.tidemark.InvalidChangeException;
import dev.tidemark.Message;
import dev.tidemark.Write;
import dev.tidemark.kernel.Effect;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Reply;
import dev.tidemark.kernel.Request;
import dev.tidemark.kernel.Run;
import dev.tidemark.kernel.Step;
import dev.tidemark.mongodb.MongoNativeUpdate.NativeWrite;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/** One run among those that are worked on together: its next step, and what came of it. */
final class Runner<T> {
  /** How often a change may be refused over one revision: untracked writers leave it the same. */
  private static final int MOST_REFUSALS = 3;

  /** The reply to an accepted write, with the entity as a read finds it next. */
  interface Accepted<T> {
    Reply<T> with(@Nullable T entity);
  }

  private final Context<T> context;
  private final EntityKey key;
  private final List<Write<T>> writes;
  private final Run<T> run;
  private Step<T> step = new Step.Yield<>();
  private long due = System.nanoTime();
  private long sent;
  private int refusals;
  private @Nullable ByteBuffer refusedOver;
  private boolean doubtful;
  private @Nullable Boolean matches;
  private @Nullable Accepted<T> returning;
  private @Nullable StoredDocument<T> written;

  Runner(Context<T> context, List<Write<T>> writes, Run<T> run) {
    this.context = context;
    this.key = writes.get(0).key();
    this.writes = writes;
    this.run = run;
  }

  EntityKey key() {
    return key;
  }

  Run<T> run() {
    return run;
  }

  /** Whether it is of one write, so that what concerns its message is all that it has to know. */
  boolean isOfOne() {
    return writes.size() == 1;
  }

  List<Message> messages() {
    List<Message> messages = new ArrayList<>(writes.size());
    writes.forEach(write -> messages.add(write.message()));
    return messages;
  }

  /** Goes to the next step that needs the store; false if there is none. */
  boolean advance() {
    if (returning != null) {
      return true;
    }
    step = run.next();
    while (step instanceof Step.Pause<T> || step instanceof Step.Yield<T>) {
      if (step instanceof Step.Pause<T> pause) {
        due = System.nanoTime() + pause.time().toNanos();
      }
      step = run.next();
    }
    return !(step instanceof Step.Done);
  }

  /** How long its pause still is, in nanoseconds. */
  long left() {
    return due - System.nanoTime();
  }

  boolean reads() {
    return returning != null || step instanceof Step.Read;
  }

  /** The request to send now; its time starts. */
  Request<T> request() {
    sent = System.nanoTime();
    return ((Step.Send<T>) step).request();
  }

  private @Nullable Request<T> refused() {
    return step instanceof Step.Read<T> read ? read.refused() : null;
  }

  /** The native update whose own filter may have refused it; null if that is not the question. */
  @Nullable NativeWrite refusedByFilter() {
    Request<T> refused = refused();
    return refused != null && refused.hasRule() && refused.effect() instanceof Effect.Own<T> own
        ? (NativeWrite) own.update()
        : null;
  }

  void matches(boolean filter) {
    matches = filter;
  }

  /** Whether outcomes carry the entity. */
  boolean wantsEntity() {
    return writes.stream().anyMatch(write -> write.action().rules().returns());
  }

  /** Whether the fields have to be read, to call functions on them or to tell what is wrong. */
  boolean needsDocument() {
    Request<T> refused = refused();
    boolean asks = refused != null && (refused.over() != null || refused.hasRule());
    return asks || isOfOne() || wantsEntity();
  }

  /** Whether a change was refused over this before, though it fits. */
  boolean wasRefused(StoredDocument<T> over) {
    return over.document() != null
        && refusals > 0
        && Objects.equals(refusedOver, over.found().revision(context.names()));
  }

  /** Refuses a change that was refused over this before, though nothing says why. */
  void requireFit(StoredDocument<T> over) {
    boolean same = Objects.equals(refusedOver, over.found().revision(context.names()));
    if (same && refusals >= MOST_REFUSALS) {
      throw new InvalidChangeException("the change does not fit the entity", key, null);
    }
  }

  /** Notes over which revision the server refused a change. */
  private void refused(Request<T> request) {
    StoredDocument<T> over = (StoredDocument<T>) request.over();
    if (over != null && over.found().exists() && request.effect() instanceof Effect.Changes) {
      ByteBuffer revision = over.found().revision(context.names());
      refusals = Objects.equals(refusedOver, revision) ? refusals + 1 : 1;
      refusedOver = revision;
    }
  }

  /** Waits for the entity, as it is now, which the reply to an accepted write has to carry. */
  void returning(Accepted<T> accepted) {
    returning = accepted;
  }

  void found(StoredDocument<T> stored) {
    if (returning != null) {
      returned(stored.found().entity());
      return;
    }
    Boolean filter = matches;
    matches = null;
    run.found(filter == null ? stored : stored.where(filter));
  }

  private void returned(@Nullable T entity) {
    Reply<T> accepted = Objects.requireNonNull(returning).with(entity);
    returning = null;
    on(accepted);
  }

  /** Takes note that a read failed; that a write was accepted stays certain. */
  void unread(RuntimeException e) {
    if (returning != null) {
      returned(null);
      return;
    }
    run.unread(
        Errors.isPassing(e)
            ? new Reply.Busy<>(1, e)
            : new Reply.Fault<>(Faults.withKey(e, key), false));
  }

  /** Whether an attempt ended without an answer that tells whether it was made. */
  boolean isDoubtful() {
    return doubtful;
  }

  /** Notes that its write may have been carried out, by the driver's own retry or in a bulk. */
  void mayHaveBeenMade() {
    doubtful = true;
    run.mayHaveBeenMade();
  }

  void on(Reply<T> reply) {
    Request<T> request = ((Step.Send<T>) step).request();
    if (reply instanceof Reply.Refused) {
      refused(request);
    } else if (reply instanceof Reply.Accepted && context.recall().isOn()) {
      keep(request);
    }
    doubtful |= reply instanceof Reply.Lost;
    run.on(reply, false, took());
  }

  private Duration took() {
    return Duration.ofNanos(System.nanoTime() - sent);
  }

  /** What functions have made, over which the next may be called without a read. */
  private void keep(Request<T> request) {
    written = null;
    if (request.effect() instanceof Effect.Called<T> called && !context.mapping().carriesMarks()) {
      StoredDocument<T> over = (StoredDocument<T>) Objects.requireNonNull(request.over());
      Map<String, Object> marks =
          request.marking().marksAfter(request.marking().marks(over.found()), Set.of());
      BsonDocument document = Pipelines.functions(called).document();
      written =
          new StoredDocument<>(context, key, new Found<>(true, marks, null), document, List.of());
    }
  }

  /** What it has written last; null if it is not known whole. */
  @Nullable StoredDocument<T> written() {
    return written;
  }
}
