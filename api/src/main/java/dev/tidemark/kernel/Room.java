package dev.tidemark.kernel;

import dev.tidemark.Operation;
import dev.tidemark.Operation.Assign;
import dev.tidemark.Operation.Remove;
import dev.tidemark.Source;
import dev.tidemark.SourceEvent;
import dev.tidemark.TooLargeException;
import dev.tidemark.Tracking;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * How many sources an entity keeps marks of. A writer that has read the marks counts them, and
 * leaves a flag where so few more fit that one blind write could bring too many. The flag says no
 * more than that a new source has to be counted, so that it may stay where there is room again.
 */
final class Room {
  private static final int MOST_IN_ONE_WRITE = 12;
  private static final int SHARE = 10;
  private static final int SOURCES_TO_A_LOOK = 64;
  private static final int RAREST_LOOK = 16;

  private Room() {}

  /** How many new sources one blind write may bring. */
  static int inOneWrite(Tracking tracking) {
    return Math.max(1, Math.min(MOST_IN_ONE_WRITE, tracking.maxSources() / SHARE));
  }

  /** One write in how many looks how many sources there are: each where few are allowed. */
  static int looksOneIn(Tracking tracking) {
    return Math.max(1, Math.min(RAREST_LOOK, tracking.maxSources() / SOURCES_TO_A_LOOK));
  }

  /** Whether, beside so many sources, one more blind write could bring too many. */
  static boolean isScarce(int sources, Tracking tracking) {
    return sources > tracking.maxSources() - inOneWrite(tracking);
  }

  /**
   * The operations that record an event, with those on the flag where its source is new.
   *
   * @param flat the marks that were read
   * @throws TooLargeException if there is no room
   */
  static List<Operation> counted(
      List<Operation> operations,
      SourceEvent event,
      Map<String, Object> flat,
      Set<Source> retired,
      Tracking tracking,
      Names names) {
    if (Ids.isOf(event, retired) || !SourceMark.read(flat, names, event.source()).isNone()) {
      return operations;
    }
    int before = others(flat, retired, names);
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
    Object flag = flat.get(names.full());
    if (flag != null && !(flag instanceof Boolean)) {
      throw Faults.ofType(names.full(), flag, "a flag");
    }
    boolean scarce = isScarce(before + 1, tracking);
    if (scarce == (flag != null)) {
      return operations;
    }
    List<Operation> all = new ArrayList<>(operations);
    all.add(
        scarce ? new Assign(names.path(names.full()), true) : new Remove(names.path(names.full())));
    return all;
  }

  private static int others(Map<String, Object> flat, Set<Source> retired, Names names) {
    Set<String> kept = new LinkedHashSet<>(flat.keySet());
    retired.forEach(source -> names.marks(source).forEach(kept::remove));
    return names.countSources(kept);
  }
}
