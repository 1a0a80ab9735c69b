package dev.tidemark.execution;

import dev.tidemark.ContentionException;
import dev.tidemark.CorruptRecordException;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.TooLargeException;
import dev.tidemark.execution.ExecutionRecord.State;
import dev.tidemark.execution.ExecutionRecord.Stored;
import dev.tidemark.execution.ExecutionRecords.Answer;
import dev.tidemark.kernel.Backoff;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes to one key until the store has answered: what was not carried out is asked again, and what
 * may have been is told by its revision, which nobody else can have written.
 */
final class Ledger {
  static final Backoff BACKOFF = Backoff.contending(Duration.ofMillis(5));

  private static final int MOST_TRIES = 12;

  /** How often a request may pass the deadline of the store's client. */
  private static final int MOST_LATE = 3;

  private final ExecutionRecords records;
  private final Pauses pauses;
  private final String key;
  private final Parts parts;
  private final Set<String> unanswered = new HashSet<>();
  private @Nullable Throwable fault;

  /**
   * For one call.
   *
   * @param most how many bytes of UTF-8 a value may take
   */
  Ledger(ExecutionRecords records, Pauses pauses, String key, int most) {
    this.records = records;
    this.pauses = pauses;
    this.key = key;
    this.parts = new Parts(this, records, key, most);
  }

  String key() {
    return key;
  }

  Parts parts() {
    return parts;
  }

  /**
   * Writes a record in place of another one. Parts are kept from expiry behind the record that
   * waits for a person, and expire before that record goes: no crash leaves any that stay for ever.
   *
   * @param before null for none
   * @return what is there instead; the record itself if it was written
   */
  @Nullable ExecutionRecord write(@Nullable ExecutionRecord before, ExecutionRecord record) {
    parts.letGo(before);
    Map<String, ExecutionRecord> named =
        record.state() == State.PARKED ? parts.of(record) : Map.of();
    String revision = before == null ? null : before.revision();
    ExecutionRecord left = told(revision, ask(() -> records.write(key, revision, record), record));
    if (left != null && left.isOf(record)) {
      mayHaveLeft(record); // what keeps parts may fail, as if no answer had come for the record
      named.forEach(parts::keep);
    }
    return left;
  }

  /**
   * Removes a record.
   *
   * @return what is there instead; null if nothing is
   */
  @Nullable ExecutionRecord remove(ExecutionRecord before) {
    parts.letGo(before);
    String revision = before.revision();
    return told(revision, ask(() -> records.remove(key, revision), null));
  }

  /**
   * Removes what is stored, also what cannot be read.
   *
   * @param stays tells what is not to be removed
   * @return whether nothing is stored now
   */
  boolean clear(Predicate<ExecutionRecord> stays) {
    try {
      ExecutionRecord found = records.read(key).orElse(null);
      while (found != null && !stays.test(found)) {
        found = remove(found);
      }
      return found == null;
    } catch (CorruptRecordException e) {
      if (ask(() -> records.removeUnreadable(key), null) != null) {
        throw e; // it has become another one
      }
      return true;
    }
  }

  /** A revision that is there, and is not written over, cannot be what is stored. */
  static @Nullable ExecutionRecord told(@Nullable String before, @Nullable ExecutionRecord found) {
    if (found != null && found.revision().equals(before)) {
      throw new CorruptRecordException(
          "the record of an execution has a revision by which it cannot be written", null, null);
    }
    return found;
  }

  /** Whether a write of this call, whose answer did not come, has left that record. */
  boolean isOwn(@Nullable ExecutionRecord found) {
    return found != null && unanswered.contains(found.revision());
  }

  /** Whether an error is one that the store threw. */
  boolean isFault(Throwable error) {
    return error == fault;
  }

  /** Asks the store, and remembers what it throws. */
  <A> A asked(Supplier<A> question) {
    try {
      return question.get();
    } catch (Throwable e) {
      fault = e;
      throw e;
    }
  }

  /**
   * Asks until the store has answered.
   *
   * @return what is there now; the record itself if it was written
   */
  @Nullable ExecutionRecord ask(Supplier<Answer> question, @Nullable ExecutionRecord record) {
    boolean lost = false;
    int tries = 0;
    int late = 0;
    while (true) {
      Answer answer;
      try {
        answer = asked(question);
      } catch (Throwable e) {
        mayHaveLeft(record);
        throw e;
      }
      if (answer instanceof Answer.Written) {
        return record;
      }
      if (answer instanceof Answer.Refused refused) {
        return refused.found();
      }
      RuntimeException error;
      if (answer instanceof Answer.Lost none) {
        error = none.error();
        lost = true;
        late += none.late() ? 1 : 0;
        mayHaveLeft(record);
      } else {
        error = ((Answer.Busy) answer).error();
      }
      if (late == MOST_LATE || tries == MOST_TRIES) {
        throw lost
            ? new OutcomeUnknownException(
                "no answer came for a write of an execution's record", null, error)
            : new ContentionException(
                "throttling outlasted the tries for a write of an execution's record", null, error);
      }
      tries++;
      pauses.pause(BACKOFF.after(tries));
    }
  }

  private void mayHaveLeft(@Nullable ExecutionRecord record) {
    if (record != null) {
      unanswered.add(record.revision());
    }
  }

  /** Requires that a record fits, as to its values. */
  void requireFit(ExecutionRecord record) {
    if (size(record) > records.mostBytes()) {
      throw new TooLargeException(
          "the record of an execution would exceed "
              + records.mostBytes()
              + " bytes: its request is too large, or its steps are too many",
          null,
          null);
    }
  }

  /** About how many bytes a record takes. */
  static int size(ExecutionRecord record) {
    int size = 400 + bytes(record.request()) + bytes(record.result());
    for (Map.Entry<String, ExecutionRecord.Point> point : record.points().entrySet()) {
      size += 40 + bytes(point.getKey()) + bytes(point.getValue().value());
    }
    return size;
  }

  private static int bytes(@Nullable Stored value) {
    return value == null ? 0 : bytes(value.type()) + bytes(value.json());
  }

  static int bytes(@Nullable String text) {
    return text == null ? 0 : text.getBytes(StandardCharsets.UTF_8).length;
  }
}
