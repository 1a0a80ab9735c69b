package dev.tidemark.intake;

import dev.tidemark.Result;
import dev.tidemark.TidemarkException;
import dev.tidemark.intake.DeadLetters.Reason;
import dev.tidemark.intake.Taken.Fate;
import dev.tidemark.intake.Taken.Kind;
import dev.tidemark.kernel.Faults;
import dev.tidemark.projector.Delivery;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One batch on its way through an intake. For one thread. */
final class IntakeBatch<M> {
  private static final String UNHANDLED = "not handled yet";

  private static final System.Logger LOG = System.getLogger(Intake.class.getName());

  private final IntakeBuilder<M> settings;
  private final Failures failures;
  private final List<Entry<M>> entries;
  private boolean lettersFail;

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
    boolean undecodable;
    int tries;

    Entry(M message, Object id, @Nullable String lane) {
      this.message = message;
      this.id = Objects.requireNonNull(id, "id of a message");
      this.lane = lane;
    }
  }

  Taken<M> taken() {
    decode();
    boolean freed = true;
    while (freed) { // what waited behind what was given up has another turn
      List<Entry<M>> open =
          entries.stream()
              .filter(entry -> entry.delivery != null && entry.kind == Kind.AGAIN)
              .toList();
      freed = !open.isEmpty() && handle(open);
    }
    return new Taken<>(fates());
  }

  /**
   * Behind a message that cannot be decoded now, but later perhaps, the rest of its lane is left
   * out: nobody knows of which entity the message is, so any later one might overtake it there.
   */
  private void decode() {
    Set<String> unread = new HashSet<>();
    for (Entry<M> entry : entries) {
      if (entry.lane != null && unread.contains(entry.lane)) {
        continue;
      }
      decode(entry);
      if (entry.lane != null && entry.delivery == null && entry.kind == Kind.AGAIN) {
        unread.add(entry.lane);
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
      if (settings.undecodable.test(e)) {
        undecodable(entry, e);
      } else {
        failed(entry, e);
      }
    } catch (Throwable e) {
      if (e instanceof Exception checked && !(e instanceof InterruptedException)) {
        undecodable(entry, checked);
      } else {
        failed(entry, Faults.unchecked(e));
      }
    }
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
    entry.tries = 1;
    entry.why = text(fault);
    giveUp(entry);
  }

  /** Without dead letters nothing is given up. */
  private void giveUp(Entry<M> entry) {
    entry.kind = settings.deadLetters == null ? Kind.AGAIN : Kind.DEAD;
  }

  /** Tells whether something was given up, so that the rest is worth another attempt. */
  private boolean handle(List<Entry<M>> open) {
    List<? extends Result<?>> results;
    try {
      List<Delivery> deliveries =
          open.stream().map(entry -> Objects.requireNonNull(entry.delivery)).toList();
      results = settings.handler.apply(deliveries).results();
    } catch (Throwable e) { // which is no message's fault
      String why = text(Faults.unchecked(e));
      open.forEach(entry -> entry.why = why);
      return false;
    }
    for (int i = 0; i < open.size(); i++) {
      if (results.get(i).isDone()) {
        open.get(i).kind = Kind.DONE;
        failures.succeeded();
      }
    }
    boolean freed = false;
    for (int i = 0; i < open.size(); i++) {
      Entry<M> entry = open.get(i);
      if (entry.kind == Kind.AGAIN) {
        undone(entry, results.get(i));
        freed |= entry.kind == Kind.DEAD;
      }
    }
    return freed;
  }

  private void undone(Entry<M> entry, Result<?> result) {
    if (result instanceof Result.Failed<?> failed) {
      failed(entry, failed.fault());
    } else {
      entry.why =
          result
              .outcomeIfJudged()
              .map(outcome -> outcome.getClass().getSimpleName())
              .orElse("held back behind a message that is not done");
    }
  }

  private void failed(Entry<M> entry, RuntimeException fault) {
    entry.why = text(fault);
    boolean passes = fault instanceof TidemarkException tidemark && tidemark.isRetryable();
    if (passes || isInterrupt(fault) || settings.isOutage(fault)) {
      return;
    }
    if (entry.tries == 0) { // once for a batch
      entry.tries = failures.failed(entry.id);
    }
    if (settings.deadLetters != null && failures.giveUp(entry.tries)) {
      giveUp(entry);
    }
  }

  private static boolean isInterrupt(RuntimeException fault) {
    return thrown(fault) instanceof InterruptedException;
  }

  /** What was thrown, where a failure stands for what is no RuntimeException. */
  private static Throwable thrown(Exception fault) {
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
    Set<String> stopped = new HashSet<>();
    for (Entry<M> entry : entries) {
      boolean behind = entry.lane != null && stopped.contains(entry.lane);
      Fate<M> fate = behind ? again(entry, "behind a message that is not done") : fate(entry);
      if (fate.handled()) {
        failures.forget(entry.id);
      } else if (entry.kind == Kind.DEAD && !entry.undecodable) {
        failures.notKept();
      }
      if (fate.kind() == Kind.AGAIN && entry.lane != null) {
        stopped.add(entry.lane);
      }
      fates.add(fate);
    }
    return fates;
  }

  private Fate<M> fate(Entry<M> entry) {
    return switch (entry.kind) {
      case DONE -> new Fate<>(entry.message, Kind.DONE, "", true);
      case DEAD -> buried(entry);
      case AGAIN -> again(entry, entry.why);
    };
  }

  private static <M> Fate<M> again(Entry<M> entry, String why) {
    return new Fate<>(entry.message, Kind.AGAIN, why, entry.kind == Kind.DONE);
  }

  /** One that cannot be kept comes again, and the others of the batch are spared the wait. */
  private Fate<M> buried(Entry<M> entry) {
    if (lettersFail) {
      return again(entry, "the dead letters took none before it");
    }
    try {
      Reason reason = new Reason(entry.why, entry.undecodable, entry.tries);
      Objects.requireNonNull(settings.deadLetters).keep(entry.message, reason);
      return new Fate<>(entry.message, Kind.DEAD, entry.why, true);
    } catch (Throwable e) {
      lettersFail = true;
      return again(entry, "the dead letters did not take it: " + text(Faults.unchecked(e)));
    }
  }
}
