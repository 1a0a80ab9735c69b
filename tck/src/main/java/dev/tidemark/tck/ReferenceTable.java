package dev.tidemark.tck;

import dev.tidemark.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Records in memory, replaced one at a time and only if they are still what was read. Safe for use
 * by many threads; faults are those of the calling thread.
 */
final class ReferenceTable implements Backend.Faults {

  /** A write that was not carried out, for now. */
  static final class Busy extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Busy(String message) {
      super(message, null, false, false);
    }
  }

  /** A write that was carried out without an answer. */
  static final class ReplyLost extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ReplyLost() {
      super("reply lost", null, false, false);
    }
  }

  /** What is wrong with the calling thread's writes. */
  private static final class Trouble {
    private int passed;
    private int lost;
    private int busy;
    private String error = "";
    private @Nullable Runnable between;
    private int toDelay;
    private final List<Runnable> delayed = new ArrayList<>();
    private Runnable before = () -> {};
    private Runnable after = () -> {};
  }

  private final ConcurrentHashMap<Object, Map<String, Object>> records = new ConcurrentHashMap<>();
  private final ThreadLocal<Trouble> trouble = ThreadLocal.withInitial(Trouble::new);

  Optional<Map<String, Object>> read(Key key) {
    return Optional.ofNullable(records.get(key.parts()));
  }

  void put(Key key, Map<String, Object> record) {
    records.put(key.parts(), record);
  }

  /**
   * Replaces a record if it is the one that was read.
   *
   * @param before what was read; null for no record
   * @param after null to delete it
   * @return false if another write came between
   */
  boolean replace(
      Key key, @Nullable Map<String, Object> before, @Nullable Map<String, Object> after) {
    Trouble mine = trouble.get();
    if (mine.busy > 0) {
      mine.busy--;
      throw new Busy(mine.error);
    }
    if (mine.toDelay > 0) {
      mine.toDelay--;
      mine.delayed.add(() -> carryOut(key, before, after));
      throw new ReplyLost();
    }
    if (!mine.delayed.isEmpty()) {
      land(mine);
    }
    boolean replaced = carryOut(key, before, after);
    if (mine.passed > 0) {
      mine.passed--;
    } else if (mine.lost > 0) {
      loseReply(mine);
    }
    return replaced;
  }

  private boolean carryOut(
      Key key, @Nullable Map<String, Object> before, @Nullable Map<String, Object> after) {
    boolean[] replaced = {false};
    records.compute(
        key.parts(),
        (parts, stored) -> {
          replaced[0] = stored == before;
          return replaced[0] ? after : stored;
        });
    return replaced[0];
  }

  /** Carries out what was delayed; what happens around it is spared. */
  private void land(Trouble mine) {
    trouble.remove();
    mine.before.run();
    mine.delayed.forEach(Runnable::run);
    mine.delayed.clear();
    mine.after.run();
    trouble.set(mine);
  }

  private void loseReply(Trouble mine) {
    mine.lost--;
    Runnable between = mine.between;
    if (between != null) {
      trouble.remove();
      between.run();
      trouble.set(mine);
      mine.between = null;
    }
    throw new ReplyLost();
  }

  @Override
  public void loseReplies(int after, int count, Runnable between) {
    trouble.get().passed = after;
    trouble.get().lost = count;
    trouble.get().between = between;
  }

  @Override
  public void delay(int count, Runnable before, Runnable after) {
    trouble.get().toDelay = count;
    trouble.get().before = before;
    trouble.get().after = after;
  }

  @Override
  public void throttle(int count) {
    trouble.get().busy = count;
    trouble.get().error = "throttled";
  }

  @Override
  public void conflict(int count) {
    trouble.get().busy = count;
    trouble.get().error = "conflict";
  }

  @Override
  public void heal() {
    trouble.remove();
  }
}
