package dev.tidemark.execution;

import dev.tidemark.TidemarkException;
import dev.tidemark.execution.Claims.Call;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.Misuse;
import dev.tidemark.metrics.Ongoing;
import dev.tidemark.transaction.OpenTransactions;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Runs the work of a key between its claim and its last write: which failures are stored. */
final class Runs {
  /** Of an exception, which may be in a circle. */
  private static final int MOST_CAUSES = 30;

  private final List<ExecutionsBuilder.Storing<?>> storing;
  private final Events events;

  Runs(ExecutionsBuilder builder) {
    this.storing = List.copyOf(builder.storing);
    this.events = new Events(builder);
  }

  /** Claims the key and does the work, or says why not. */
  <V, R, X extends Exception> Execution<R> run(
      Claims claims, Call call, Ending<V, R> ending, Work<? extends V, X> work) throws X {
    OpenTransactions.requireNone("an execution");
    claims.json().requireReadable(ending.type());
    Events.Told told = events.begin();
    try (Ongoing.Scope unused = told.enter()) {
      Claims.Claim<R> claim = told.unlessFault(() -> claims.claim(call, ending));
      told.tell(claim.event());
      return run(claim, ending, work, told);
    }
  }

  private <V, R, X extends Exception> Execution<R> run(
      Claims.Claim<R> claim, Ending<V, R> ending, Work<? extends V, X> work, Events.Told told)
      throws X {
    Owner owner = claim.owner();
    if (owner == null) {
      return Objects.requireNonNull(claim.answer());
    }
    try {
      Execution<R> answer = work(owner, ending, work);
      told.tell(ExecutionEvent.Kind.end(answer));
      return answer;
    } catch (Throwable e) {
      told.tell(ExecutionEvent.Kind.left(owner.state()));
      throw e;
    }
  }

  private <V, R, X extends Exception> Execution<R> work(
      Owner owner, Ending<V, R> ending, Work<? extends V, X> work) throws X {
    V value;
    try {
      value = work.run(owner);
    } catch (Throwable e) {
      String code = owner.hasStopped() ? null : code(owner, e);
      if (code == null && !owner.hasStopped()) {
        owner.release(e);
        throw e;
      }
      return code == null ? owner.stopped() : failed(owner, ending, code, e);
    }
    return end(owner, () -> ending.end(owner, value));
  }

  /** Ends work that has failed for good; what it threw is kept behind what keeps it from that. */
  private static <R> Execution<R> failed(
      Owner owner, Ending<?, R> ending, String code, Throwable error) {
    try {
      return end(owner, () -> ending.fail(owner, code));
    } catch (Throwable e) {
      Faults.suppress(error, e);
      throw e;
    }
  }

  /** Makes a run's last write, unless it has stopped. */
  private static <R> Execution<R> end(Owner owner, Supplier<Execution<R>> last) {
    if (owner.hasStopped()) {
      return owner.stopped();
    }
    try {
      owner.requireTransactionsEnded();
      return last.get();
    } catch (ExecutionStoppedException e) {
      return owner.stopped();
    }
  }

  /**
   * The code under which a failure is stored; null if the key is to be free again, as after a
   * failure that no code can be told of.
   */
  private @Nullable String code(Owner owner, Throwable error) {
    try {
      return isFault(owner, error, MOST_CAUSES) ? null : codeOf(error);
    } catch (Throwable e) {
      Faults.suppress(e, error);
      return null;
    }
  }

  private @Nullable String codeOf(Throwable error) {
    for (ExecutionsBuilder.Storing<?> one : storing) {
      if (one.type().isInstance(error)) {
        return one.codeOf(error);
      }
    }
    return null;
  }

  /**
   * Whether an error is the store's, or the library's, or an interrupt, or was caused by one of
   * these. That an inner key has failed for good is none.
   */
  private static boolean isFault(Owner owner, @Nullable Throwable error, int causes) {
    return error != null
        && (error instanceof TidemarkException
            || error instanceof ExecutionStoppedException
            || error instanceof Misuse
            || Faults.isInterrupt(error)
            || (error instanceof NotExecutedException inner
                && !(inner.execution() instanceof Execution.Failed))
            || owner.isFault(error)
            || (causes > 0 && isFault(owner, error.getCause(), causes - 1)));
  }
}
