package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.ContentionException;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Message;
import dev.tidemark.Outcome;
import dev.tidemark.OutcomeUnknownException;
import dev.tidemark.Result;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.kernel.Batch;
import dev.tidemark.kernel.Found;
import dev.tidemark.kernel.Names;
import dev.tidemark.kernel.Outbox;
import dev.tidemark.kernel.Verdict;
import dev.tidemark.tck.Backend;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.Neutral;
import dev.tidemark.tck.Oracle;
import dev.tidemark.tck.View;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Holds what a store tells, and what it has stored, to the {@link Oracle}. */
final class OracleCheck {
  private final Backend backend;
  private final MovableClock clock;
  private final EntityKey key;

  OracleCheck(Backend backend, MovableClock clock, EntityKey key) {
    this.backend = backend;
    this.clock = clock;
    this.key = key;
  }

  /** One write, and what the store told of it. */
  record Told(Write<View> write, Result<View> result) {}

  /**
   * What can be seen of an entity: the view, the texts that wait to be sent, and what its marks say
   * of every message.
   */
  record Seen(
      String view,
      Found.State state,
      Map<Message, Optional<Outcome<View>>> judged,
      List<String> published) {}

  Seen seen(Tracking tracking) {
    return seen(backend.views(tracking, clock));
  }

  Seen seen(EntityStore<View> store) {
    return seen(store, RandomScript.everything());
  }

  /**
   * What can be seen now.
   *
   * @param asked the messages to ask for; none where tracking has other names of attributes
   */
  Seen seen(EntityStore<View> store, List<Message> asked) {
    Tracking tracking = store.tracking();
    Names names = Names.flat(tracking);
    Found<View> found =
        backend
            .raw(key)
            .map(record -> new Found<View>(true, Neutral.record(record), null))
            .orElse(Found.nothing());
    Map<Message, Optional<Outcome<View>>> judged = new LinkedHashMap<>();
    for (Message message : asked) {
      judged.put(message, new Verdict(message, tracking, names, clock.instant()).ofMarks(found));
    }
    String view = text(store.find(key));
    List<String> published = new ArrayList<>();
    if (found.marks().get(names.outbox()) instanceof List<?> waiting) {
      waiting.forEach(one -> published.add(Outbox.message(one).text().orElseThrow()));
    }
    return new Seen(view, found.state(names, clock.instant()), judged, published);
  }

  private static String text(Optional<View> view) {
    return view.map(View::toString).orElse("none");
  }

  /** What is seen of an entity that should not be; empty if it is as the oracle has it. */
  List<String> differences(Oracle later, Seen seen, Tracking tracking) {
    Oracle oracle = later.at(clock.instant()).as(tracking.subscriber());
    List<String> differences = new ArrayList<>();
    String view = text(oracle.view(key));
    if (!view.equals(seen.view()) || oracle.state() != seen.state()) {
      differences.add(seen.state() + " " + seen.view() + ", not " + oracle.state() + " " + view);
    }
    if (!oracle.published().equals(seen.published())) {
      differences.add(seen.published() + " wait, not " + oracle.published());
    }
    seen.judged()
        .forEach(
            (message, judged) -> {
              Optional<Outcome<View>> should = oracle.judged(message, tracking, clock.instant());
              boolean same =
                  (should.isPresent() && judged.isPresent())
                      ? agree(should.get(), oracle.wasRecorded(message), judged.get(), true, true)
                      : should.isEmpty() && judged.isEmpty();
              if (!same) {
                differences.add(message + " is " + judged + ", not " + should);
              }
            });
    return differences;
  }

  /**
   * Holds the results of a round to what its messages have to do alone, in their order of judging.
   *
   * @return the entity after it
   */
  Oracle replay(Oracle before, List<Told> all, Tracking tracking, boolean alone, String what) {
    Oracle[] oracle = {before};
    for (Told told : judged(all, tracking, what)) {
      Oracle.Step step = oracle[0].write(told.write(), tracking, clock.instant());
      assertTrue(
          agree(told.write(), step, told.result(), alone),
          () ->
              told.write() + " is " + text(told.result()) + ", not " + text(step.result()) + what);
      oracle[0] = step.after();
    }
    return oracle[0];
  }

