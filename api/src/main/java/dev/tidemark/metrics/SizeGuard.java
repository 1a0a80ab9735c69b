package dev.tidemark.metrics;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Warns when an entity comes near the size that its store allows, beyond which every write of it is
 * a {@link dev.tidemark.TooLargeException}: a WARNING of {@link System.Logger} under this class's
 * name, at most one a minute for each store. It sees what calls bring with them: on DynamoDB every
 * item, on MongoDB what {@link StoreCall#sizes} has. It names the store and the sizes, never the
 * entity. May be shared by threads and stores.
 */
public final class SizeGuard implements StoreListener {
  private static final System.Logger LOGGER = System.getLogger(SizeGuard.class.getName());
  private static final Duration SILENCE = Duration.ofMinutes(1);
  private static final double DEFAULT_SHARE = 0.8;

  private final Clock clock;
  private final double share;
  private final Map<String, Instant> warned = new ConcurrentHashMap<>();

  private SizeGuard(Clock clock, double share) {
    this.clock = Objects.requireNonNull(clock, "clock");
    this.share = share;
  }

  /**
   * Warns from 80 % of the limit on.
   *
   * @param clock tells when a minute has passed
   * @return the guard
   */
  public static SizeGuard of(Clock clock) {
    return new SizeGuard(clock, DEFAULT_SHARE);
  }

  /**
   * Chooses when to warn.
   *
   * @param share of the limit, above 0 and up to 1
   * @return a guard that warns from there on
   * @throws IllegalArgumentException if the share is out of that range
   */
  public SizeGuard from(double share) {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("share must be above 0 and up to 1, was " + share);
    }
    return new SizeGuard(clock, share);
  }

  @Override
  public void ended(StoreCall call) {
    call.sizes().stream()
        .max(Comparator.comparingDouble(StoreCall.Size::share))
        .filter(largest -> largest.share() >= share)
        .filter(largest -> isDue(call.store()))
        .ifPresent(largest -> warn(call.store(), largest));
  }

  /** Whether the last warning is a minute ago; of many threads one is told so. */
  private boolean isDue(String store) {
    Instant now = clock.instant();
    Instant last = warned.get(store);
    if (last == null) {
      return warned.putIfAbsent(store, now) == null;
    }
    return !last.plus(SILENCE).isAfter(now) && warned.replace(store, last, now);
  }

  private static void warn(String store, StoreCall.Size size) {
    MarkCost marks = size.marks();
    String units =
        marks.writeUnits().isPresent()
            ? ", and add " + marks.writeUnits().getAsLong() + " write units to each write"
            : "";
    LOGGER.log(
        System.Logger.Level.WARNING,
        "An entity of {0} has {1} % of the {2} bytes that the store allows. "
            + "Marks have {3} bytes of it{4}.",
        store,
        Long.toString((long) (100 * size.share())),
        Long.toString(size.limit()),
        Long.toString(marks.bytes()),
        units);
  }

  /** Names the share. */
  @Override
  public String toString() {
    return "SizeGuard[from=" + share + "]";
  }
}
