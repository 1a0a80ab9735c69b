package dev.tidemark.outbox;

import dev.tidemark.outbox.Sent.Blame;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a failure says against a message: whether it counts as a try, when the next one is, and
 * whether the message is parked. A failure that is not the message's fault does not count. One that
 * nobody can explain counts, but parks a message only if its destination took others since the try
 * before, or after {@link Retries#PATIENCE} times as many tries. What this class keeps in memory
 * only ever excuses a message, so that it may be forgotten. For one thread.
 */
final class Patience {
  private static final int KEPT = 20_000;

  private final Retries retries;
  private final LongSupplier nanos;

  /** When destinations have last taken something. */
  private final Map<String, Long> taken = new LinkedHashMap<>();

  /** In how many passes a message failed without a fault of its own, by its ID. */
  private final Map<String, Count> deferrals = new LinkedHashMap<>();

  /** How many tries counted while the destination took nothing, by the message's ID. */
  private final Map<String, Count> quiet = new LinkedHashMap<>();

  private long passes;
  private long start;

  /** How often something happened to a message, and in which pass it did last. */
  private record Count(int times, long pass) {}

  /**
   * What becomes of a message that failed.
   *
   * @param tries how often it could not be sent, as it is stored
   * @param isOver whether it is parked
   * @param pause before the next try, in milliseconds
   */
  record Verdict(int tries, boolean isOver, long pause) {}

  Patience(Retries retries, LongSupplier nanos) {
    this.retries = retries;
    this.nanos = nanos;
  }

  /** A pass begins. */
  void begin() {
    passes++;
    start = nanos.getAsLong();
  }

  /** Takes note of the answer for a message. */
  void note(OutboxMessage message, Sent answer) {
    if (answer instanceof Sent.Taken) {
      long now = nanos.getAsLong();
      destinations(message, answer).forEach(one -> keep(taken, one, now));
      deferrals.remove(message.id());
      quiet.remove(message.id());
    } else if (answer instanceof Sent.Failed failed && failed.blame() == Blame.DESTINATION) {
      count(deferrals, message);
    }
  }

  /** The pause of a message that could not be tried, or is not the first of its record. */
  long shortest() {
    return retries.pause(1);
  }

  /**
   * Judges a message that failed in this pass, be it twice.
   *
   * @param before how often it could not be sent before this pass
   */
  Verdict judge(OutboxMessage message, Sent.Failed failure, int before) {
    if (failure.blame() == Blame.DESTINATION) {
      int times = Math.max(1, before + times(deferrals, message));
      return new Verdict(before, false, retries.pause(times));
    }
    int tries = before + 1;
    boolean others =
        failure.blame() == Blame.MESSAGE
            || takesOthers(destinations(message, failure), retries.pause(Math.max(1, before)));
    if (!others) {
      count(quiet, message);
    }
    boolean isOver = retries.isOver(tries, times(quiet, message), others);
    return new Verdict(tries, isOver, retries.pause(tries));
  }

  private boolean takesOthers(Set<String> destinations, long pause) {
    return destinations.stream()
        .allMatch(
            one -> {
              Long last = taken.get(one);
              return last != null && (start - last) / 1_000_000 <= pause;
            });
  }

  /** The names that an answer stands for; what is sent counts for its topic, too. */
  static Set<String> destinations(OutboxMessage message, Sent answer) {
    Set<String> names = new HashSet<>(answer.destinations());
    if (names.isEmpty() || answer instanceof Sent.Taken) {
      names.add(message.message().topic());
    }
    return names;
  }

  private static int times(Map<String, Count> counts, OutboxMessage message) {
    Count count = counts.get(message.id());
    return count == null ? 0 : count.times();
  }

  private void count(Map<String, Count> counts, OutboxMessage message) {
    @Nullable Count before = counts.get(message.id());
    if (before == null || before.pass() != passes) {
      keep(counts, message.id(), new Count(times(counts, message) + 1, passes));
    }
  }

  /** The eldest goes where there are too many. */
  private static <V> void keep(Map<String, V> kept, String key, V value) {
    kept.remove(key);
    kept.put(key, value);
    if (kept.size() > KEPT) {
      kept.remove(kept.keySet().iterator().next());
    }
  }
}