  /**
   * Those that were judged, in their order; the others have to be held back by them, but for
   * positions that no source may have, which may be told at once. What is unknown comes last if it
   * would wait: it stood in one write with what it waits for.
   */
  static List<Told> judged(List<Told> all, Tracking tracking, String what) {
    IdentityHashMap<Write<View>, Told> byWrite = new IdentityHashMap<>();
    all.forEach(told -> byWrite.put(told.write(), told));
    List<Told> judged = new ArrayList<>();
    List<Result<View>> held =
        Batch.oneByOne(
            all.stream().map(Told::write).toList(),
            tracking,
            write -> {
              Told one = Objects.requireNonNull(byWrite.get(write));
              judged.add(one);
              return one.result();
            });
    judged.forEach(told -> assertEquals("goes", waits(told.result()), what));
    for (int i = 0; i < held.size(); i++) {
      Told told = all.get(i);
      if (!judged.contains(told) && isUndecided(told.result())) {
        judged.add(told);
      } else if (judged.contains(told) || !isBadInput(told, tracking)) {
        assertEquals(waits(held.get(i)), waits(told.result()), what);
      }
    }
    return judged;
  }

  static boolean isUnknown(Result<View> result) {
    return result instanceof Result.Failed<View> failed
        && failed.fault() instanceof OutcomeUnknownException;
  }

  private static boolean isBadInput(Told told, Tracking tracking) {
    return told.result() instanceof Result.Failed<View> failed
        && failed.fault() instanceof IllegalArgumentException
        && !isPossible(told.write().message(), tracking);
  }

  /** Whether a source may have such a position, as its policy has it. */
  static boolean isPossible(Message message, Tracking tracking) {
    try {
      Verdict.requirePosition(message, tracking);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Whether a store tells nothing of the message itself. */
  static boolean isUndecided(Result<View> result) {
    return isUnknown(result)
        || (result instanceof Result.Failed<View> failed
            && failed.fault() instanceof ContentionException);
  }

  private static String waits(Result<View> result) {
    return result instanceof Result.HeldBack<View> held ? "waits for " + held.behind() : "goes";
  }

  /**
   * Whether a store tells what it has to.
   *
   * @param alone whether it is of a single call, which tells the marks and the entity too
   */
  static boolean agree(Write<View> write, Oracle.Step step, Result<View> told, boolean alone) {
    boolean views = alone || write.action() instanceof Write.Action.Apply;
    Outcome<View> should = step.result().outcomeIfJudged().orElse(null);
    Outcome<View> does = told.outcomeIfJudged().orElse(null);
    return (should == null || does == null)
        ? Words.of(step.result()).equals(Words.of(told))
        : agree(should, step.wasRecorded(), does, views, alone);
  }

  private static boolean agree(
      Outcome<View> should, boolean wasRecorded, Outcome<View> does, boolean views, boolean alone) {
    boolean longer = should instanceof Outcome.Stale || should instanceof Outcome.BeyondHorizon;
    if (longer && wasRecorded && does instanceof Outcome.Duplicate) {
      return true; // it remembers for longer than it has to
    }
    boolean sameView =
        !views
            || should.entity().isEmpty()
            || does.entity().isEmpty()
            || text(should.entity()).equals(text(does.entity()));
    return sameView && described(should, alone).equals(described(does, alone));
  }

  static String text(Result<View> result) {
    return result instanceof Result.Judged<View> judged
        ? described(judged.outcome(), true) + " with " + text(judged.outcome().entity())
        : Words.of(result);
  }

  /** An outcome with what tells two of one arm apart. */
  private static String described(Outcome<View> outcome, boolean marks) {
    if (outcome instanceof Outcome.Applied<View> applied) {
      return outcome + (marks ? "" + applied.mark() : "");
    }
    if (outcome instanceof Outcome.Recorded<View> recorded) {
      return outcome + (marks ? "" + recorded.mark() : "");
    }
    if (outcome instanceof Outcome.Duplicate<View> duplicate) {
      return outcome + (marks ? "" + duplicate.mark() : "");
    }
    if (outcome instanceof Outcome.Stale<View> stale) {
      return "Stale" + (marks ? stale.mark() : "");
    }
    return outcome instanceof Outcome.Gap<View> gap ? outcome + "" + gap.holes() : "" + outcome;
  }
}
