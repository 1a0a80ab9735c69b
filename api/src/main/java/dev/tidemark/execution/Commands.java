package dev.tidemark.execution;

import dev.tidemark.CorruptRecordException;
import dev.tidemark.execution.ExecutionRecord.Point;
import dev.tidemark.execution.ExecutionRecord.Stored;
import dev.tidemark.execution.StoredExecution.State;
import dev.tidemark.kernel.Misuse;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What operators do to one key: let it go on, end it, forget it. */
final class Commands {
  private final Claims claims;

  Commands(Claims claims) {
    this.claims = claims;
  }

  /**
   * What a person says a step came to.
   *
   * @param step the step's name
   * @param type of the result
   * @param result as it is stored
   */
  record Said(String step, Class<?> type, Stored result) {}

  /**
   * Lets a parked execution go on.
   *
   * @param seen the revision that it must have; null for any
   * @param said of a step that acted; others stay in doubt. Null says that no step in doubt has
   *     acted
   * @return whether it was parked
   */
  boolean release(String key, @Nullable String seen, @Nullable Said said) {
    Ledger ledger = claims.ledger(key);
    ExecutionRecord found = claims.records().read(key).orElse(null);
    while (found != null
        && found.state() == State.PARKED
        && (seen == null || seen.equals(found.revision()))) {
      if (found.result() != null) {
        throw new Misuse.Argument(
            "the work of this key is done, and its result cannot be read, so there is nothing to"
                + " go on with: let the class be read from what is stored, complete the key with"
                + " its result, or forget it, which begins anew");
      }
      Map<String, Point> points = points(ledger, found, said);
      ExecutionRecord next =
          claims.lasting(ledger, claims.next(found, State.RELEASED, points, null));
      ledger.requireFit(next);
      ExecutionRecord left = ledger.write(found, next);
      if (left != null && left.isOf(next)) {
        return true;
      }
      found = left;
    }
    return false;
  }

  /** The points of a record that goes on. */
  private Map<String, Point> points(Ledger ledger, ExecutionRecord found, @Nullable Said said) {
    Map<String, Point> points = new LinkedHashMap<>(found.points());
    Point write = points.remove(Ending.BY_WRITE); // is no step, and nobody was asked about it
    if (said == null) {
      points.values().removeIf(point -> !point.done());
    } else {
      Point known = points.get(said.step());
      if (known == null || (known.done() && isReadable(ledger, said.type(), known.value()))) {
        throw new Misuse.Argument("step '" + said.step() + "' is not in doubt");
      }
      points.put(said.step(), new Point(true, claims.fit(ledger, found, said.result())));
    }
    if (write != null) {
      points.put(Ending.BY_WRITE, write);
    }
    return points;
  }

  private boolean isReadable(Ledger ledger, Class<?> type, @Nullable Stored stored) {
    try {
      Object unused = claims.json().read("it", type, ledger.parts().whole(stored));
      return true;
    } catch (CorruptRecordException e) {
      return false;
    }
  }

  /**
   * Ends what nobody is at work on.
   *
   * @return false if nothing is stored, somebody is at work, it has failed, or it has a result
   */
  boolean complete(String key, Class<?> type, Stored result) {
    Ledger ledger = claims.ledger(key);
    ExecutionRecord found = claims.records().read(key).orElse(null);
    while (found != null && isUnfinished(ledger, found, type)) {
      Stored fitting = claims.fit(ledger, found, result);
      ExecutionRecord next = claims.next(found, State.DONE, Map.of(), fitting);
      ledger.requireFit(next);
      ExecutionRecord left = ledger.write(found, next);
      if (left != null && left.isOf(next)) {
        return true;
      }
      found = left;
    }
    return false;
  }

  private boolean isUnfinished(Ledger ledger, ExecutionRecord found, Class<?> type) {
    if (found.result() != null) {
      return found.state() != State.FAILED && !isReadable(ledger, type, found.result());
    }
    return found.state() != State.FAILED && !claims.isLive(ledger.key(), found);
  }

  /** Removes what is stored under a key; false if somebody is at work. */
  boolean forget(String key) {
    return claims.ledger(key).clear(found -> claims.isLive(key, found));
  }
}
