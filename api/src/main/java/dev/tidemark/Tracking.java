package dev.tidemark;

import dev.tidemark.kernel.Text;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What an entity remembers of its messages, and for how long. Immutable; each method returns a new
 * tracking. Message IDs and source events can both be tracked on one entity; the identity that a
 * delivery carries picks one.
 */
public final class Tracking {
  private static final Tracking DEFAULTS = new Tracking(new TrackingSettings());

  private final TrackingSettings settings;

  private Tracking(TrackingSettings settings) {
    this.settings = settings;
  }

  private Tracking with(Consumer<TrackingSettings> setting) {
    return new Tracking(settings.with(setting));
  }

  /**
   * Message IDs for 30 days, late events dropped, up to 1,000 sources, tombstones for 30 days.
   *
   * @return the tracking of an entity class without {@link Tracked}
   */
  public static Tracking defaults() {
    return DEFAULTS;
  }

  /**
   * The tracking that an entity class asks for by {@link Tracked}.
   *
   * @param entityClass the class
   * @return {@link #defaults()} if it is not annotated
   * @throws IllegalArgumentException if the annotation contradicts itself
   */
  public static Tracking of(Class<?> entityClass) {
    Tracked tracked = entityClass.getAnnotation(Tracked.class);
    return tracked == null ? DEFAULTS : Annotations.read(entityClass, tracked);
  }

  /**
   * Chooses how long message IDs are remembered.
   *
   * @param policy the policy
   * @return this tracking with that policy
   */
  public Tracking messageIds(IdPolicy policy) {
    return with(copy -> copy.ids = Objects.requireNonNull(policy, "policy"));
  }

  /**
   * Chooses what happens to events of all types without a policy of their own.
   *
   * @param policy the policy
   * @return this tracking with that policy
   */
  public Tracking events(EventPolicy policy) {
    return with(copy -> copy.events = Objects.requireNonNull(policy, "policy"));
  }

  /**
   * Chooses what happens to events of one type.
   *
   * @param type a {@link Source#type()}: an aggregate's, or a carrier's with its kind, such as
   *     {@code Source.KAFKA + "orders"}
   * @param policy the policy
   * @return this tracking with that policy
   * @throws IllegalArgumentException if the type is empty
   */
  public Tracking events(String type, EventPolicy policy) {
    Map<String, EventPolicy> all = new LinkedHashMap<>(settings.byType);
    all.put(Text.notEmpty("source type", type), Objects.requireNonNull(policy, "policy"));
    return with(copy -> copy.byType = all);
  }

  /**
   * Keeps marks apart from those of other subscribers: two subscribers of one event on one entity
   * both apply it, each once.
   *
   * @param subscriber the name of a projector or handler, not empty
   * @return this tracking under that name
   * @throws IllegalArgumentException if the name is empty
   */
  public Tracking as(String subscriber) {
    return with(copy -> copy.subscriber = Text.notEmpty("subscriber", subscriber));
  }

  /**
   * Chooses the names under which marks are stored.
   *
   * @param names the names
   * @return this tracking with those names
   */
  public Tracking names(AttributeNames names) {
    return with(copy -> copy.names = Objects.requireNonNull(names, "names"));
  }

  /**
   * Chooses how long a tombstone keeps the marks of a deleted entity. Past that it counts as
   * absent, whether or not the store has collected it.
   *
   * @param retention a second to 10 years
   * @return this tracking with that retention
   * @throws IllegalArgumentException if it is out of that range
   */
  public Tracking tombstonesKeptFor(Duration retention) {
    boolean inRange =
        retention.compareTo(Duration.ofSeconds(1)) >= 0
            && retention.compareTo(Duration.ofDays(3660)) <= 0;
    if (!inRange) {
      throw new IllegalArgumentException(
          "tombstones must be kept for PT1S to P3660D, was " + retention);
    }
    return with(copy -> copy.tombstones = retention);
  }

