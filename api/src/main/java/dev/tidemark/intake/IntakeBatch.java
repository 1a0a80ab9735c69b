package dev.tidemark.intake;

import dev.tidemark.Result;
import dev.tidemark.TidemarkException;
import dev.tidemark.intake.DeadLetters.Reason;
import dev.tidemark.intake.Taken.Fate;
import dev.tidemark.intake.Taken.Kind;
import dev.tidemark.kernel.Faults;
import dev.tidemark.kernel.LaneGate;
import dev.tidemark.projector.Delivery;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One batch on its way through an intake. For one thread. */
final class IntakeBatch<M> {
  private static final String UNHANDLED = "not handled yet";

  private static final System.Logger LOG = System.getLogger(Intake.class.getName());

  private final IntakeBuilder<M> settings;
  private final Failures failures;
  private final List<Entry<M>> entries;
  private boolean lettersFail;

  /** Something was buried for which the handler may have held others back. */
  private boolean freed;

  /** An InterruptedException was thrown: nothing behind it is begun. */
  private boolean isInterrupted;

  IntakeBatch(IntakeBuilder<M> settings, Failures failures, List<M> messages) {
    this.settings = settings;
    this.failures = failures;
    this.entries =
        messages.stream()
            .map(
                message ->
                    new Entry<M>(message, settings.id.apply(message), settings.lane.apply(message)))
            .toList();
  }

  /** A message, and what is known of it by now. */
  private static final class Entry<M> {
    final M message;
    final Object id;
    final @Nullable String lane;
    @Nullable Delivery delivery;
    Kind kind = Kind.AGAIN;
    String why = UNHANDLED;
    boolean read;
    boolean undecodable;
    boolean handed;

    /** It has failed for a cause of its own when it was tried last. */
    boolean failed;

    /** It waits for another message, perhaps for one behind it. */
    boolean waits;

    /** Its letter is to be kept, once its turn has come. */
    boolean givenUp;

    /** Why it is a dead letter, once that is kept. */
    @Nullable String letter;

    /** Why its letter is not kept. */
    @Nullable String unkept;

    int tries;

    Entry(M message, Object id, @Nullable String lane) {
      this.message = message;
      this.id = Objects.requireNonNull(id, "id of a message");
      this.lane = lane;
      if (lane != null && lane.isEmpty()) { // which is no fault of the message's
        throw new IllegalArgumentException(
            "the lane of a message must not be empty: give null for a message that has no order");
      }
    }
  }

