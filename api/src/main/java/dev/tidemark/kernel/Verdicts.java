package dev.tidemark.kernel;

import dev.tidemark.EntityUpdate.Rules;
import dev.tidemark.Mark;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.TidemarkException;
import dev.tidemark.Tracking;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Judges the tasks of one run by what is found, at one time: by the marks first, then by existence.
 *
 * @param tracking the policies
 * @param names how the store spells the names of {@code tracking}
 * @param now the time of the clock, read once for all that is judged together
 * @param store tells the table or collection from others
 * @param joins whether no reply to the writes tells what they leave
 */
record Verdicts<T>(Tracking tracking, Names names, Instant now, String store, boolean joins) {
  /** The token of markings that only judge. No write has it. */
  private static final ByteBuffer NO_TOKEN = ByteBuffer.allocate(0);

  /** The same at another time. */
  Verdicts<T> at(Instant time) {
    return new Verdicts<>(tracking, names, time, store, joins);
  }

  /** The same of writes of which no reply tells what they leave. */
  Verdicts<T> joining() {
    return new Verdicts<>(tracking, names, now, store, true);
  }

  Verdict of(Task<T> task) {
    return new Verdict(task.message(), tracking, names, now);
  }

  /** A marking of one message that only judges it; nothing is sent with it. */
  Marking judging(Task<T> task) {
    return marking(List.of(task), NO_TOKEN);
  }

  /** What a write that records the messages of these tasks does to the marks. */
  Marking marking(List<Task<T>> tasks, ByteBuffer token) {
    List<Message> messages = new ArrayList<>(tasks.size());
    tasks.forEach(task -> messages.add(task.message()));
    Marking marking = new Marking(messages, tasks.get(0).write.key(), tracking, names, now, token);
    if (joins) {
      marking.sources().areUntold();
    }
    return marking;
  }

  /** The marks that judge: none for an absent entity, also where an expired tombstone is left. */
  Map<String, Object> marks(Found<T> found) {
    return found.judgingMarks(names, now);
  }

  /** What a task publishes, in its stored form. */
  Map<String, Object> stored(OutgoingMessage message, Task<T> task, int place) {
    boolean named = message.id().isPresent();
    String id =
        named
            ? message.id().get()
            : Outbox.id(store, tracking.subscriber(), task.write.key(), task.message(), place);
    return Outbox.stored(message.id(id), now, tracking.cluster());
  }

  boolean isLive(Found<T> found) {
    return found.state(names, now) == Found.State.LIVE;
  }

  /** What is found, with the entity if the write asks for it. */
  Found<T> shown(Found<T> found, Task<T> task) {
    return task.rules().returns() ? found : new Found<>(found.exists(), found.marks(), null);
  }

  /** The result of a write that changes nothing; empty if it is to be made or recorded. */
  Optional<Result<T>> judged(Found<T> found, Task<T> task) {
    Found<T> known = shown(found, task);
    try {
      Optional<Outcome<T>> outcome = of(task).ofMarks(known);
      if (outcome.isEmpty() && !goesOnTombstone(known, task)) {
        outcome = ofExistence(known, task);
      }
      return outcome.map(Result.Judged::new);
    } catch (TidemarkException e) {
      return Optional.of(new Result.Failed<>(Faults.withKey(e, task.write.key())));
    }
  }

  /** What the absence of an entity says of a fresh delivery; empty if the write may be made. */
  private Optional<Outcome<T>> ofExistence(Found<T> found, Task<T> task) {
    Rules rules = task.rules();
    return switch (found.state(names, now)) {
      case LIVE -> Optional.empty();
      case ABSENT ->
          task.forgets()
              ? Optional.of(new Outcome.Deleted<>())
              : rules.creates() ? Optional.empty() : Optional.of(new Outcome.Missing<>());
      case DELETED -> rules.revives() ? Optional.empty() : Optional.of(new Outcome.Deleted<>());
    };
  }

