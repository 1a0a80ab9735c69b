package dev.tidemark.kernel;

import dev.tidemark.Message;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.TooLargeException;
import dev.tidemark.Tracking;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How many sources an entity keeps marks of. A writer that has read the marks counts them, and says
 * in the {@link Revision} where so few more fit that one blind write could bring too many. That
 * says no more than that the sources have to be counted.
 */
final class Room {
  private static final int MOST_IN_ONE_WRITE = 12;
  private static final int SHARE = 10;
  private static final int SOURCES_TO_A_COUNT = 64;
  private static final int RAREST_COUNT = 16;

  private Room() {}

  /** How many new sources one blind write may bring. */
  static int inOneWrite(Tracking tracking) {
    return Math.max(1, Math.min(MOST_IN_ONE_WRITE, tracking.maxSources() / SHARE));
  }

  /** One write in how many counts the sources: each where few are allowed. */
  static int countsOneIn(Tracking tracking) {
    return Math.max(1, Math.min(RAREST_COUNT, tracking.maxSources() / SOURCES_TO_A_COUNT));
  }

  /** Whether messages may bring a new source. */
  static boolean isTaken(List<Message> messages) {
    for (Message message : messages) {
      if (message instanceof SourceEvent) {
        return true;
      }
    }
    return false;
  }

  /** From how many sources on one more blind write could bring too many. */
  static int scarceFrom(Tracking tracking) {
    return tracking.maxSources() - inOneWrite(tracking) + 1;
  }

  /**
   * Refuses an event of a new source where there is no room for it.
   *
   * @param flat the marks that were read
   * @throws TooLargeException if there is no room
   */
  static void require(
      SourceEvent event,
      Map<String, Object> flat,
      Set<Source> retired,
      Tracking tracking,
      Names names) {
    boolean known = flat.containsKey(names.mark(event.source(), Names.Part.MARK));
    if (known || Ids.isOf(event, retired)) {
      return;
    }
    int before = count(flat, List.of(), retired, names);
    if (before >= tracking.maxSources()) {
      throw new TooLargeException(
          "the entity keeps marks of "
              + before
              + " sources and maxSources is "
              + tracking.maxSources()
              + "; retire sources that have ended",
          null,
          null);
    }
  }

  /** How many sources have marks once some are added, and others dropped. */
  static int count(
      Map<String, Object> flat, List<Message> added, Set<Source> retired, Names names) {
    Set<String> kept = new HashSet<>(flat.keySet());
    for (Message message : added) {
      if (message instanceof SourceEvent event) {
        kept.add(names.mark(event.source(), Names.Part.MARK));
      }
    }
    retired.forEach(source -> kept.remove(names.mark(source, Names.Part.MARK)));
    return names.countSources(kept);
  }
}
