package dev.tidemark.intake;

import static java.util.stream.Collectors.joining;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Says in the log which messages are not done and why: of dead letters at once, a line for each
 * batch that has some; of what comes again at most a line in some time, with what came since the
 * one before. It counts by reason, and names no message. For any number of threads.
 */
final class IntakeLog implements IntakeListener {
  private static final int MOST_REASONS = 10;

  private final System.Logger logger;
  private final LongSupplier nanos;
  private final long silence;
  private final Map<String, Integer> again = new TreeMap<>();
  private final Map<String, Integer> dead = new TreeMap<>();
  private boolean hasSpoken;
  private long spoke;

  /**
   * A log.
   *
   * @param silence between two lines of what comes again; zero for a line for each batch
   */
  IntakeLog(Duration silence, LongSupplier nanos) {
    this.logger = System.getLogger(Intake.class.getName());
    this.nanos = nanos;
    this.silence = silence.toNanos();
  }

  @Override
  public synchronized void taken(Taken<?> taken) {
    for (Taken.Fate<?> fate : taken.fates()) {
      switch (fate.kind()) {
        case AGAIN -> count(again, fate.reason());
        case DEAD -> count(dead, fate.reason());
        case DONE -> {}
      }
    }
    long now = nanos.getAsLong();
    boolean waits = again.isEmpty() || (hasSpoken && now - spoke < silence);
    if (dead.isEmpty() && waits) {
      return;
    }
    logger.log(
        System.Logger.Level.WARNING,
        "{0}{1}This tells what happened since the last such line; an IntakeListener is told of each"
            + " message",
        counts("Messages that have to come again: ", again),
        counts("Messages for the dead letters: ", dead));
    again.clear();
    dead.clear();
    hasSpoken = true;
    spoke = now;
  }

  private static void count(Map<String, Integer> reasons, String reason) {
    boolean fits = reasons.containsKey(reason) || reasons.size() < MOST_REASONS;
    var unused = reasons.merge(fits ? reason : "other reasons", 1, Integer::sum);
  }

  private static String counts(String of, Map<String, Integer> reasons) {
    return reasons.isEmpty()
        ? ""
        : reasons.entrySet().stream()
            .map(reason -> reason.getValue() + " × " + reason.getKey())
            .collect(joining(", ", of, ". "));
  }
}