  /** Whether an event of a dense source, found fresh, has to be recorded on the tombstone there. */
  boolean goesOnTombstone(Found<T> known, Task<T> task) {
    return !task.rules().revives()
        && task.message() instanceof SourceEvent event
        && tracking.events(event.source().type()).isDense()
        && known.state(names, now) == Found.State.DELETED;
  }

  /** Whether a task is open and its message fresh; false if the marks cannot be read. */
  boolean isOpen(Found<T> found, Task<T> task) {
    try {
      return task.result == null && of(task).ofMarks(found).isEmpty();
    } catch (TidemarkException e) { // the next judging throws it again
      return false;
    }
  }

  /** Whether the marks leave it open that a message was recorded; a gap proves that it was not. */
  private boolean mayBeRecorded(Found<T> found, Task<T> task) {
    try {
      Optional<Outcome<T>> outcome = of(task).ofMarks(found);
      return outcome.isPresent() && !(outcome.get() instanceof Outcome.Gap);
    } catch (TidemarkException e) { // the next judging throws it again
      return false;
    }
  }

  /**
   * Whether a write without an answer may have been made: all its messages are known now, or it
   * leaves no trace of them. If one is not known, none of them was recorded by it.
   */
  boolean isUnknown(Found<T> found, Attempt<T> attempt) {
    boolean traceless = attempt.erases() && found.exists();
    return attempt.isUncertain()
        && (traceless || attempt.tasks().stream().allMatch(task -> mayBeRecorded(found, task)));
  }

  /** Whether a blind write over what is stored can be refused by the caller's rule alone. */
  boolean accepts(Attempt<T> blind, Found<T> found) {
    return Requirement.of(blind.request()).passes(found);
  }

  /** Gives the tasks of an accepted request their results. */
  void accept(Attempt<T> attempt, Reply.Accepted<T> reply) {
    attempt.settle();
    int place = 0;
    for (Task<T> task : attempt.tasks()) {
      boolean overtaken = place++ < attempt.overtaken();
      task.result = new Result.Judged<>(accepted(task, overtaken, attempt, reply));
    }
  }

  private Outcome<T> accepted(
      Task<T> task, boolean overtaken, Attempt<T> attempt, Reply.Accepted<T> reply) {
    Outcome<T> outcome = ((Result.Judged<T>) attempt.result(task)).outcome();
    T left = overtaken ? outcome.entityOrNull() : reply.entity();
    T entity = task.rules().returns() ? left : null;
    if (outcome instanceof Outcome.Refused<T> refused) { // which leaves the entity as it was
      return new Outcome.Refused<>(entity == null ? refused.entityOrNull() : entity, true);
    }
    if (outcome instanceof Outcome.Recorded<T> recorded) {
      return new Outcome.Recorded<>(entity, recorded.markOrNull());
    }
    if (!(outcome instanceof Outcome.Applied<T> applied)) {
      return outcome;
    }
    Mark mark = applied.markOrNull();
    if (mark == null && task.message() instanceof SourceEvent event && !attempt.erases()) {
      mark = mark(task, event, attempt, reply);
    }
    boolean created = applied.created() || (reply.created() && task == attempt.first());
    return created || !task.onlyRecords()
        ? new Outcome.Applied<>(entity, created, mark)
        : new Outcome.Recorded<>(entity, mark);
  }

  /** The mark after an accepted write, which only windows that were not read have to be told. */
  private @Nullable Mark mark(
      Task<T> task, SourceEvent event, Attempt<T> attempt, Reply.Accepted<T> reply) {
    Marking marking = attempt.marking();
    if (attempt.isInformed()) {
      Found<T> before = Objects.requireNonNull(attempt.request().over()).found();
      return of(task)
          .mark(marking.marksAfter(marking.marks(before), attempt.request().rules().retired()));
    }
    return marking.hasWindows()
        ? of(task).mark(reply.marks())
        : new Mark(event.source(), event.position());
  }
}
