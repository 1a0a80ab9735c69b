package dev.tidemark.outbox;

import dev.tidemark.Tracking;
import dev.tidemark.kernel.Telling;
import dev.tidemark.kernel.Times;
import dev.tidemark.metrics.Ongoing;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings by which the relays of one cluster know the other clusters that share its store. The
 * store is replicated between the clusters with a delay, and nothing is told to all clusters at
 * once. Immutable; for {@link ClusteredRecords}.
 */
public final class Clusters {
  private static final Duration KEPT = Duration.ofDays(30);

  /** All that is said; copied before it is changed. */
  private static final class Settings implements Cloneable {
    private Set<String> inherited = Set.of();
    private Duration kept = KEPT;
    private LongSupplier nanos = System::nanoTime;
    private @Nullable ClusterListener listener;

    private Settings copy() {
      try {
        return (Settings) clone();
      } catch (CloneNotSupportedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private final Telling telling = new Telling(ClusterListener.class, "The listener of clusters");
  private final String id;
  private final Set<String> all;
  private final Duration maximumDelay;
  private final Settings settings;

  private Clusters(String id, Set<String> all, Duration maximumDelay, Settings settings) {
    this.id = id;
    this.all = all;
    this.maximumDelay = maximumDelay;
    this.settings = settings;
  }

  /**
   * Makes the settings of one cluster from its name and the names of all clusters.
   *
   * @param id the name of this cluster, as {@link Tracking#cluster(String)} of its writers has it
   * @param all the names of all clusters, this one among them, the same in each of them
   * @param maximumDelay how long each cluster in turn is given to send a message, before the next
   *     one does: at least a second. It should be more than twice what lies between the look at a
   *     message and the moment at which all other clusters can read that it was sent: a pass of the
   *     relay, and the lag of the replication
   * @return these settings
   * @throws IllegalArgumentException if the cluster is not among all, one has an {@code @}, or the
   *     delay is shorter, or longer than 36,525 days
   */
  public static Clusters of(String id, Collection<String> all, Duration maximumDelay) {
    all.forEach(name -> Objects.requireNonNull(name, "a cluster's name"));
    Set<String> names = Collections.unmodifiableSet(new TreeSet<>(all)); // in the same order always
    if (!names.contains(id) || names.contains("")) {
      throw new IllegalArgumentException(
          "the names of all clusters must have this one's and no empty one, were "
              + names.size()
              + " others");
    }
    if (names.stream().anyMatch(name -> name.contains("@"))) { // see named
      throw new IllegalArgumentException(
          "a cluster's name must have no @, were " + String.join(", ", names));
    }
    Duration delay = Times.within("the maximum delay", Duration.ofSeconds(1), maximumDelay);
    return new Clusters(id, names, delay, new Settings());
  }

  private Clusters with(Consumer<Settings> setting) {
    Settings copy = settings.copy();
    setting.accept(copy);
    return new Clusters(id, all, maximumDelay, copy);
  }

  /**
   * Makes this cluster the heir of one that will never be back: what that one published counts as
   * this one's own, so it is sent and taken off here. At most one cluster inherits from another,
   * and the entities of that one are written in this one from now on. Takeovers need no heir; what
   * they have sent stays stored until the origin, or its heir, takes it off.
   *
   * @param cluster its name; empty for what was published before there were clusters
   * @return these settings with that heir
   */
  public Clusters inheriting(String cluster) {
    Set<String> inherited = new HashSet<>(settings.inherited);
    inherited.add(Objects.requireNonNull(cluster, "cluster"));
    return with(copy -> copy.inherited = Set.copyOf(inherited));
  }

  /**
   * How long a cluster notes what it has sent in place of another: longer than any outage after
   * which a cluster is to come back, since what it has not taken off by then is sent again.
   *
   * @param retention at least an hour; 30 days unless given
   * @return these settings with that retention
   * @throws IllegalArgumentException if it is shorter, or longer than 36,525 days
   */
  public Clusters marksKeptFor(Duration retention) {
    Duration kept = Times.within("the time that marks are kept", Duration.ofHours(1), retention);
    return with(copy -> copy.kept = kept);
  }

  /**
   * Tells a listener of takeovers.
   *
   * @param listener is told on the relay's thread
   * @return these settings with that listener
   */
  public Clusters listener(ClusterListener listener) {
    return with(copy -> copy.listener = Objects.requireNonNull(listener, "listener"));
  }

  /**
   * Measures waiting by a source of one's own: for tests and simulations, in which time passes by
   * itself.
   *
   * @param nanos never goes back; {@code System::nanoTime} unless given
   * @return these settings with that source
   */
  public Clusters elapsedBy(LongSupplier nanos) {
    return with(copy -> copy.nanos = Objects.requireNonNull(nanos, "nanos"));
  }

  /**
   * The name of this cluster.
   *
   * @return never empty
   */
  public String id() {
    return id;
  }

  /**
   * The names of all clusters.
   *
   * @return this one among them
   */
  public Set<String> all() {
    return all;
  }

  /**
   * How long each cluster in turn is given.
   *
   * @return at least a second
   */
  public Duration maximumDelay() {
    return maximumDelay;
  }

  /** Whether what a cluster published is this one's to send. */
  boolean isOwn(String origin) {
    return origin.equals(id) || settings.inherited.contains(origin);
  }

  /**
   * Nobody else can have sent it: the first of them waits for twice as long. What was stored far in
   * the future says nothing of its age.
   */
  boolean isYoung(OutboxMessage message, Clock clock) {
    long age = Math.abs(clock.millis() - message.storedAt().toEpochMilli());
    return age * 2 < maximumDelay.toMillis();
  }

  Duration kept() {
    return settings.kept;
  }

  long nanos() {
    return settings.nanos.getAsLong();
  }

  /** What tells records of this cluster from those of others. */
  String named(OutboxRecords stored) {
    return stored.name() + "@" + id;
  }

  /** Tells the listener, if there is one, whose exceptions change nothing. */
  void tell(Consumer<ClusterListener> event) {
    ClusterListener listener = settings.listener;
    if (listener != null) {
      Ongoing<Boolean> unused =
          telling.begin(
              () -> {
                event.accept(listener);
                return told -> {};
              });
    }
  }
}
