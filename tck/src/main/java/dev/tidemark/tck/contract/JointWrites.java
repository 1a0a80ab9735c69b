package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.Oracle;
import dev.tidemark.tck.Transactions;
import dev.tidemark.tck.Transactions.Count;
import dev.tidemark.tck.Transactions.Tracked;
import dev.tidemark.tck.View;
import dev.tidemark.transaction.Committed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes of one transaction, held to what each of them has to do alone.
 *
 * @param parts the writes
 * @param refuses whether the caller's own write is to be refused
 */
record JointWrites(List<Part> parts, boolean refuses) {
  JointWrites {
    if (isLate(parts)) {
      parts = parts.stream().map(part -> part.isOver() ? part : part.skipping()).toList();
    } else if (recordsRefusal(parts)) {
      parts = parts.stream().map(Part::recording).toList();
    }
  }

  /** Whether an event is late for one write, and not over for all, and no other one waits. */
  private static boolean isLate(List<Part> parts) {
    return parts.stream().anyMatch(Part::isLate)
        && !parts.stream().allMatch(Part::isOver)
        && parts.stream().noneMatch(Part::isFault)
        && parts.stream().noneMatch(Part::waits);
  }

  /** Whether one write is to record that it was refused, which it does for the others too. */
  private static boolean recordsRefusal(List<Part> parts) {
    return parts.stream().allMatch(Part::isMade) && parts.stream().anyMatch(Part::recordsRefusal);
  }

  /**
   * How it ended.
   *
   * @param became what became of it, in words
   * @param parts what its writes were to come to
   */
  record Ended(String became, List<Part> parts) {
    /** Whether a part has left what it comes to: a deleted entity takes no part. */
    boolean isWritten(int part) {
      return (became.equals("committed") || became.equals("recorded"))
          && !parts.get(part).isDeleted();
    }
  }

  /**
   * One write.
   *
   * @param tracking what its writer tracks
   * @param write what it does
   * @param sent the same as it is sent, which may be in the store's own words
   * @param step what it would come to alone
   * @param recorded what it would come to if it recorded its message alone
   */
  record Part(
      Tracking tracking,
      Write<View> write,
      Write<View> sent,
      Oracle.Step step,
      Oracle.Step recorded) {
    private Optional<Outcome<View>> outcome() {
      return step.result().outcomeIfJudged();
    }

    /** Whether it leaves what it was to leave, a recorded refusal included. */
    private boolean isMade() {
      return TrackedLife.isMade(step.result()) || recordsRefusal();
    }

    private boolean is(Class<?> type) {
      return outcome().filter(type::isInstance).isPresent();
    }

    /** Whether the entity has dropped the message for good. */
    private boolean isLate() {
      return is(Outcome.Stale.class) || (is(Outcome.BeyondHorizon.class) && isDone());
    }

    private boolean isDeleted() {
      return is(Outcome.Deleted.class);
    }

    /** Whether nothing of the message is to be stored. */
    private boolean isOver() {
      return isLate() || isDeleted() || is(Outcome.Duplicate.class);
    }

    /** Whether it is not known yet what becomes of it. */
    private boolean waits() {
      return !isDone() && (is(Outcome.Gap.class) || is(Outcome.BeyondHorizon.class));
    }

    /** The same write where it records its message alone. */
    private Part skipping() {
      return new Part(tracking, write, sent, recorded, recorded);
    }

    /** Whether it is to record that it was refused. */
    private boolean recordsRefusal() {
      return outcome().filter(one -> one instanceof Outcome.Refused && one.isDone()).isPresent();
    }

    /** What is expected where a refusal is recorded: the others record the message alone. */
    private Part recording() {
      return recordsRefusal() ? this : skipping();
    }

    /** Whether it is a change that creates the view and sets nothing. */
    private boolean creates() {
      return outcome()
          .filter(one -> one instanceof Outcome.Applied<View> applied && applied.created())
          .isPresent();
    }

    private boolean isDone() {
      return outcome().map(Outcome::isDone).orElse(false);
    }

    private boolean isFault() {
      return step.result() instanceof Result.Failed;
    }
  }

  /**
   * Makes the transaction.
   *
   * @param count the caller's own write; null for none
   * @return how it ended
   */
  Ended make(Transactions transactions, @Nullable Count count) {
    return new Ended(check(commit(transactions, count)), parts);
  }

  private String check(@Nullable Committed committed) {
    String expected = expected();
    String found = committed == null ? "fault" : found(committed);
    boolean mayBe =
        (found.equals("refused") && mayRefuse()) || (found.equals("done before") && mayBeDone());
    assertEquals(expected, mayBe ? expected : found, this::shown);
    return expected;
  }

  private String shown() {
    return parts.toString();
  }

  private String expected() {
    if (parts.stream().anyMatch(Part::isFault)) {
      return "fault";
    }
    if (isLate(parts) || recordsRefusal(parts)) {
      return "recorded";
    }
    if (parts.stream().allMatch(Part::isMade)) {
      return refuses ? "counter refused" : "committed";
    }
    return parts.stream().allMatch(part -> !part.isMade() && part.isDone())
        ? "done before"
        : "refused";
  }

  /** Where one write is refused and another one a fault, stores may look at either first. */
  private boolean mayRefuse() {
    return parts.stream().anyMatch(Part::isFault)
        && parts.stream().anyMatch(part -> !part.isFault() && !part.isMade());
  }

  /**
   * Whether nothing is to be made, and stores may remember all of it for longer than they have to.
   */
  private boolean mayBeDone() {
    return parts.stream()
        .allMatch(part -> !part.isMade() && (part.isDone() || part.step.wasRecorded()));
  }

  /** Null for a fault that one of the writes is to have. */
  private @Nullable Committed commit(Transactions transactions, @Nullable Count count) {
    List<Tracked> tracked = new ArrayList<>();
    parts.forEach(part -> tracked.add(new Tracked(part.tracking, part.sent)));
    try {
      return transactions.commit(tracked, count);
    } catch (RuntimeException e) {
      boolean known =
          parts.stream()
              .map(Part::step)
              .anyMatch(step -> Words.of(step.result()).equals(e.getClass().getSimpleName()));
      if (!known) {
        throw e;
      }
      return null;
    }
  }

  private String found(Committed committed) {
    for (int i = 0; i < parts.size(); i++) {
      assertTold(parts.get(i), committed.outcomes().get(i));
    }
    if (committed.isCommitted() || committed.isRecorded()) {
      return committed.isRecorded() ? "recorded" : "committed";
    }
    return !committed.refused().isEmpty()
        ? "counter refused"
        : committed.isDone() ? "done before" : "refused";
  }

  @SuppressWarnings("unchecked") // all entities are views
  private void assertTold(Part part, Optional<Outcome<?>> outcome) {
    outcome.ifPresent(
        told -> {
          Result<View> result = new Result.Judged<>((Outcome<View>) told);
          boolean same = // what a transaction has created, not every store tells
              told instanceof Outcome.Applied
                  ? Words.of(result).equals(Words.of(part.step.result()))
                  : (told instanceof Outcome.Recorded && part.creates())
                      || OracleCheck.agree(part.write, part.step, result, false);
          assertTrue(
              same,
              () ->
                  part.write
                      + " is "
                      + OracleCheck.text(result)
                      + ", not "
                      + OracleCheck.text(part.step.result()));
        });
  }
}
