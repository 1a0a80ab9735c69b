package dev.tidemark.mongodb;

import dev.tidemark.CorruptRecordException;
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
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * One run among those that are worked on together: its next step, its request in the server's form,
 * and what came of it.
 */
final class Runner<T> {
  /** How often a change may be refused over one revision: untracked writers leave it the same. */
  private static final int MOST_REFUSALS = 3;

  /**
   * How often the server has refused one change over one revision, though nothing says why.
   *
   * @param messages those of the change
   * @param revision of the document that it was made over; null if it has none
   */
  private record Refusals(List<Message> messages, @Nullable ByteBuffer revision, int number) {
    boolean isOf(List<Message> others, @Nullable ByteBuffer other) {
      return messages.equals(others) && Objects.equals(revision, other);
    }
  }

  private final Context<T> context;
  private final EntityKey key;
  private final List<Write<T>> writes;
  private final Run<T> run;
  private final Deadlines deadlines;
  private Step<T> step = new Step.Yield<>();
  private long due = System.nanoTime();
  private long sent;
  private @Nullable Command command;
  private Refusals refusals = new Refusals(List.of(), null, 0);
  private boolean doubtful;
  private boolean hasRead;

  /** The reply to an accepted write, which waits for a read of the entity. */
  private Reply.@Nullable Accepted<T> accepted;

  private @Nullable StoredDocument<T> written;
  private @Nullable ByteBuffer token;

  Runner(Context<T> context, List<Write<T>> writes, Run<T> run, Deadlines deadlines) {
    this.context = context;
    this.key = writes.get(0).key();
    this.writes = writes;
    this.run = run;
    this.deadlines = deadlines;
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
    return writes.stream().map(Write::message).toList();
  }

  /** Goes to the next step that needs the store; false if there is none. */
  boolean advance() {
    if (accepted != null) {
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
    return accepted != null || step instanceof Step.Read;
  }

  /** The request that is to be sent. */
  Request<T> request() {
    return ((Step.Send<T>) step).request();
  }

  /** The request in its form. */
  Command command() {
    return Objects.requireNonNull(command);
  }

  /**
   * Gives the request its form; its time starts. If it has none, the run is told why.
   *
   * @param alone whether nothing else is sent with it
   * @return whether it can be sent
   */
  boolean isFormed(boolean alone) {
    sent = System.nanoTime();
    Request<T> request = request();
    StoredDocument<T> over = (StoredDocument<T>) request.over();
    command = null;
    try {
      int before = over == null ? 0 : refusals(request, over);
      if (before >= MOST_REFUSALS) {
        throw new InvalidChangeException("the change does not fit the entity", key, null);
      }
      command =
          Command.of(
              context, request, alone && isOfOne(), before > 0 || context.transport().inSession());
      if (command == null) {
        on(new Reply.Refused<>(null, null));
      }
    } catch (RuntimeException e) {
      on(new Reply.Fault<>(Faults.withKey(e, key), true));
    }
    return command != null;
  }

  private int refusals(Request<T> request, StoredDocument<T> over) {
    ByteBuffer revision = over.found().revision(context.names());
    return refusals.isOf(request.marking().messages(), revision) ? refusals.number() : 0;
  }

  /** Whether a bulk tells what became of its request: by an error, or by the token that it left. */
  boolean standsInBulk() {
    return command().raises() || request().effect() instanceof Effect.Own;
  }

  /** Whether its request is over what it has read itself, with the messages that wait. */
  boolean knowsWhatWaits() {
    StoredDocument<T> over = (StoredDocument<T>) request().over();
    return hasRead && over != null && !over.isPartial();
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

  /** Whether outcomes carry the entity. */
  boolean wantsEntity() {
    return writes.stream().anyMatch(write -> write.action().rules().returns());
  }

  /**
   * Whether the fields have to be read: to call functions on them, to tell what is wrong, or to
   * make in a transaction what the server must not refuse there.
   */
  boolean needsDocument() {
    Request<T> refused = refused();
    boolean asks = refused != null && (refused.over() != null || refused.hasRule());
    return asks || isOfOne() || wantsEntity() || context.transport().inSession();
  }

  /** Notes over which revision the server refused a change that it evaluates. */
  private void refused(Request<T> request) {
    StoredDocument<T> over = (StoredDocument<T>) request.over();
    boolean changes = request.effect() instanceof Effect.Changes;
    if (over != null && over.found().exists() && changes) {
      ByteBuffer revision = over.found().revision(context.names());
      List<Message> messages = request.marking().messages();
      refusals = new Refusals(messages, revision, refusals(request, over) + 1);
    }
  }

  /** Takes note that its write was made, and waits for the entity, which the reply has to carry. */
  void awaitsEntity(Reply.Accepted<T> made) {
    accepted = made;
  }

  /**
   * Takes what a read has found.
   *
   * @param byFilter whether the filter of {@link #refusedByFilter} is false over it; null if it was
   *     not asked
   */
  void found(StoredDocument<T> stored, @Nullable Boolean byFilter) {
    if (accepted != null) {
      accepted(stored.found().entity());
    } else {
      hasRead = true;
      run.found(stored, byFilter);
    }
  }

  private void accepted(@Nullable T entity) {
    Reply.Accepted<T> made = Objects.requireNonNull(accepted);
    accepted = null;
    on(new Reply.Accepted<>(made.created(), entity, made.marks(), made.sources()));
  }

  /** Takes note that a read failed; that a write was accepted stays certain. */
  void unread(RuntimeException e) {
    if (accepted != null) {
      accepted(null);
      return;
    }
    if (context.transport().inSession() && !(e instanceof CorruptRecordException)) {
      throw e; // the server's, after which the caller's transaction is over
    }
    run.unread(
        Errors.isTransient(e) && mayTryAgain(e)
            ? new Reply.Busy<>(1, e)
            : new Reply.Fault<>(Faults.withKey(e, key), false));
  }

  /** Whether to go on after an error that may pass: neither to stop nor too late. */
  boolean mayTryAgain(RuntimeException e) {
    return !deadlines.areOver() && !Errors.isInterruption(e);
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
    Request<T> request = request();
    if (reply instanceof Reply.Accepted) {
      token = request.marking().token();
      if (command().isPipeline()) {
        context.transport().hasEvaluated();
      }
    }
    if (reply instanceof Reply.Refused) {
      refused(request);
    } else if (reply instanceof Reply.Accepted && context.recall().isOn()) {
      keep(request);
    }
    doubtful |= reply instanceof Reply.Lost;
    run.on(reply, false, Duration.ofNanos(System.nanoTime() - sent));
  }

  /** What functions have made, over which the next may be called without a read. */
  private void keep(Request<T> request) {
    written = null;
    if (request.effect() instanceof Effect.Called<T> called && !context.mapping().carriesMarks()) {
      StoredDocument<T> over = (StoredDocument<T>) Objects.requireNonNull(request.over());
      Map<String, Object> marks =
          request.marking().marksAfter(request.marking().marks(over.found()), Set.of());
      Found<T> made = new Found<>(true, marks, null);
      BsonDocument document = StoredDocument.functions(called).document();
      BsonDocument nested = context.markFields().nested(marks);
      written = new StoredDocument<>(context, key, made, document, nested, null, false);
    }
  }

  /** The token of what it has written last; null if it has written nothing. */
  @Nullable ByteBuffer token() {
    return token;
  }

  /** What it has written last; null if its fields are not known. */
  @Nullable StoredDocument<T> written() {
    return written;
  }
}
