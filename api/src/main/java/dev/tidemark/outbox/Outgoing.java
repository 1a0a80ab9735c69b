package dev.tidemark.outbox;

import dev.tidemark.kernel.Uninterrupted;
import dev.tidemark.metrics.Ongoing;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Hands messages of many records to the sender, in waves that have at most one of each record that
 * keeps an order. For one thread.
 */
final class Outgoing {
  /** So many waves of a record at most, then what the others have sent is cleared. */
  static final int WAVES = 16;

  private static final int MOST_AT_ONCE = 500;

  /** So many messages of a call that failed as a whole are tried, if none of them can be sent. */
  private static final int MOST_IN_VAIN = 10;

  private final Sender sender;
  private final Patience patience;
  private final Function<Tally, Ongoing.Scope> sending;

  /**
   * Hands messages to a sender.
   *
   * @param sending begins what lasts as long as a call of the sender
   */
  Outgoing(Sender sender, Patience patience, Function<Tally, Ongoing.Scope> sending) {
    this.sender = sender;
    this.patience = patience;
    this.sending = sending;
  }

  /** A message on its way. */
  private record Posted(Parcel parcel, OutboxMessage message) {}

  /**
   * Sends what can be sent.
   *
   * @param mine whether to go on with a record
   * @param behind is run after each call of the sender
   */
  void send(List<Parcel> parcels, Predicate<Parcel> mine, Runnable behind, Tally tally) {
    List<Posted> wave = wave(parcels, mine);
    if (!wave.isEmpty() && isInterrupted(tally)) {
      tally.interrupted(
          new InterruptedException("the thread was interrupted before anything was sent"));
    }
    for (int waves = 0; waves < WAVES && !wave.isEmpty(); waves++) {
      for (int from = 0; from < wave.size(); from += MOST_AT_ONCE) {
        if (isInterrupted(tally)) {
          return;
        }
        List<Posted> some = wave.subList(from, Math.min(wave.size(), from + MOST_AT_ONCE));
        post(some, mine, behind, tally);
        if (isInterrupted(tally)) {
          return;
        }
        behind.run();
      }
      wave = wave(parcels, mine);
    }
  }

  /** Whether the thread was interrupted, by the sender or by anybody: nothing more is sent. */
  private static boolean isInterrupted(Tally tally) {
    return tally.isInterrupted || Thread.currentThread().isInterrupted();
  }

  private static List<Posted> wave(List<Parcel> parcels, Predicate<Parcel> mine) {
    List<Posted> wave = new ArrayList<>();
    for (Parcel parcel : parcels) {
      if (mine.test(parcel)) {
        parcel.next().forEach(message -> wave.add(new Posted(parcel, message)));
      }
    }
    return wave;
  }

  private void post(List<Posted> posted, Predicate<Parcel> mine, Runnable behind, Tally tally) {
    SenderCall call = call(posted, tally);
    if (call == null) {
      return;
    }
    Throwable failure = call.failure();
    if (failure == null) {
      for (int i = 0; i < posted.size(); i++) {
        tell(posted.get(i), call.answers().get(i), tally);
      }
    } else if (posted.size() == 1) {
      tell(posted.get(0), SenderCall.failed(failure), tally);
    } else {
      tally.error(failure);
      singly(posted, mine, behind, tally);
    }
  }

  /**
   * Sends one by one the messages of a call that failed as a whole: only a message that fails alone
   * has failed. Where none of the first ones can be sent, the others wait for the next pass as if
   * they had not been tried.
   */
  private void singly(List<Posted> posted, Predicate<Parcel> mine, Runnable behind, Tally tally) {
    int before = tally.sent;
    int tried = 0;
    for (Posted one : posted) {
      boolean isInVain = tried == MOST_IN_VAIN && tally.sent == before;
      if (isInVain || !mine.test(one.parcel())) {
        one.parcel().left(one.message());
        continue;
      }
      tried += tried < MOST_IN_VAIN ? 1 : 0;
      post(List.of(one), mine, behind, tally);
      if (isInterrupted(tally)) {
        return;
      }
      behind.run();
    }
  }

  private void tell(Posted one, Sent answer, Tally tally) {
    patience.note(one.message(), answer);
    if (answer instanceof Sent.Failed failed) {
      one.parcel().failed(one.message(), failed);
      tally.failed++;
      tally.error(failed.error());
    } else {
      one.parcel().sent(one.message());
      tally.sent++;
    }
  }

  /** Null if the sender has thrown an InterruptedException, which no message is to blame for. */
  private @Nullable SenderCall call(List<Posted> posted, Tally tally) {
    try (Ongoing.Scope unused = sending.apply(tally)) {
      return SenderCall.of(sender, posted.stream().map(Posted::message).toList());
    } catch (InterruptedException e) {
      tally.interrupted(e);
      if (Uninterrupted.isTold(e)) {
        Thread.currentThread().interrupt();
      }
      return null;
    }
  }
}
