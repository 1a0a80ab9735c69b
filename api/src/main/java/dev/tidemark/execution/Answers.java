package dev.tidemark.execution;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.execution.ExecutionRecord.Stored;
import dev.tidemark.execution.StoredExecution.State;
import java.time.Duration;
import java.util.Map;

/**
 * What calls are answered for a key whose work is done, or waits for a person. A result that cannot
 * be read is left to a person: its key is not forgotten with it, and whoever can read it gets it.
 */
final class Answers {
  private final Claims claims;

  Answers(Claims claims) {
    this.claims = claims;
  }

  /** The answer of a record that nobody is at work on. */
  <R> Execution<R> byRecord(Ledger ledger, ExecutionRecord found, Class<R> type) {
    Stored result = found.result();
    if (found.state() == State.FAILED) {
      String code = result == null ? "unknown" : result.type();
      return new Execution.Failed<>(new StoredFailure(code), true);
    }
    if (found.state() == State.PARKED && result == null) {
      become(State.PARKED, ledger, found);
      return new Execution.InDoubt<>(found.doubtful());
    }
    R value;
    try {
      value = claims.json().read("the result", type, ledger.parts().whole(result));
    } catch (CorruptRecordException e) {
      become(State.PARKED, ledger, found);
      throw e;
    }
    become(State.DONE, ledger, found);
    return new Execution.Replayed<>(value);
  }

  /**
   * Notes whether a result can be read, or that a key waits, unless that was noted before: with the
   * parts of what waits, which whoever left it to a person may not have kept.
   */
  private void become(State state, Ledger ledger, ExecutionRecord found) {
    boolean isNoted = found.state() == state;
    try {
      if (!isNoted) {
        Stored result = found.state() == State.FAILED ? null : found.result(); // which is a code
        note(ledger, found, claims.next(found, state, found.points(), result));
      } else if (state == State.PARKED && ledger.parts().mayExpire(found)) {
        note(ledger, found, found.expiring(found.expires()));
      }
    } catch (RuntimeException e) {
      // the next call notes it
    }
  }

  /**
   * The answer of a write that ended the work. The result is noted: it is found in the record from
   * now on, and the key is unfinished no more.
   *
   * @param live whether somebody may be at work, who notes what cannot be read
   */
  <R> Execution<R> byWrite(
      Ledger ledger, ExecutionRecord found, boolean live, Ending<?, R> ending, R told) {
    Stored stored;
    R result;
    try {
      Json.Written<R> written = claims.json().write("the result", ending.type(), told);
      stored = written.stored();
      result = written.read().get();
    } catch (RuntimeException e) {
      if (!live) {
        become(State.PARKED, ledger, found);
      }
      throw e;
    }
    Duration known = claims.knownFor(ending);
    try {
      Stored fitting = claims.fit(ledger, found, stored, known);
      note(ledger, found, claims.next(found, State.DONE, Map.of(), fitting, known));
    } catch (RuntimeException e) {
      // what told the result tells it again
    }
    return new Execution.Replayed<>(result);
  }

  /** Replaces a record; where others are quicker, they do it. */
  private void note(Ledger ledger, ExecutionRecord found, ExecutionRecord next) {
    ExecutionRecord lasting = claims.lasting(ledger, next);
    ledger.requireFit(lasting);
    ExecutionRecord unused = ledger.write(found, lasting);
  }
}
