package dev.tidemark.kernel;

import dev.tidemark.Outcome;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.Result;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A request of a {@link Run}, and what it means for every task. */
final class Attempt<T> {
  private final Request<T> request;
  private final Map<Task<T>, Result<T>> results;
  private final List<Task<T>> tasks;
  private final int overtaken;
  private final boolean erases;
  private boolean uncertain;

  /**
   * An attempt that was not made yet.
   *
   * @param request the write of all of them
   * @param results of all tasks up to the last that it applies, as they are if it is accepted
   * @param tasks those that it applies or records, in order
   * @param overtaken how many of these come before the last function
   * @param erases whether it takes the mark of its own message away
   */
  Attempt(
      Request<T> request,
      Map<Task<T>, Result<T>> results,
      List<Task<T>> tasks,
      int overtaken,
      boolean erases) {
    this.request = request;
    this.results = results;
    this.tasks = tasks;
    this.overtaken = overtaken;
    this.erases = erases;
  }

  /** The attempt that stands for an update in the store's own words, made outside of the run. */
  static <T> Attempt<T> resumed(Task<T> task, Verdicts<T> verdicts, ByteBuffer token) {
    List<Task<T>> tasks = List.of(task);
    Result<T> applied = new Result.Judged<>(new Outcome.Applied<>(null, false, null));
    Request<T> request = new Request<>(verdicts.marking(tasks, token), null, task.effect());
    return new Attempt<>(request, Map.of(task, applied), tasks, 0, false);
  }

  Request<T> request() {
    return request;
  }

  List<Task<T>> tasks() {
    return tasks;
  }

  Task<T> first() {
    return tasks.get(0);
  }

  boolean erases() {
    return erases;
  }

  Marking marking() {
    return request.marking();
  }

  /** Whether it was made over what was read. */
  boolean isInformed() {
    return request.over() != null;
  }

  /** How many tasks come before the last function: the entity is not as these left it. */
  int overtaken() {
    return overtaken;
  }

  /** What a task becomes if the request is accepted. */
  Result<T> result(Task<T> task) {
    return Objects.requireNonNull(results.get(task));
  }

  /** Gives all tasks what they become if the request is accepted. */
  void settle() {
    results.forEach((task, result) -> task.result = result);
  }

  /** Notes that it ended without an answer, so that it may have been carried out. */
  void wasUncertain() {
    uncertain = true;
  }

  boolean isUncertain() {
    return uncertain;
  }

  /** Whether it brings a source of which a tracked entity has no mark yet. */
  boolean bringsSource(Found<T> found, Names names) {
    return found.revision(names) != null && marking().sources().bringsOne(found.marks());
  }

  /** The fault of tasks of which nothing tells whether this attempt carried them out. */
  OutcomeUnknownException unknown(@Nullable Throwable cause) {
    int others = tasks.size() - 1;
    return new OutcomeUnknownException(
        "no answer came for "
            + Ids.withoutSource(first().message())
            + (others == 0 ? "" : " and " + others + " more in the same write")
            + "; what is stored does not tell if it was applied",
        marking().key(),
        cause);
  }

  /** Whether this attempt left the record that is stored. */
  boolean isIn(Found<T> found, Names names) {
    return found.exists() && marking().token().equals(found.revision(names));
  }

  /** The reply that this attempt would have had, as the record that it left tells it. */
  Reply.Accepted<T> acceptedAs(Found<T> found, Names names) {
    boolean created = marking().token().equals(found.marks().get(names.birth()));
    return new Reply.Accepted<>(created, found.entity(), found.marks(), -1);
  }
}
