package dev.tidemark.kernel;

import dev.tidemark.ContentionException;
import dev.tidemark.EntityKey;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a {@link Run} has spent of its {@link Patience}, and the pause that it owes next. */
final class Tries {
  private final Patience patience;
  private int tries;
  private int losses;
  private int yields;
  private boolean yielding;
  private @Nullable Duration pause;

  Tries(Patience patience) {
    this.patience = patience;
  }

  /** The pause or the room for others that comes before the next request; null if none does. */
  <T> @Nullable Step<T> next() {
    Duration time = pause;
    if (time != null) {
      pause = null;
      return new Step.Pause<>(time);
    }
    boolean room = yielding;
    yielding = false;
    return room ? new Step.Yield<>() : null;
  }

  /** Spends tries, and pauses; false if none is left. */
  boolean spend(int cost) {
    tries += cost;
    boolean left = tries <= patience.tries();
    if (left) {
      pause = patience.pause().apply(tries);
    }
    return left;
  }

  /** Spends a try on a race that took so long to lose, and stays aside; false if none is left. */
  boolean stayAside(Duration race) {
    boolean left = tries < patience.tries();
    if (left) {
      tries++;
      pause = patience.aside().apply(race);
    }
    return left;
  }

  /** Counts a reply that did not come; false if that was one too many. */
  boolean lose() {
    return ++losses < patience.losses();
  }

  /** Whether it may still make room for others. */
  boolean mayYield() {
    return yields < patience.yields();
  }

  /** Makes room for others, and starts to count anew; false if it has done so too often. */
  boolean makeRoom() {
    boolean left = mayYield();
    if (left) {
      yields++;
      tries = 0;
      yielding = true;
      pause = patience.pause().apply(yields);
    }
    return left;
  }

  ContentionException outlasted(EntityKey key, @Nullable Throwable error) {
    return new ContentionException(
        "other writers or throttling outlasted " + patience.tries() + " tries", key, error);
  }

  /** Starts to count anew, since a write was accepted. */
  void progressed() {
    tries = 0;
    losses = 0;
  }

  /** All tries at once. */
  int all() {
    return patience.tries() + 1;
  }
}
