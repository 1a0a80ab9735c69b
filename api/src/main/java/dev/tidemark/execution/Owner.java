package dev.tidemark.execution;

import dev.tidemark.ContentionException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.MessageId;
import dev.tidemark.TooLargeException;
import dev.tidemark.execution.ExecutionRecord.Point;
import dev.tidemark.execution.ExecutionRecord.Stored;
import dev.tidemark.execution.StoredExecution.State;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Lease;
import dev.tidemark.kernel.Misuse;
import dev.tidemark.kernel.Text;
import dev.tidemark.kernel.Uninterrupted;
import dev.tidemark.transaction.OpenTransactions;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Who has claimed a key. Each of its writes replaces the revision of the one before. */
final class Owner implements Steps {
  /** How often a lease is written anew, half of which was over when the answer came. */
  private static final int MOST_LATE = 3;

  private final Claims claims;
  private final Ledger ledger;
  private final Map<String, Point> points;
  private final Set<String> named = new HashSet<>();
  private ExecutionRecord own;
  private Lease lease;
  private boolean lost;

  /** Whether the key is left to a person: the record says so, or may, and nothing takes it back. */
  private boolean parks;

  private boolean ended;

  /** Why the key was left to a person, or why it is unknown whether it was. */
  private @Nullable Throwable unread;

  /** Whether no call for this key can have made the write that its work ends in. */
  private boolean untried;

  /** After a claim, which goes on with what was before; null if with nothing. */
  Owner(
      Claims claims,
      Ledger ledger,
      ExecutionRecord claim,
      @Nullable ExecutionRecord before,
      Lease lease) {
    this.claims = claims;
    this.ledger = ledger;
    this.own = claim;
    this.lease = lease;
    this.points = new LinkedHashMap<>(claim.points());
    this.untried = before == null || !before.points().containsKey(Ending.BY_WRITE);
  }

  @Override
  public <R, X extends Exception> R step(
      String name, Class<R> type, Doubt<R> doubt, StepEffect<? extends R, X> effect) throws X {
    requireGoing();
    claims.json().requireReadable(type);
    Misuse.given("doubt", doubt);
    Misuse.given("effect", effect);
    if (Misuse.checked(() -> Text.wellFormed("a step's name", name)).isEmpty()
        || name.equals(Ending.BY_WRITE)) {
      throw new Misuse.Argument(
          "a step's name must not be empty, nor %s".formatted(Ending.BY_WRITE));
    }
    if (!named.add(name)) {
      throw new Misuse.Argument(
          "step '%s' was called before in this run: give another step another name; to try one again"
                  .formatted(name)
              + " that threw, let the effect do that, or the next call for the key");
    }
    Point known = points.get(name);
    if (known != null && known.done()) {
      return read(name, type, known);
    }
    requireNoTransaction(name);
    String downstreamKey = downstreamKey(name);
    if (known != null) {
      Optional<R> resolved = doubted(name, doubt, downstreamKey);
      if (resolved.isPresent()) {
        return done(name, type, resolved.get());
      }
    }
    begin(name, known);
    R value = effect.act(downstreamKey);
    if (value == null) {
      throw new Misuse.State(
          "step '%s' returned null, which cannot be stored, so the step is in doubt: let it return"
                  .formatted(name)
              + " a value, or use Steps.act");
    }
    requireNoTransaction(name);
    return done(name, type, value);
  }

  /** What a step did in a transaction that is not committed yet is not done. */
  private static void requireNoTransaction(String step) {
    OpenTransactions.requireNone("step '" + step + "'");
  }

  /** Requires that the work has left no transaction open; else the key waits for a person. */
  void requireTransactionsEnded() {
    try {
      OpenTransactions.requireNone("the end of an execution");
    } catch (IllegalStateException e) {
      park(null);
      throw e;
    }
  }

  /** Stores that a step begins. One that could not be said to begin does not act. */
  private void begin(String name, @Nullable Point known) {
    points.put(name, new Point(false, null));
    try {
      save(State.RUNNING, null);
      hold();
    } catch (Throwable e) {
      if (known == null) {
        points.remove(name);
      }
      throw e;
    }
  }