  Taken<M> taken() {
    try {
      List<Entry<M>> open = open();
      while (!open.isEmpty()) { // what waited behind what was given up has another turn
        handle(open);
        open = isInterrupted ? List.of() : open();
      }
      return new Taken<>(fates());
    } finally {
      if (isInterrupted) { // only now, since what was read before may be done
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * What to hand over now; nothing at the end. What is given up is buried here, before anything
   * behind it has its turn: that would overtake it if it came again. It is not buried while
   * something in front of it in its lane is not done, since it comes again with that.
   *
   * <p>Behind a message that is neither read nor buried the rest of its lane is left out, since
   * nobody knows of which entity the message is. But the lane's first message may wait for one of
   * the rest, as a gap does. Then what is given up is buried before its turn.
   */
  private List<Entry<M>> open() {
    freed = false;
    List<Entry<M>> open = new ArrayList<>();
    LaneGate<String, Entry<M>> lanes = new LaneGate<>();
    LaneGate<String, Entry<M>> unread = new LaneGate<>();
    for (Entry<M> entry : entries) {
      if (unread.ahead(entry.lane) != null) {
        continue;
      }
      Entry<M> first = lanes.ahead(entry.lane);
      read(entry);
      if (first == null || (entry.delivery == null && first.waits && !freed)) {
        bury(entry);
      }
      if (isInterrupted) {
        break;
      }
      if (entry.kind != Kind.AGAIN) {
        continue;
      }
      lanes.stop(entry.lane, entry);
      if (entry.delivery == null) {
        unread.stop(entry.lane, entry);
      } else {
        open.add(entry);
      }
    }
    return isWorthATurn(open) ? open : List.of();
  }

  /**
   * What was handed over before comes along, so that nothing new overtakes it. For new messages
   * alone no outage is met twice in a batch, since that may take long.
   */
  private boolean isWorthATurn(List<Entry<M>> open) {
    boolean hasNew = open.stream().anyMatch(entry -> !entry.handed);
    boolean meetsOutage =
        open.stream().anyMatch(entry -> entry.handed && !entry.failed && !entry.waits);
    return freed || (hasNew && !meetsOutage);
  }

  private void read(Entry<M> entry) {
    if (!entry.read) {
      entry.read = true;
      entry.letter = failures.letter(entry.id);
      if (entry.letter == null) {
        decode(entry);
      } else {
        entry.kind = Kind.DEAD;
      }
    }
  }

  private void decode(Entry<M> entry) {
    try {
      Delivery decoded = settings.decoder.decode(entry.message);
      if (decoded == null) {
        noDelivery(entry);
        return;
      }
      entry.delivery = entry.lane == null ? decoded : decoded.lane(entry.lane);
    } catch (RuntimeException e) {
      if (settings.undecodable.test(e) && !Faults.isOfProcess(e)) {
        undecodable(entry, e);
      } else {
        failed(entry, e);
      }
    } catch (Throwable e) {
      if (e instanceof Exception checked && !Faults.isOfProcess(e)) {
        undecodable(entry, checked);
      } else {
        failed(entry, unchecked(e));
      }
    }
  }

  private RuntimeException unchecked(Throwable thrown) {
    if (Faults.isInterrupt(thrown)) {
      isInterrupted = true;
      return new UndeclaredThrowableException(thrown);
    }
    return Faults.unchecked(thrown);
  }

  /** Counts as a failure, as any other bug of the decoder's does. */
  private void noDelivery(Entry<M> entry) {
    String text =
        "the decoder "
            + settings.decoder.getClass().getName()
            + " returned null: it has to return a delivery, or to throw";
    failed(entry, new IllegalStateException(text));
    entry.why = text;
  }

  private void undecodable(Entry<M> entry, Exception fault) {
    entry.undecodable = true;
    entry.failed = true;
    entry.tries = 1;
    entry.why = text(fault);
    entry.givenUp = settings.deadLetters != null; // without these nothing is given up
  }

  /**
   * A letter is tried once for a batch. A message that cannot be kept comes again, and the others
   * of the batch are spared the wait.
   */
  private void bury(Entry<M> entry) {
    if (!entry.givenUp || !entry.failed || entry.kind != Kind.AGAIN || entry.unkept != null) {
      return;
    }
    if (lettersFail) {
      entry.unkept = "the dead letters took none before it";
      return;
    }
    try {
      Reason reason = new Reason(entry.why, entry.undecodable, entry.tries);
      Objects.requireNonNull(settings.deadLetters).keep(entry.message, reason);
      entry.kind = Kind.DEAD;
      entry.letter = why(entry);
      freed |= entry.delivery != null;
    } catch (Throwable e) {
      lettersFail = true;
      entry.unkept = "the dead letters did not take it: " + text(unchecked(e));
    }
  }

  private void handle(List<Entry<M>> open) {
    for (Entry<M> entry : open) {
      entry.handed = true;
      entry.failed = false;
      entry.waits = false;
    }
    List<Delivery> deliveries =
        open.stream().map(entry -> Objects.requireNonNull(entry.delivery)).toList();
    Named named;
    try {
      named = new Named(deliveries, settings.handler.apply(deliveries));
    } catch (Throwable e) { // which is no message's fault
      String why = text(unchecked(e));
      open.forEach(entry -> entry.why = why);
      return;
    }
    List<@Nullable Result<?>> results = new ArrayList<>();
    deliveries.forEach(delivery -> results.add(named.of(delivery)));
    for (int i = 0; i < open.size(); i++) {
      Result<?> result = results.get(i);
      if (result != null && result.isDone()) {
        open.get(i).kind = Kind.DONE;
        failures.succeeded();
      }
    }
    for (int i = 0; i < open.size(); i++) {
      if (open.get(i).kind != Kind.DONE) {
        undone(open.get(i), results.get(i));
      }
    }
  }

  private void undone(Entry<M> entry, @Nullable Result<?> result) {
    if (result == null) {
      noResult(entry);
    } else if (result instanceof Result.Failed<?> failed) {
      failed(entry, failed.fault());
    } else {
      entry.waits = true;
      entry.why =
          result
              .outcomeIfJudged()
              .map(outcome -> outcome.getClass().getSimpleName())
              .orElse("held back behind a message that is not done");
    }
  }

  /** Counts as a failure, since nothing says that the handler will ever name one. */
  private void noResult(Entry<M> entry) {
    String text =
        "the handler named no result for the delivery: its outcome has to hold each delivery that"
            + " it was given; leave events out by a projector's ignoring(type)";
    failed(entry, new IllegalStateException(text));
    entry.why = text;
  }

  private void failed(Entry<M> entry, RuntimeException fault) {
    entry.why = text(fault);
    isInterrupted |= Faults.isInterrupt(thrown(fault));
    if (isRetryable(fault)
        || Faults.isOfProcess(fault)
        || isOfJvm(fault)
        || settings.isOutage(fault, entry.delivery == null)) {
      return;
    }
    if (entry.tries == 0) { // once for a batch
      entry.tries = failures.failed(entry.id);
    }
    entry.failed = true;
    if (settings.deadLetters != null && !entry.givenUp) {
      entry.givenUp = failures.giveUp(entry.tries);
    }
  }

  private static boolean isRetryable(RuntimeException fault) {
    return Faults.decisive(fault, TidemarkException.class) instanceof TidemarkException tidemark
        && tidemark.isRetryable();
  }

  /** Want of memory, or the like, that an executor or a framework has wrapped. */
  private static boolean isOfJvm(RuntimeException fault) {
    return Faults.decisive(fault, VirtualMachineError.class) instanceof VirtualMachineError failure
        && !(failure instanceof StackOverflowError);
  }

  /** What was thrown, where a failure stands for what is no RuntimeException. */
  static Throwable thrown(Exception fault) {
    Throwable cause = fault instanceof UndeclaredThrowableException ? fault.getCause() : null;
    return cause == null ? fault : cause;
  }

  private String text(Exception fault) {
    Throwable thrown = thrown(fault);
    LOG.log(System.Logger.Level.DEBUG, "A message, or a batch, failed", thrown);
    return settings.reason.apply(thrown instanceof Exception exception ? exception : fault);
  }

  private List<Fate<M>> fates() {
    List<Fate<M>> fates = new ArrayList<>();
    LaneGate<String, Entry<M>> lanes = new LaneGate<>();
    for (Entry<M> entry : entries) {
      boolean behind = lanes.ahead(entry.lane) != null;
      Fate<M> fate = behind ? again(entry, "behind a message that is not done") : fate(entry);
      if (fate.handled()) {
        failures.forget(entry.id);
      } else if (entry.letter != null) {
        failures.kept(entry.id, entry.letter);
      } else if (entry.givenUp && !entry.undecodable) {
        failures.notKept();
      }
      if (fate.kind() == Kind.AGAIN) {
        lanes.stop(entry.lane, entry);
      }
      fates.add(fate);
    }
    return fates;
  }

  private static <M> Fate<M> fate(Entry<M> entry) {
    return switch (entry.kind) {
      case DONE -> new Fate<>(entry.message, Kind.DONE, "", true);
      case DEAD -> new Fate<>(entry.message, Kind.DEAD, Objects.requireNonNull(entry.letter), true);
      case AGAIN -> again(entry, entry.unkept == null ? why(entry) : entry.unkept);
    };
  }

  /** A letter says by its kind what a line of the log has to say in words. */
  private static String why(Entry<?> entry) {
    return entry.undecodable ? "cannot be decoded: " + entry.why : entry.why;
  }

  private static <M> Fate<M> again(Entry<M> entry, String why) {
    return new Fate<>(entry.message, Kind.AGAIN, why, entry.kind == Kind.DONE);
  }
}
