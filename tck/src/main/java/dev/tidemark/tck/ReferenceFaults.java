package dev.tidemark.tck;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The faults of the reference, on what the calling thread sends. Safe for use by many threads. */
final class ReferenceFaults implements Backend.Faults, ReferenceWire {

  /** What is wrong with the calling thread's writes. */
  private static final class Trouble {
    private int passed;
    private int lost;
    private int busy;
    private @Nullable Runnable between;
    private int toDelay;
    private final List<Runnable> delayed = new ArrayList<>();
    private Runnable before = () -> {};
    private Runnable after = () -> {};
  }

  private final ThreadLocal<Trouble> trouble = ThreadLocal.withInitial(Trouble::new);

  @Override
  public Fate carry(Runnable write) {
    Trouble mine = trouble.get();
    if (mine.busy > 0) {
      mine.busy--;
      return Fate.BUSY;
    }
    if (mine.toDelay > 0) {
      mine.toDelay--;
      mine.delayed.add(write);
      return Fate.LOST;
    }
    if (!mine.delayed.isEmpty()) {
      land(mine);
    }
    write.run();
    if (mine.passed > 0) {
      mine.passed--;
    } else if (mine.lost > 0) {
      loseReply(mine);
      return Fate.LOST;
    }
    return Fate.ANSWERED;
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
  }

  @Override
  public void conflict(int count) {
    trouble.get().busy = count;
  }

  @Override
  public void heal() {
    trouble.remove();
  }
}