  private <R> R read(String name, Class<R> type, Point known) {
    try {
      return claims.json().read("step '" + name + "'", type, ledger.parts().whole(known.value()));
    } catch (CorruptRecordException e) {
      throw leave(null, e);
    }
  }

  /** What became of a step that began earlier, if that can be told. */
  private <R> Optional<R> doubted(String name, Doubt<R> doubt, String downstreamKey) {
    if (doubt.parks()) {
      park(null);
      throw new ExecutionStoppedException(
          "step '" + name + "' is in doubt, and waits for a person: see Executions.release");
    }
    return doubt.resolve(name, downstreamKey);
  }

  /** Notes what a step gave; gives what later runs will read of it. */
  private <R> R done(String name, Class<R> type, R value) {
    var written = unlessUnread(null, () -> claims.json().write("step '" + name + "'", type, value));
    points.put(name, new Point(true, fit(written.stored())));
    return unlessUnread(null, written.read());
  }

  /** Leaves the key to a person where a value cannot be stored or read, ever again. */
  private <V> V unlessUnread(@Nullable Stored result, Supplier<V> value) {
    try {
      return value.get();
    } catch (RuntimeException e) {
      throw leave(result, e);
    } catch (Throwable e) { // of the JVM itself
      park(result);
      throw e;
    }
  }

  private RuntimeException leave(@Nullable Stored result, RuntimeException why) {
    park(result);
    unread = why;
    return why;
  }

  @Override
  public void renew() {
    requireGoing();
    save(State.RUNNING, null);
    hold();
  }

  /** Renews the lease if less than half of it is left, before something begins under it. */
  void hold() {
    for (int late = 0; !lease.isHalfLeft(); late++) {
      if (late == MOST_LATE) {
        throw new ContentionException(
            "renewals of a claim were answered when half of its lease was over, so nothing may"
                + " begin; give executions a longer lease, or find out why the store is slow",
            null,
            null);
      }
      save(State.RUNNING, null);
    }
  }

  /** Whether the work may begin; if not, another owner has the key by now. */
  boolean holds() {
    try {
      return holds(this::hold);
    } catch (RuntimeException e) {
      if (!(e instanceof ContentionException) && Thread.currentThread().isInterrupted()) {
        giveUp(e);
      }
      throw e;
    }
  }

  /** The same of work that is done, whose end no interrupt breaks off. */
  boolean stillHolds() {
    return holds(() -> Uninterrupted.run(this::hold));
  }

  private boolean holds(Runnable renewal) {
    try {
      renewal.run();
      return true;
    } catch (ExecutionStoppedException e) {
      return false;
    } catch (ContentionException e) {
      if (Thread.currentThread().isInterrupted()) {
        ledger.hurry();
      }
      release(e);
      throw e;
    }
  }

  @Override
  public long fence() {
    return own.fence();
  }

  @Override
  public String downstreamKey(String name) {
    return Json.digest(
        ledger.key().getBytes(StandardCharsets.UTF_8),
        new byte[1],
        Misuse.given("a step's name", name).getBytes(StandardCharsets.UTF_8));
  }

  /** What the work gave. Nothing cannot be stored: a person has the key then. */
  <V> V given(String what, @Nullable V value) {
    if (value == null) {
      park(null);
      throw new Misuse.State(
          what
              + " returned null, which cannot be stored, so the key waits for a person: let it"
              + " return a value, and release or forget the key");
    }
    return value;
  }

  /** Stores the result, and gives what later calls will read; else a person has the key. */
  <R> R complete(Class<R> type, R value) {
    var written = unlessUnread(null, () -> claims.json().write("the result", type, value));
    Stored fitting = fit(written.stored());
    R read = unlessUnread(fitting, written.read());
    save(State.DONE, fitting);
    return read;
  }

  /** What later calls will read of a result that a write tells, which is made. */
  <R> R told(Class<R> type, R value) {
    return unlessUnread(null, () -> readBack(type, value));
  }

  <R> R readBack(Class<R> type, R value) {
    return claims.json().write("the result", type, value).read().get();
  }