  /**
   * Bounds the number of sources of which one entity keeps marks; an event of one more source is
   * refused with {@link TooLargeException}. Once an entity comes close to the bound, every write of
   * the entity reads it first, which costs one request more. So choose a bound that entities do not
   * reach in their normal life. Racing writers of new sources may exceed the bound by one write
   * each. A bound above 127 may be noticed some writes late, and so may one that was lowered, on
   * entities that are beyond it already.
   *
   * @param count 1 to 100,000
   * @return this tracking with that bound
   * @throws IllegalArgumentException if it is out of that range
   */
  public Tracking maxSources(int count) {
    if (count < 1 || count > 100_000) {
      throw new IllegalArgumentException("maxSources must be 1 to 100000, was " + count);
    }
    return with(copy -> copy.maxSources = count);
  }

  /**
   * Bounds the outgoing messages that wait in one entity, and sets the number of shards of the
   * index of entities with waiting messages. A write that would leave more messages waiting is
   * refused with {@link ContentionException} until a relay has sent some of them: a broker that is
   * away slows its writers down, and is no fault of theirs. A relay looks at each shard, so the
   * relay must be given at least as many shards as the writers use.
   *
   * @param maxWaiting 1 to 1,000; 100 by default
   * @param shards 1 to 256; 4 by default
   * @return this tracking with those bounds
   * @throws IllegalArgumentException if one is out of its range
   */
  public Tracking outbox(int maxWaiting, int shards) {
    if (maxWaiting < 1 || maxWaiting > 1_000 || shards < 1 || shards > 256) {
      throw new IllegalArgumentException(
          "maxWaiting must be 1 to 1000 and shards 1 to 256, were %d and %d"
              .formatted(maxWaiting, shards));
    }
    return with(
        copy -> {
          copy.maxWaiting = maxWaiting;
          copy.outboxShards = shards;
        });
  }

  /**
   * Names the cluster that publishes, for clusters that share a store which is replicated between
   * them with a delay. Outgoing messages keep the name. The relays of the publishing cluster send
   * them; the relays of other clusters send them only if the publishing cluster does not. Each
   * entity is written in one cluster at a time.
   *
   * @param cluster its name, 1 to 64 characters; the same for all writers of a cluster
   * @return this tracking in that cluster
   * @throws IllegalArgumentException if it is empty or longer
   */
  public Tracking cluster(String cluster) {
    if (Text.notEmpty("cluster", cluster).length() > 64) {
      throw new IllegalArgumentException(
          "the name of a cluster must have at most 64 characters, has " + cluster.length());
    }
    return with(copy -> copy.cluster = cluster);
  }

  /**
   * Ignores {@link MessageId#sentAt()}, for a view that is rebuilt from old messages.
   *
   * @return this tracking, for rebuilding
   */
  public Tracking rebuilding() {
    return with(copy -> copy.rebuilding = true);
  }

  /**
   * Lets deliveries beyond the horizon be acknowledged.
   *
   * @return this tracking, with {@link Outcome.BeyondHorizon} done
   */
  public Tracking acknowledgingBeyondHorizon() {
    return with(copy -> copy.beyondHorizonIsDone = true);
  }

  /**
   * How long message IDs are remembered.
   *
   * @return the policy
   */
  public IdPolicy messageIds() {
    return settings.ids;
  }

  /**
   * What happens to events of a type.
   *
   * @param type a {@link Source#type()}
   * @return the type's own policy, or the one for all
   */
  public EventPolicy events(String type) {
    return settings.byType.getOrDefault(type, settings.events);
  }

  /**
   * Whether some type of events is dense.
   *
   * @return true if a contiguous or dense window policy is among them
   */
  public boolean tracksDenseSources() {
    return settings.events.isDense()
        || settings.byType.values().stream().anyMatch(EventPolicy::isDense);
  }

  /**
   * The subscriber.
   *
   * @return empty for the plain names
   */
  public String subscriber() {
    return settings.subscriber;
  }

  /**
   * The names under which marks are stored.
   *
   * @return the usual names by default
   */
  public AttributeNames names() {
    return settings.names;
  }

