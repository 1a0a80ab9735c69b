package dev.tidemark.lab.clusters;

import dev.tidemark.lab.clusters.Plan.Kind;
import dev.tidemark.lab.clusters.Plan.Trouble;

/**
 * How many copies there can be, by the settings of a run: the formula of docs/clusters.md, where it
 * is proved.
 */
final class Bound {
  private final Plan plan;
  private final Told told;

  Bound(Plan plan, Told told) {
    this.plan = plan;
    this.told = told;
  }

  /**
   * The formula.
   *
   * @param inHand how many messages relays had sent, and not taken off, when they crashed
   */
  long copies(long inHand) {
    if (plan.runs().areHard()) {
      return Long.MAX_VALUE;
    }
    long others = plan.clusters() - 1L;
    long copies = hasty() * plan.messages();
    for (Trouble trouble : plan.troubles()) {
      copies += copies(trouble);
    }
    return others * inHand + Math.min(others * plan.messages(), copies);
  }

  /** From the look of a relay until all others can read what came of it. */
  private long sight() {
    return plan.interval() + plan.lag() + plan.drift();
  }

  /** How many clusters take a message over before they can know that its origin sent it. */
  private long hasty() {
    long hasty = 0;
    for (int rank = 1; rank < plan.clusters(); rank++) {
      hasty += rank * plan.maximumDelay() < sight() + plan.interval() + plan.drift() ? 1 : 0;
    }
    return hasty;
  }

  private long copies(Trouble trouble) {
    long window = 2 * (sight() + plan.interval());
    boolean meets = plan.troubles().stream().anyMatch(other -> isBeside(trouble, other));
    return switch (trouble.kind()) {
      case CRASH -> meets ? told.most(window, -1) : 0;
      case OUTAGE, CUT -> 2 * told.most(window, -1);
      case RELAYS, PAUSE ->
          meets
              ? 2 * told.most(window, -1) + unsent(trouble)
              : 2 * told.most(window, trouble.cluster());
    };
  }

  /** What an origin without a relay published while others that follow it were in trouble, too. */
  private long unsent(Trouble trouble) {
    long margin = plan.clusters() * plan.maximumDelay();
    long published =
        told.between(trouble.from() - margin, trouble.to() + margin, trouble.cluster());
    return (plan.clusters() - 1) * published;
  }

  private boolean isBeside(Trouble one, Trouble other) {
    boolean counts = other.kind() != Kind.CRASH;
    return counts && !other.equals(one) && one.meets(other, plan.clusters() * plan.maximumDelay());
  }
}
