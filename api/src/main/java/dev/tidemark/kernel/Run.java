package dev.tidemark.kernel;

import dev.tidemark.ContentionException;
import dev.tidemark.Outcome;
import dev.tidemark.Result;
import dev.tidemark.TidemarkException;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import java.nio.ByteBuffer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The writes of one entity, from the first request to the result of each: the one place that
 * decides. It does no I/O: whoever runs it asks for the {@link #next} step, takes it, and tells how
 * it ended, until there is none. A single call is a run of one write.
 *
 * <p>What is found decides in this order: an own write whose reply was lost, the marks, existence,
 * the caller's rule. What is fresh then is written over what was found, on the condition that
 * nothing was written since. For one thread at a time.
 *
 * @param <T> the entity's type
 */
public final class Run<T> {
  private final List<Write<T>> writes;
  private final List<@Nullable Result<T>> results;
  private final LostAttempts<T> lost = new LostAttempts<>();
  private final Sure<T> sure;
  private final Pass<T> pass;
  private final Names names;

  /** How many messages one request may have, and how many the next may have after a split. */
  private final int most;

  private int limit;
  private final Tries tries;

  /** Whether the next step is a read, and whether a read is on its way. */
  private boolean mustLook;

  private boolean reading;

  /** Whether the client may have sent the request before, in a try that it did not tell of. */
  private boolean doubtful;

  /** The fault that ends the run, unless the last read tells that it was carried out. */
  private @Nullable ContentionException outlasted;

  /** What the cache kept of the record. */
  private @Nullable Stored<T> recalled;

  /** The request that is on its way, and the one that has to count sources after it. */
  private @Nullable Attempt<T> sent;

  private @Nullable Attempt<T> flag;

  /** The refused request whose refusal is not known until the record is read. */
  private @Nullable Attempt<T> unseen;

  /**
   * A run of which nothing is done yet. Writes that cannot be formed are not tried.
   *
   * @param writes the writes of one entity, in order
   * @param tracking the policies
   * @param names how the store spells the names of {@code tracking}
   * @param clock the writer's clock, which is read once in each round
   * @param form checks a write, and gives an update in the store's own words the form of an {@link
   *     OwnUpdate}; throws what is wrong with the write, whatever is stored
   * @param recall answers sure duplicates
   * @param patience how long it goes on
   */
  public Run(
      List<Write<T>> writes,
      Tracking tracking,
      Names names,
      Clock clock,
      UnaryOperator<Write<T>> form,
      Recall recall,
      Patience patience) {
    this.writes = new ArrayList<>(writes.size());
    this.results = new ArrayList<>(writes.size());
    this.most = Math.max(2, writes.size());
    this.limit = most;
    this.names = names;
    this.tries = new Tries(patience);
    writes.forEach(write -> add(write, tracking, form));
    this.sure = new Sure<>(this.writes, results, recall);
    this.pass = new Pass<>(this.writes, results, sure, tracking, names, clock);
  }

  private void add(Write<T> write, Tracking tracking, UnaryOperator<Write<T>> form) {
    try {
      Verdict.requirePlace(write.message(), tracking);
      writes.add(form.apply(write));
      results.add(null);
    } catch (RuntimeException e) {
      writes.add(write);
      results.add(new Result.Failed<>(Faults.withKey(e, write.key())));
    }
  }

  /**
   * Offers the run a record that was stored a while ago. Where the run would read first, it writes
   * over that record instead, and only an accepted write makes anything certain.
   *
   * @param old what was stored
   */
  public void recalling(Stored<T> old) {
    recalled = old;
  }

  /**
   * The time of the round, by which everything in it is judged.
   *
   * @return the clock's time when it began
   */
  public Instant now() {
    return pass.now();
  }

  /** Lets the run delete without a read, by a tombstone in the entity's place. */
  public void deletingBlindly() {
    pass.deletesBlindly = true;
  }

  /**
   * Lets the run go on from a write that was made outside of it. The reply to that write is told
   * next.
   *
   * @param token that write's token
   */
  public void resuming(ByteBuffer token) {
    pass.start();
    sent = pass.resumed(token);
  }

  /**
   * What became of all writes, once there is no further step.
   *
   * @return in order
   */
  public List<Result<T>> results() {
    List<Result<T>> all = new ArrayList<>(results.size());
    results.forEach(result -> all.add(Objects.requireNonNull(result)));
    return Collections.unmodifiableList(all);
  }

  /**
   * Lets the outcomes be recalled, once there is no further step.
   *
   * @param stored what the backend keeps of the entity; null if nothing
   */
  public void remember(@Nullable Object stored) {
    sure.remember(results, stored);
  }

  /**
   * What to do next. A read or a request is given again until its end is told; a pause and a yield
   * are given once.
   *
   * @return a step
   */
  public Step<T> next() {
    Step<T> wait = tries.next();
    if (wait != null) {
      return wait;
    }
    Attempt<T> attempt = flag != null ? flag : sent;
    if (attempt != null) {
      return new Step.Send<>(attempt.request());
    }
    return reading ? new Step.Read<>(unseen == null ? null : unseen.request()) : begin();
  }

  /** Starts a round for what has no result yet. */
  private Step<T> begin() {
    if (pass.isOver()) {
      return new Step.Done<>();
    }
    pass.start();
    Attempt<T> attempt = mustLook ? null : pass.blind(limit);
    mustLook = false;
    if (attempt == null || attempt.isEmpty()) {
      attempt = overRecalled();
    }
    if (attempt == null || attempt.isEmpty()) {
      reading = true;
      return next();
    }
    sent = attempt;
    return new Step.Send<>(attempt.request());
  }

  /** The write over the recalled record; null if there is none, or if a function fails on it. */
  private @Nullable Attempt<T> overRecalled() {
    Stored<T> old = recalled;
    recalled = null;
    try {
      return old == null ? null : pass.informed(old, limit, -1);
    } catch (RuntimeException e) { // the record may be old: a read tells
      return null;
    }
  }

  /**
   * Takes what a read has found.
   *
   * @param stored the record
   */
  public void found(Stored<T> stored) {
    Attempt<T> before = unseen;
    unseen = null;
    reading = false;
    over(stored, before, -1, null);
  }

  /**
   * Takes note that a read brought nothing.
   *
   * @param reply busy, or a fault
   */
  public void unread(Reply<T> reply) {
    if (reply instanceof Reply.Busy<T> busy) {
      // Room for others at once, where there may be: a read holds nothing.
      again(tries.mayYield() ? tries.all() : busy.cost(), busy.error());
    } else if (reply instanceof Reply.Fault<T> fault) {
      reading = false;
      lost.failAll(fault.fault(), results);
    } else {
      throw new IllegalArgumentException("a read does not end with " + reply);
    }
  }

  /**
   * Takes the reply to the request that was sent.
   *
   * @param reply what came of it
   * @param uncertain whether an earlier attempt of the client's own may have been carried out
   * @param took how long the reply took
   */
  public void on(Reply<T> reply, boolean uncertain, Duration took) {
    if (flag != null) {
      flag = null; // without it at most one more new source gets in
      return;
    }
    Attempt<T> attempt = Objects.requireNonNull(sent);
    if (uncertain || (doubtful && !(reply instanceof Reply.Busy))) {
      attempt.marking().attemptWasUncertain();
      doubtful = false;
    }
    if (reply instanceof Reply.Accepted<T> accepted) {
      sent = null;
      tries.progressed();
      limit = Math.min(most, 2 * limit);
      accepted(attempt, accepted.created(), accepted.entity(), accepted.marks());
      if (!attempt.isInformed() && attempt.marking().mustFlag(accepted.sources())) {
        flag = pass.flag(attempt);
      }
    } else if (reply instanceof Reply.Refused<T> refused) {
      refused(attempt, refused, took);
    } else if (reply instanceof Reply.Busy<T> busy) {
      again(busy.cost(), busy.error());
    } else if (reply instanceof Reply.Lost<T> none) {
      lost(attempt, none);
    } else {
      Reply.Fault<T> fault = (Reply.Fault<T>) reply;
      fault(attempt, fault.fault(), fault.mayBeOfOne());
    }
  }

  /**
   * Takes note that the attempt may have been carried out, though nothing was lost as far as the
   * store's client tells: the next reply that decides is judged so.
   */
  public void mayHaveBeenMade() {
    doubtful |= flag == null;
  }

  private void refused(Attempt<T> attempt, Reply.Refused<T> refused, Duration took) {
    Stored<T> stored = refused.stored();
    sent = null;
    lost.keepIfLost(attempt, results);
    if (stored == null) {
      unseen = attempt;
      reading = true;
      if (attempt.isInformed()) {
        again(1, null); // others write too
      }
    } else {
      over(stored, attempt, refused.byRule() ? attempt.places().get(0) : -1, took);
    }
  }

  /**
   * Decides by what is stored. A record that cannot be judged ends all open writes with its fault.
   *
   * @param took how long the refusal took that brought the record; null if a read brought it
   */
  private void over(
      Stored<T> stored, @Nullable Attempt<T> before, int byRule, @Nullable Duration took) {
    try {
      decide(stored, before, byRule, took);
    } catch (RuntimeException e) {
      lost.failAll(Faults.withKey(e, pass.key()), results);
    }
  }

  private void decide(
      Stored<T> stored, @Nullable Attempt<T> before, int byRule, @Nullable Duration took) {
    Found<T> found = stored.found();
    ContentionException end = outlasted;
    outlasted = null;
    if (found.marks().containsKey(names.tombstone())) {
      sure.meetsTombstone();
    }
    Attempt<T> own = lost.madeOf(before, attempt -> attempt.isIn(found, names));
    if (own != null) {
      accepted(own, own.hasCreated(found, names), found.entity(), found.marks());
      return;
    }
    lost.failUnknown(before, attempt -> pass.isUnknown(found, attempt), results);
    if (end != null && before != null) {
      lost.failUnmade(before, end, results);
      return;
    }
    int rule = before == null ? -1 : failedRule(before, stored, byRule);
    boolean races = before != null && before.isInformed() && pass.isOpen(before, found);
    if (races && took != null && rule < 0) {
      raced(stored, took);
    } else {
      write(stored, before, rule);
    }
  }

  /** The place whose rule refused a request, as far as that is known; -1 if none did. */
  private int failedRule(Attempt<T> before, Stored<T> stored, int byRule) {
    if (!before.request().hasRule()) {
      return byRule;
    }
    Boolean told = stored.refusesRuleOf(before.request());
    boolean concluded = before.isInformed() && before.isMadeOver(stored.found(), names);
    boolean failed = told != null ? told : byRule >= 0 || concluded;
    return failed ? before.places().get(0) : -1;
  }

  /** Writes what is fresh over what is stored; what is not has its result. */
  private void write(Stored<T> stored, @Nullable Attempt<T> before, int byRule) {
    Attempt<T> attempt = pass.informed(stored, limit, byRule);
    if (attempt.isEmpty()) {
      attempt.results().forEach(results::set);
    } else if (stored.isPartial() && pass.bringsSource(attempt, stored.found())) {
      reading = true; // to count
      unseen = before;
    } else {
      sent = attempt;
    }
  }

  /**
   * After a lost race, writes blindly again where the winner's marks let a blind write pass; else
   * reads.
   */
  private void raced(Stored<T> now, Duration took) {
    pass.start();
    Attempt<T> blind = pass.blind(limit);
    if (!blind.isEmpty() && pass.passes(blind, now.found()) && tries.stayAside(took)) {
      sent = blind;
    } else {
      reading = true;
      again(1, null);
    }
  }

  private void accepted(
      Attempt<T> attempt, boolean created, @Nullable T entity, Map<String, Object> marks) {
    attempt.results().forEach(results::set);
    boolean first = true;
    for (int place : attempt.places()) {
      Outcome<T> outcome = pass.applied(place, attempt, created && first, entity, marks);
      results.set(place, new Result.Judged<>(outcome));
      first = false;
    }
  }

  /** The same again after a pause, while there are tries left. */
  private void again(int cost, @Nullable Throwable error) {
    if (tries.spend(cost)) {
      return;
    }
    Attempt<T> attempt = sent;
    if (doubtful && attempt != null) {
      lookLast(attempt, error);
      return;
    }
    boolean uncertain = attempt != null && attempt.marking().isUncertain();
    if (!uncertain && tries.makeRoom()) {
      mustLook |= attempt != null && attempt.isInformed();
      sent = null;
      reading = false;
      return;
    }
    sent = null;
    reading = false;
    ContentionException outlasted = tries.outlasted(pass.key(), error);
    if (attempt == null) {
      lost.failAll(outlasted, results);
    } else {
      lost.fail(attempt, uncertain ? attempt.marking().unknown(error) : outlasted, results);
    }
  }

  /** What is stored tells whether contention has ended an attempt that was made all the same. */
  private void lookLast(Attempt<T> attempt, @Nullable Throwable error) {
    doubtful = false;
    outlasted = tries.outlasted(pass.key(), error);
    attempt.marking().attemptWasUncertain();
    lost.keepIfLost(attempt, results);
    sent = null;
    unseen = attempt;
    reading = true;
  }

  private void lost(Attempt<T> attempt, Reply.Lost<T> none) {
    attempt.marking().attemptWasUncertain();
    if (tries.lose() && none.again()) {
      again(1, none.error());
    } else {
      sent = null;
      lost.fail(attempt, attempt.marking().unknown(none.error()), results);
    }
  }

  /**
   * Ends the writes of an attempt with a fault. Where that may be the fault of one message, or of
   * their number, fewer messages stand in the next request.
   */
  private void fault(Attempt<T> attempt, RuntimeException fault, boolean mayBeOfOne) {
    sent = null;
    if (mayBeOfOne && attempt.places().size() > 1) {
      lost.keepIfLost(attempt, results);
      limit = attempt.places().size() / 2;
      mustLook = attempt.isInformed();
    } else {
      boolean known = !attempt.marking().isUncertain() || fault instanceof TidemarkException;
      lost.fail(attempt, known ? fault : attempt.marking().unknown(fault), results);
    }
  }
}
