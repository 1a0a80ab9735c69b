package dev.tidemark.tck;

/**
 * What lies between the reference store and its records. A test's own loses, delays or turns away
 * what the store sends, or lets others write in between.
 */
@FunctionalInterface
public interface ReferenceWire {

  /** Carries everything. */
  ReferenceWire SOUND =
      write -> {
        write.run();
        return Fate.ANSWERED;
      };

  /** What the store learns of a write. */
  enum Fate {
    /** What came of it. */
    ANSWERED,
    /** Nothing: it was carried out, or will be, or never is. */
    LOST,
    /** That it was not carried out, and may be sent again. */
    BUSY
  }

  /**
   * Carries one write.
   *
   * @param write carries it out if its condition holds, and throws nothing; run by now if it is
   *     answered, never if it is turned away, and when the test likes, or never, if it is lost
   * @return what the store learns of it
   */
  Fate carry(Runnable write);
}
