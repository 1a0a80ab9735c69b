package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.Write;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.Oracle;
import dev.tidemark.tck.Transactions;
import dev.tidemark.tck.Transactions.Count;
import dev.tidemark.tck.Transactions.Tracked;
import dev.tidemark.tck.View;
import dev.tidemark.transaction.Committed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Two or three tracked views, and at times a counter, that are written together or not at all. */
final class TransactionLife implements Life {
  private static final int FULL = 3;

  /** A write of a transaction, and what it would come to alone. */
  private record Part(TrackedLife.One view, Write<View> write, Oracle.Step step) {
    private Optional<Outcome<View>> outcome() {
      return step.result().outcomeIfJudged();
    }

    /** Whether it leaves what it was to leave, a recorded refusal included. */
    boolean isMade() {
      return TrackedLife.isMade(step.result()) || recordsRefusal();
    }

    /** Whether it is to record that it was refused. */
    boolean recordsRefusal() {
      return outcome().filter(one -> one instanceof Outcome.Refused && one.isDone()).isPresent();
    }

    /** What is expected where a refusal is recorded: the others record the message alone. */
    Part recording(MovableClock clock) {
      Write<View> skip = Write.skip(write.message(), write.key());
      return recordsRefusal() ? this : new Part(view, write, view.step(skip, clock));
    }

    boolean isDone() {
      return outcome().map(Outcome::isDone).orElse(false);
    }

    boolean isFault() {
      return step.result() instanceof Result.Failed;
    }
  }

  private final TrackedLife views;
  private final Transactions transactions;
  private String counter = Some.name();
  private int counted;

  TransactionLife(TrackedLife views, Transactions transactions) {
    this.views = views;
    this.transactions = transactions;
  }

  @Override
  public Told turn(Random random, MovableClock clock) {
    List<TrackedLife.One> all = new ArrayList<>(views.views());
    Collections.shuffle(all, random);
    List<Part> parts = new ArrayList<>();
    for (TrackedLife.One view : all.subList(0, random.nextInt(4) == 0 ? 3 : 2)) {
      Write<View> write = TrackedLife.write(view, random, clock);
      parts.add(new Part(view, write, view.step(write, clock)));
    }
    if (parts.stream().allMatch(Part::isMade) && parts.stream().anyMatch(Part::recordsRefusal)) {
      parts.replaceAll(part -> part.recording(clock));
    }
    if (counted == FULL && random.nextBoolean()) {
      counter = Some.name();
      counted = 0;
    }
    boolean counts = random.nextBoolean();
    String expected = expected(parts, counts);
    String found = found(parts, counts ? new Count(counter, FULL) : null);
    assertEquals(
        expected, found.equals("refused") && mayRefuse(parts) ? expected : found, parts::toString);
    if (expected.equals("recorded")) {
      parts.forEach(part -> part.view.become(part.step.after()));
    } else if (expected.equals("committed")) {
      parts.forEach(part -> part.view.become(part.step.after()));
      counted += counts ? 1 : 0;
    }
    parts.forEach(part -> part.view.assertStored("transaction of " + parts));
    assertEquals(counted, transactions.counted(counter), parts::toString);
    String operation = "transaction" + (counts ? " with a counter" : "");
    return new Told(operation, expected, "", found.equals("committed"));
  }

  private String expected(List<Part> parts, boolean counts) {
    if (parts.stream().anyMatch(Part::isFault)) {
      return "fault";
    }
    if (parts.stream().allMatch(Part::isMade) && parts.stream().anyMatch(Part::recordsRefusal)) {
      return "recorded";
    }
    if (parts.stream().allMatch(Part::isMade)) {
      return counts && counted == FULL ? "counter refused" : "committed";
    }
    return parts.stream().allMatch(part -> !part.isMade() && part.isDone())
        ? "done before"
        : "refused";
  }

  /** Where one write is refused and another one a fault, stores may look at either first. */
  private static boolean mayRefuse(List<Part> parts) {
    return parts.stream().anyMatch(Part::isFault)
        && parts.stream().anyMatch(part -> !part.isFault() && !part.isMade());
  }

  private String found(List<Part> parts, @Nullable Count count) {
    List<Tracked> tracked = new ArrayList<>();
    parts.forEach(part -> tracked.add(new Tracked(part.view.tracking, part.write)));
    Committed committed;
    try {
      committed = transactions.commit(tracked, count);
    } catch (RuntimeException e) {
      boolean known =
          parts.stream()
              .map(Part::step)
              .anyMatch(step -> Words.of(step.result()).equals(e.getClass().getSimpleName()));
      if (!known) {
        throw e;
      }
      return "fault";
    }
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
  private static void assertTold(Part part, Optional<Outcome<?>> outcome) {
    outcome.ifPresent(
        told -> {
          Result<View> result = new Result.Judged<>((Outcome<View>) told);
          boolean same = // what a transaction has created, not every store tells
              told instanceof Outcome.Applied
                  ? Words.of(result).equals(Words.of(part.step.result()))
                  : OracleCheck.agree(part.step, result, false);
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
