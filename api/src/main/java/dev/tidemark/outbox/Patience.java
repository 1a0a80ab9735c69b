package dev.tidemark.outbox;

import dev.tidemark.outbox.Sent.Blame;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a failure says against a message: whether it is a try, when the next one is, and whether the
 * message is parked. A failure that is not the message's fault is no try. One that nobody can
 * explain is one, but counts against the message only if its destination took others since the try
 * before; of those that do not count a message has {@link Retries#PATIENCE} times as many. Both
 * numbers are stored. What this class keeps in memory only ever accuses a message, or makes it
 * wait, so that it may be forgotten. For one thread.
 */
final class Patience {
  private static final int KEPT = 20_000;

  private final Retries retries;
  private final LongSupplier nanos;

  /** When destinations have last taken something. */
  private final Map<String, Long> taken = new LinkedHashMap<>();

  /** In how many passes a message failed without a fault of its own, by its ID. */
  private final Map<String, Count> deferrals = new LinkedHashMap<>();

  /** The {@link Tries} of messages whose records have no room for a note of them, by their IDs. */
  private final Map<String, Long> unnoted = new LinkedHashMap<>();

  private long passes;
  private long start;

  /** How often something happened to a message, and in which pass it did last. */
  private record Count(int times, long pass) {}

  /**
   * What becomes of a message that failed.
   *
   * @param tries its {@link Tries} from now on, as they are stored
   * @param isOver whether it is parked
   * @param pause before the next try, in milliseconds
   */
  record Verdict(long tries, boolean isOver, long pause) {}

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
    } else if (answer instanceof Sent.Failed failed && failed.blame() == Blame.DESTINATION) {
      defer(message.id());
    }
  }

  /** The pause of a message that could not be tried, or is not the first of its record. */
  long shortest() {
    return retries.pause(1);
  }

  /**
   * Judges a message that failed in this pass, be it twice.
   *
   * @param stored its {@link Tries} before this pass, as they are stored
   */
  Verdict judge(OutboxMessage message, Sent.Failed failure, long stored) {
    Tries before = Tries.of(Math.max(stored, unnoted.getOrDefault(message.id(), 0L)));
    if (failure.blame() == Blame.DESTINATION) {
      int times = before.all() + times(message.id());
      return new Verdict(before.stored(), false, retries.pause(times));
    }
    boolean counts =
        failure.blame() == Blame.MESSAGE
            || takesOthers(destinations(message, failure), retries.pause(before.all()));
    Tries tries = before.andOne(counts);
    return new Verdict(tries.stored(), retries.isOver(tries), retries.pause(tries.all()));
  }

  /**
   * The store had no room for what came of some messages: their tries are kept in mind.
   *
   * @param tries by their IDs, as they would be stored
   * @return for how long to leave their record alone at least, in milliseconds
   */
  long unnoted(Map<String, Long> tries) {
    boolean wasOver = tries.keySet().stream().anyMatch(this::isOver);
    tries.forEach((id, stored) -> keep(unnoted, id, stored));
    return wasOver ? retries.longest() : shortest();
  }

  /** The store had room, or they are parked, be it by another relay. */
  void noted(Set<String> ids) {
    unnoted.keySet().removeAll(ids);
  }

  /** Whether a message is to be parked, and its record has no room for that yet. */
  boolean isOver(String id) {
    Long tries = unnoted.get(id);
    return tries != null && retries.isOver(Tries.of(tries));
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

  private int times(String id) {
    Count count = deferrals.get(id);
    return count == null ? 0 : count.times();
  }

  private void defer(String id) {
    @Nullable Count before = deferrals.get(id);
    if (before == null || before.pass() != passes) {
      keep(deferrals, id, new Count(times(id) + 1, passes));
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
