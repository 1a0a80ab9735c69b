package dev.tidemark.tck.contract;

import dev.tidemark.tck.ReferenceWire;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A wire that loses what is sent, or the reply, or carries it late, or turns it away; and lets
 * others write in between, whose writes it spares.
 */
final class UnsureWire implements ReferenceWire {
  /** How many of a hundred writes are in trouble, from none to most. */
  private static final List<Integer> TROUBLE = List.of(0, 45, 85);

  /** The worst that becomes of a write. */
  enum Worst {
    /** It is turned away. */
    BUSY(1),
    /** It is lost, or its reply is. */
    LOST(4),
    /** It is carried out late. */
    LATE(6);

    private final int kinds;

    Worst(int kinds) {
      this.kinds = kinds;
    }
  }

  private final Random random;
  private final List<Runnable> late = new ArrayList<>();
  private final List<Runnable> others = new ArrayList<>();
  private final List<OracleCheck.Told> told = new ArrayList<>();
  private boolean calm = true;
  private int trouble;
  private int losses;
  private boolean turnedAway;
  private boolean landedLate;
  private int kinds;
  private int favourite;

  UnsureWire(Random random) {
    this.random = random;
  }

  /**
   * Begins a call.
   *
   * @param degree from 0, none, to 2
   * @param worst the worst that becomes of a write
   * @param writesOfOthers what others write during the call
   */
  void trouble(int degree, Worst worst, List<Runnable> writesOfOthers) {
    kinds = worst.kinds;
    favourite = random.nextInt(kinds);
    trouble = TROUBLE.get(degree);
    others.addAll(writesOfOthers);
    told.clear();
    losses = 0;
    turnedAway = false;
    landedLate = false;
    calm = false;
  }

  /** Ends it: what is late lands, or never does. */
  void calm() {
    calm = true;
    land();
    late.clear();
    others.clear();
  }

  /** Takes note of what another was told. */
  void told(OracleCheck.Told one) {
    told.add(one);
  }

  /** What others were told, in order. */
  List<OracleCheck.Told> told() {
    return List.copyOf(told);
  }

  int losses() {
    return losses;
  }

  boolean hasTurnedAway() {
    return turnedAway;
  }

  /** Whether something was carried out after it was given up or sent again. */
  boolean hasLandedLate() {
    return landedLate;
  }

  @Override
  public Fate carry(Runnable write) {
    if (calm) {
      write.run();
      return Fate.ANSWERED;
    }
    between();
    if (random.nextInt(100) >= trouble) {
      write.run();
      return Fate.ANSWERED;
    }
    switch (random.nextBoolean() ? favourite : random.nextInt(kinds)) {
      case 0 -> {
        turnedAway = true;
        return Fate.BUSY;
      }
      case 1 -> {} // never carried out
      case 2, 3 -> {
        write.run();
        between();
      }
      default -> late.add(write);
    }
    losses++;
    return Fate.LOST;
  }

  private void between() {
    calm = true;
    while (!others.isEmpty() && random.nextInt(3) == 0) {
      others.remove(0).run();
    }
    land();
    calm = false;
  }

  private void land() {
    for (Runnable one : List.copyOf(late)) {
      if (random.nextBoolean()) {
        late.remove(one);
        landedLate = true;
        one.run();
      }
    }
  }

  @Override
  public String toString() {
    return " (" + losses + " lost, others " + told + ")";
  }
}