  /**
   * Stores a failure that is final, unless a write that was tried is made all the same; gives what
   * later calls will read of it.
   */
  StoredFailure fail(String code) {
    takeBack();
    String told = new String(Json.wellFormed(code), StandardCharsets.UTF_8);
    try {
      save(State.FAILED, new Stored(told, null));
    } catch (TooLargeException e) {
      String tooLong = "the code of a failure is too long for its record; let storing() give less";
      throw leave(null, new TooLargeException(tooLong, null, e));
    }
    return new StoredFailure(told);
  }

  /** Lets others run the work at once. */
  void release() {
    takeBack();
    save(State.RELEASED, null);
  }

  /** Lets others run the work at once, which has not begun; a silent store is asked no longer. */
  void giveUp() {
    ledger.hurry();
    try {
      release();
    } catch (RuntimeException e) {
      // they do so when the lease is over
    }
  }

  /** The same of work that an error kept from its beginning. */
  void giveUp(Throwable error) {
    ledger.hurry();
    release(error);
  }

  /** Lets others run the work at once, which has thrown. */
  void release(Throwable error) {
    try {
      release();
    } catch (Throwable e) {
      Faults.suppress(e, error);
    }
  }

  /** Notes that a write that ends the work is tried; gives the message of that write. */
  MessageId beginWrite() {
    untried = false;
    return message();
  }

  /** Whether some call for this key may have made that write, or may make it yet. */
  boolean isTried() {
    return !untried;
  }

  /** The message of the write that ends the work. */
  MessageId message() {
    return claims.write(ledger.key(), own);
  }

  /** Lets calls without a completion go on, where no write of a completion was tried. */
  private void takeBack() {
    if (untried) {
      points.remove(Ending.BY_WRITE);
    }
  }

  /**
   * Leaves the key to a person. What meets a fault is tried once more, and never something else
   * instead: the record may be there.
   */
  private void park(@Nullable Stored result) {
    takeBack();
    parks = true;
    try {
      save(State.PARKED, result);
    } catch (Throwable e) {
      unread = e;
      if (lost || e instanceof Error) {
        throw e;
      }
      save(State.PARKED, result);
      unread = null;
    }
  }

  /** Whether the work must stop, or ought to have. */
  boolean hasStopped() {
    return lost || parks;
  }

  /** What this owner has stored last. */
  State state() {
    return own.state();
  }

  /** What a run that has stopped came to. */
  <R> Execution<R> stopped() {
    if (lost) {
      return new Execution.LostOwnership<>();
    }
    if (unread instanceof Error error) {
      throw error;
    }
    if (unread != null) {
      throw Faults.unchecked(unread);
    }
    return new Execution.InDoubt<>(own.doubtful());
  }

  /** Requires that the work may go on. */
  void requireGoing() {
    if (hasStopped() || ended) {
      throw new ExecutionStoppedException(
          "the run has ended or was stopped, so its work must not use its Steps any more");
    }
  }

  /** A value in the form in which it fits; it came about, so that no interrupt keeps it back. */
  private Stored fit(Stored value) {
    return Uninterrupted.call(() -> claims.fit(ledger, own, value));
  }

  /** Whether an error is one that the store threw. */
  boolean isFault(Throwable error) {
    return ledger.isFault(error);
  }

  /** Writes what is known. An interrupt keeps nobody from an end, by which the work counts. */
  private void save(State state, @Nullable Stored result) {
    if (state == State.RUNNING) {
      write(state, null);
    } else {
      Uninterrupted.run(() -> write(state, result));
    }
  }

  private void write(State state, @Nullable Stored result) {
    ended = state != State.RUNNING;
    Lease asked = claims.asked();
    ExecutionRecord next = claims.lasting(ledger, claims.next(own, state, points, result));
    points.putAll(next.points());
    ledger.requireFit(next);
    ExecutionRecord found = ledger.write(own, next);
    while (found != null && !found.isOf(next) && ledger.isOwn(found)) {
      own = found;
      found = ledger.write(own, next);
    }
    if (found == null || !found.isOf(next)) {
      lost = true;
      throw new ExecutionStoppedException("another owner took the key over");
    }
    own = next;
    lease = asked;
  }
}
