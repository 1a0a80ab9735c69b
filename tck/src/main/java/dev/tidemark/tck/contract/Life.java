package dev.tidemark.tck.contract;

import dev.tidemark.tck.MovableClock;
import java.util.Random;

/** Records of one kind, on which a stream makes random operations, and what they should be. */
interface Life {
  /**
   * What one operation came to, in words of which there are few.
   *
   * @param operation what was done
   * @param answer what was told
   * @param state of what it was done to, afterwards
   * @param succeeded whether it was carried out; else it was refused
   */
  record Told(String operation, String answer, String state, boolean succeeded) {
    String triple() {
      return operation + " | " + answer + " | " + state;
    }
  }

  /**
   * Makes one operation, and holds what is told and what is stored to the model.
   *
   * @param random chooses it
   * @param clock may be moved
   */
  Told turn(Random random, MovableClock clock);
}