  /**
   * How long tombstones are kept.
   *
   * @return 30 days by default
   */
  public Duration tombstonesKeptFor() {
    return settings.tombstones;
  }

  /**
   * The bound on sources.
   *
   * @return 1,000 by default
   */
  public int maxSources() {
    return settings.maxSources;
  }

  /**
   * The bound on outgoing messages that wait.
   *
   * @return 100 by default
   */
  public int maxWaiting() {
    return settings.maxWaiting;
  }

  /**
   * The shards of the index of waiting messages.
   *
   * @return 4 by default
   */
  public int outboxShards() {
    return settings.outboxShards;
  }

  /**
   * The cluster that publishes.
   *
   * @return empty by default: there is one cluster
   */
  public String cluster() {
    return settings.cluster;
  }

  /**
   * Whether {@code sentAt} is ignored.
   *
   * @return false by default
   */
  public boolean rebuilds() {
    return settings.rebuilding;
  }

  /**
   * Whether deliveries beyond the horizon may be acknowledged.
   *
   * @return false by default
   */
  public boolean acknowledgesBeyondHorizon() {
    return settings.beyondHorizonIsDone;
  }

  /** Equal if all that is said is equal. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Tracking tracking && tracking.settings.all().equals(settings.all());
  }

  @Override
  public int hashCode() {
    return settings.all().hashCode();
  }

  @Override
  public String toString() {
    String as = settings.subscriber.isEmpty() ? "" : " as " + Text.shown(settings.subscriber);
    return "Tracking[" + settings.ids + ", events " + settings.events + as + "]";
  }

  /**
   * The names under which an entity's marks and the library's bookkeeping are stored. All entities
   * of one table or collection use the same names for all time.
   *
   * @param messageIds message IDs, of which there are slots
   * @param events marks of sources; {@code events} by default
   * @param revision a value that each tracked write makes new; {@code _rev} by default
   * @param birth which write created the entity, where one that may create has to tell; {@code
   *     _born} by default
   * @param tombstone when a deleted entity may be collected, on deleted entities only: the TTL
   *     attribute; {@code deletedUntil} by default
   * @param outbox messages that wait to be sent; {@code _outbox} by default
   */
  public record AttributeNames(
      String messageIds,
      String events,
      String revision,
      String birth,
      String tombstone,
      String outbox) {

    /**
     * Checks the names.
     *
     * @param messageIds message IDs, of which there are slots
     * @param events marks of sources; {@code events} by default
     * @param revision a value that each tracked write makes new; {@code _rev} by default
     * @param birth which write created the entity, where one that may create has to tell; {@code
     *     _born} by default
     * @param tombstone when a deleted entity may be collected, on deleted entities only: the TTL
     *     attribute; {@code deletedUntil} by default
     * @param outbox messages that wait to be sent; {@code _outbox} by default
     * @throws IllegalArgumentException if one is empty, has a dot, dollar, percent, at or hash sign
     *     or a control character, or if two are equal
     */
    public AttributeNames {
      List<String> all = List.of(messageIds, events, revision, birth, tombstone, outbox);
      all.forEach(AttributeNames::check);
      if (Set.copyOf(all).size() < all.size()) {
        throw new IllegalArgumentException(
            "attribute names of tracking must differ, were " + all + "; give each its own name");
      }
    }

    private static void check(String name) {
      Text.notEmpty("attribute name of tracking", name);
      if (name.chars().anyMatch(c -> c < 0x20 || ".$%@#".indexOf(c) >= 0)) {
        throw new IllegalArgumentException(
            "attribute name of tracking must not have any of . $ % @ #, was '"
                + Text.shown(name)
                + "'");
      }
    }

    /**
     * The names that storage-format.md shows.
     *
     * @return the usual names
     */
    public static AttributeNames defaults() {
      return new AttributeNames("messageIDs", "events", "_rev", "_born", "deletedUntil", "_outbox");
    }
  }
}
