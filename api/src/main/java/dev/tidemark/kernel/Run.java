package dev.tidemark.kernel;

import dev.tidemark.EntityKey;
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
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Takes the writes of one entity from the first request to the result of each. It does no I/O:
 * whoever runs it asks for the {@link #next} step, takes it, and tells how it ended, until there is
 * none. A single call is a run of one write.
 *
 * <p>What is found decides in this order: an own write whose reply was lost, the marks, existence,
 * the caller's rule. What is fresh then is written over what was found, on the condition that
 * nothing was written since. For one thread at a time.
 *
 * @param <T> the entity's type
 */
public final class Run<T> {
  private final List<Task<T>> tasks = new ArrayList<>();
  private final LostAttempts<T> lost = new LostAttempts<>();
  private final CachedAnswers<T> cached;
  private final Gatherer<T> gatherer;
  private final Names names;
  private final Tries tries;

  /** Whether the next step is a read, and whether a read is on its way. */
  private boolean mustRead;

  private boolean reading;

  /** Whether the client may have sent the request before, in a try that it did not tell of. */
  private boolean doubtful;

  /** The fault that ends an attempt, unless one last read tells that it was carried out. */
  private @Nullable RuntimeException outlasted;

  /** The request that is on its way. */
  private @Nullable Attempt<T> sent;

  /** The request after it that tells the next writer to count the sources. */
  private @Nullable Request<T> flag;

  /** The refused request whose refusal is not known until the record is read. */
  private @Nullable Attempt<T> unseen;

  /** The write that was made outside of the run: what is read is taken for what refused it. */
  private @Nullable Attempt<T> resumed;

  /**
   * A run of which nothing is done yet. Writes that cannot be formed are not tried.
   *
   * @param writes the writes of one entity, in order
   * @param tracking the policies
   * @param names how the store spells the names of {@code tracking}
   * @param clock the writer's clock, which is read once for all that is judged together
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
    this.names = names;
    this.tries = new Tries(patience);
    writes.forEach(write -> tasks.add(Task.of(write, tracking, form)));
    this.cached = new CachedAnswers<>(tasks, recall);
    this.gatherer = new Gatherer<>(tasks, tracking, names, clock, recall.store());
  }

  /**
   * Offers the run a record that was stored a while ago. Where the run would read first, it writes
   * over that record instead, and only an accepted write makes anything certain.
   *
   * @param old what was stored
   */
  public void recalling(Stored<T> old) {
    gatherer.recalled = old;
  }

  /** {@return the time by which everything is judged until the clock is read again} */
  public Instant now() {
    return gatherer.verdicts().now();
  }

  private EntityKey key() {
    return tasks.get(0).write.key();
  }

  /** Lets the run delete without a read, by a tombstone in the entity's place. */
  public void deletingBlindly() {
    gatherer.deletesBlindly = true;
  }

  /**
   * Lets the run's requests be parts of transactions: no reply tells what they leave, so that its
   * sources cannot be counted after them.
   */
  public void joining() {
    gatherer.joins();
  }

  /**
   * Lets the run go on from a write that was made outside of it. The reply to that write is told
   * next.
   *
   * @param token that write's token
   */
  public void resuming(ByteBuffer token) {
    gatherer.readClock();
    resumed = Attempt.resumed(tasks.get(0), gatherer.verdicts(), token);
    sent = resumed;
  }

  /** {@return what became of all writes, in order, once there is no further step} */
  public List<Result<T>> results() {
    List<Result<T>> all = new ArrayList<>(tasks.size());
    tasks.forEach(task -> all.add(Objects.requireNonNull(task.result)));
    return Collections.unmodifiableList(all);
  }

  /**
   * {@return what the first write comes to if the request to be sent is accepted, if there is one}
   */
  public Optional<Outcome<T>> expected() {
    return Optional.ofNullable(sent).flatMap(it -> it.result(it.first()).outcomeIfJudged());
  }

  /**
   * Lets the outcomes be recalled, once there is no further step.
   *
   * @param stored what the backend keeps of the entity; null if nothing
   */
  public void remember(@Nullable Object stored) {
    cached.remember(stored);
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
    if (flag != null) {
      return new Step.Send<>(flag);
    }
    if (sent != null) {
      return new Step.Send<>(sent.request());
    }
    return reading ? new Step.Read<>(unseen == null ? null : unseen.request()) : begin();
  }

  /** The next step for what has no result yet, judged by the clock of now. */
  private Step<T> begin() {
    if (gatherer.settlesAll()) {
      return new Step.Done<>();
    }
    gatherer.readClock();
    sent = gatherer.next(mustRead);
    mustRead = false;
    reading = sent == null;
    return next();
  }

  /**
   * Takes what a read has found.
   *
   * @param stored the record
   */
  public void found(Stored<T> stored) {
    found(stored, null);
  }

  /**
   * Takes what a read has found that asked for the caller's rule, too.
   *
   * @param stored the record
   * @param ruled whether the rule of the request that {@link Step.Read#refused} names is false over
   *     it; null if it was not asked
   */
  public void found(Stored<T> stored, @Nullable Boolean ruled) {
    Attempt<T> before = unseen;
    unseen = null;
    reading = false;
    judge(stored, before, ruled, before != null && before == resumed ? Duration.ZERO : null);
  }

  /**
   * Takes note that a read brought nothing.
   *
   * @param reply busy, or a fault
   */
  public void unread(Reply<T> reply) {
    RuntimeException end = outlasted;
    outlasted = null;
    if (end != null) {
      reading = false;
      lost.fail(Objects.requireNonNull(unseen).tasks(), end);
      unseen = null;
    } else if (reply instanceof Reply.Busy<T> busy) {
      // Room for others at once, where there may be: a read holds nothing.
      again(tries.mayYield() ? tries.all() : busy.cost(), busy.error());
    } else if (reply instanceof Reply.Fault<T> fault) {
      reading = false;
      lost.fail(tasks, fault.fault());
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
      attempt.wasUncertain();
      doubtful = false;
    }
    if (reply instanceof Reply.Accepted<T> accepted) {
      sent = null;
      tries.progressed();
      gatherer.grow();
      gatherer.verdicts().accept(attempt, accepted);
      if (!attempt.isInformed() && attempt.marking().sources().mustFlag(accepted.sources())) {
        flag = new Request<>(attempt.marking(), null, new Effect.Flag<>());
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
    lost.keepIfLost(attempt);
    if (stored == null) {
      unseen = attempt;
      reading = true;
      if (attempt.isInformed()) {
        again(1, null); // others write too
      }
    } else {
      judge(stored, attempt, refused.ruled(), took);
    }
  }

  /**
   * Decides by what is stored. A record that cannot be judged ends all open writes with its fault.
   *
   * @param ruled whether the caller's rule of the request before is false, as the store says; null
   *     if it says nothing
   * @param took how long the refusal took that brought the record; null if a read brought it
   */
  private void judge(
      Stored<T> stored,
      @Nullable Attempt<T> before,
      @Nullable Boolean ruled,
      @Nullable Duration took) {
    try {
      decide(stored, before, ruled, took);
    } catch (RuntimeException e) {
      lost.fail(tasks, Faults.withKey(e, key()));
    }
  }

  private void decide(
      Stored<T> stored,
      @Nullable Attempt<T> before,
      @Nullable Boolean ruled,
      @Nullable Duration took) {
    Found<T> found = stored.found();
    Verdicts<T> verdicts = gatherer.verdicts();
    RuntimeException end = outlasted;
    outlasted = null;
    if (found.marks().containsKey(names.tombstone())) {
      cached.meetTombstone();
    }
    Attempt<T> own = lost.whichWrote(before, attempt -> attempt.isIn(found, names));
    if (own != null) {
      verdicts.accept(own, own.acceptedAs(found, names));
      return;
    }
    lost.failUnknown(before, attempt -> verdicts.isUnknown(found, attempt));
    if (end != null && before != null) {
      lost.failUnmade(before, end);
      return;
    }
    boolean atOnce = took != null;
    boolean byRule =
        before != null && RuleRefusal.refused(before.request(), stored, atOnce, ruled, names);
    Task<T> ruledOut = before != null && byRule ? before.first() : null;
    boolean races = before != null && before.isInformed() && verdicts.isOpen(found, before.first());
    if (races && took != null && ruledOut == null) {
      loseRace(stored, took);
    } else {
      write(stored, before, ruledOut);
    }
  }

  /** Writes what is fresh over what is stored; what is not has its result. */
  private void write(Stored<T> stored, @Nullable Attempt<T> before, @Nullable Task<T> ruledOut) {
    Gathered<T> gathered = gatherer.informed(stored, ruledOut);
    Attempt<T> attempt = gathered.attempt();
    if (attempt == null) {
      gathered.settle();
    } else if (stored.isPartial() && attempt.bringsSource(stored.found(), names)) {
      reading = true; // to count
      unseen = before;
    } else {
      sent = attempt;
    }
  }

  /** After a lost race, writes blindly again if the winner's marks accept that; else reads. */
  private void loseRace(Stored<T> now, Duration took) {
    gatherer.readClock();
    Attempt<T> blind = gatherer.blind();
    if (blind != null && gatherer.verdicts().accepts(blind, now.found()) && tries.stayAside(took)) {
      sent = blind;
    } else {
      reading = true;
      again(1, null);
    }
  }

  /** The same again after a pause, while there are tries left. */
  private void again(int cost, @Nullable Throwable error) {
    if (tries.spend(cost)) {
      return;
    }
    Attempt<T> attempt = sent;
    boolean uncertain = attempt != null && attempt.isUncertain();
    if (attempt != null && (uncertain || doubtful)) {
      readLast(attempt, uncertain ? attempt.unknown(error) : tries.outlasted(key(), error));
      return;
    }
    sent = null;
    reading = false;
    if (tries.makeRoom()) {
      mustRead |= attempt != null && attempt.isInformed();
      return;
    }
    lost.fail(attempt == null ? tasks : attempt.tasks(), tries.outlasted(key(), error));
  }

  /**
   * Ends an attempt that may have been made all the same, once what is stored was asked for its
   * token: by one read, for whose answer nobody tries again.
   */
  private void readLast(Attempt<T> attempt, RuntimeException end) {
    doubtful = false;
    outlasted = end;
    attempt.wasUncertain();
    lost.keepIfLost(attempt);
    sent = null;
    unseen = attempt;
    reading = true;
  }

  private void lost(Attempt<T> attempt, Reply.Lost<T> none) {
    attempt.wasUncertain();
    if (tries.lose() && none.again()) {
      again(1, none.error());
    } else {
      readLast(attempt, attempt.unknown(none.error()));
    }
  }

  /**
   * Ends the writes of an attempt with a fault. Where that may be the fault of one message, or of
   * their number, fewer messages stand in the next request.
   */
  private void fault(Attempt<T> attempt, RuntimeException fault, boolean mayBeOfOne) {
    sent = null;
    if (mayBeOfOne && attempt.tasks().size() > 1) {
      lost.keepIfLost(attempt);
      gatherer.halve(attempt.tasks().size());
      mustRead = attempt.isInformed();
    } else if (attempt.isUncertain() && !(fault instanceof TidemarkException)) {
      readLast(attempt, attempt.unknown(fault));
    } else {
      lost.fail(attempt.tasks(), fault);
    }
  }
}
