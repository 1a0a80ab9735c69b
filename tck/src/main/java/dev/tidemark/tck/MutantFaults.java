package dev.tidemark.tck;

/** Notes lost replies for a mutant that handles them itself, and passes on all else. */
final class MutantFaults implements Backend.Faults {
  private final Backend.Faults sound;
  private boolean lost;
  private Runnable between = () -> {};

  MutantFaults(Backend.Faults sound) {
    this.sound = sound;
  }

  /** Whether the reply of the write that was just made is lost; what comes between has run. */
  boolean isLost() {
    if (!lost) {
      return false;
    }
    lost = false;
    between.run();
    return true;
  }

  @Override
  public void loseReplies(int after, int count, Runnable between) {
    this.lost = true;
    this.between = between;
  }

  @Override
  public void delay(int count, Runnable before, Runnable after) {
    sound.delay(count, before, after);
  }

  @Override
  public void throttle(int count) {
    sound.throttle(count);
  }

  @Override
  public void conflict(int count) {
    sound.conflict(count);
  }

  @Override
  public void heal() {
    lost = false;
    sound.heal();
  }
}
