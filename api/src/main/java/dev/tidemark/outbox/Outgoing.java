package dev.tidemark.outbox;

import java.util.ArrayList;
import java.util.List;
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

  private final Sender sender;

  Outgoing(Sender sender) {
    this.sender = sender;
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
    for (int waves = 0; waves < WAVES && !wave.isEmpty(); waves++) {
      for (int from = 0; from < wave.size(); from += MOST_AT_ONCE) {
        post(wave.subList(from, Math.min(wave.size(), from + MOST_AT_ONCE)), tally);
        if (tally.isInterrupted) {
          return;
        }
        behind.run();
      }
      wave = wave(parcels, mine);
    }
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

  private void post(List<Posted> posted, Tally tally) {
    List<Sent> answers = answers(posted, tally);
    if (tally.isInterrupted) {
      return;
    }
    for (int i = 0; i < posted.size(); i++) {
      Posted one = posted.get(i);
      Sent answer = answers == null ? null : answers.get(i);
      if (answer instanceof Sent.Taken) {
        one.parcel().sent(one.message());
        tally.sent++;
        continue;
      }
      one.parcel().failed(one.message());
      tally.failed++;
      if (answer instanceof Sent.Failed failed) {
        tally.error(failed.error());
      } else if (answers != null) {
        tally.error(
            new IllegalStateException(
                "the sender has answered null for a message, which counts as not sent"));
      }
    }
  }

  /** What the sender says of each message; null if all of them count as not sent. */
  private @Nullable List<Sent> answers(List<Posted> posted, Tally tally) {
    List<OutboxMessage> messages = posted.stream().map(Posted::message).toList();
    try {
      List<Sent> answers = sender.send(messages);
      if (answers != null && answers.size() == messages.size()) {
        return answers;
      }
      tally.error(
          new IllegalStateException(
              "the sender has to answer for each of %d messages, and answered for %s; all of them"
                      .formatted(messages.size(), answers == null ? "none" : "" + answers.size())
                  + " count as not sent"));
    } catch (InterruptedException e) {
      tally.isInterrupted = true;
    } catch (Throwable e) { // a relay that ends sends nothing any more
      tally.error(e);
    }
    return null;
  }
}
