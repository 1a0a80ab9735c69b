package dev.tidemark.dynamodb;

import dev.tidemark.MarkCache;
import dev.tidemark.Tracking;
import dev.tidemark.metrics.StoreListener;
import java.time.Clock;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.enhanced.dynamodb.TableSchema;

/**
 * What the builders of both stores have in common. For one thread.
 *
 * @param <T> the entity's class
 * @param <B> the builder
 */
abstract class StoreBuilder<T, B> {
  private final Transport transport;
  private final String table;
  private final TableSchema<T> schema;
  private Pressure pressure;
  private Tracking tracking;
  private Clock clock = Clock.systemUTC();
  private @Nullable MarkCache cache;
  private @Nullable StoreListener listener;
  private boolean unmapped;

  StoreBuilder(Transport transport, String table, TableSchema<T> schema, Pressure pressure) {
    Versions.check(StoreBuilder.class.getClassLoader());
    this.transport = transport;
    this.table = Objects.requireNonNull(table, "table");
    this.schema = schema;
    this.pressure = pressure;
    this.tracking = Tracking.of(schema.itemType().rawClass());
  }

  abstract B self();

  /**
   * Says what entities remember, instead of their class.
   *
   * @param tracking the policies
   * @return this builder
   */
  public B tracking(Tracking tracking) {
    this.tracking = Objects.requireNonNull(tracking, "tracking");
    return self();
  }

  /**
   * Gives the writer's clock, by which durations are measured.
   *
   * @param clock the system's by default
   * @return this builder
   */
  public B clock(Clock clock) {
    this.clock = Objects.requireNonNull(clock, "clock");
    return self();
  }

  /**
   * Answers sure duplicates without a request, and lets functions be applied to what the store
   * wrote last without reading it.
   *
   * @param cache for this store alone; none by default
   * @return this builder
   */
  public B markCache(MarkCache cache) {
    this.cache = Objects.requireNonNull(cache, "cache");
    return self();
  }

  /**
   * Gives a listener, which is told of every call once it has ended. The store then asks DynamoDB
   * for the capacity that its requests consume, and computes the sizes of the items that come back.
   *
   * @param listener none by default; {@link StoreListener#and} joins several
   * @return this builder
   */
  public B listener(StoreListener listener) {
    this.listener = Objects.requireNonNull(listener, "listener");
    return self();
  }

  /**
   * Lets changes and conditions name attributes that the entity's class does not map. Without this
   * such a name is refused, since it is a slip of the pen more often than not. The caller's own
   * expressions may name any attribute, and so may all of a store of {@code EnhancedDocument}s.
   *
   * @return this builder
   */
  public B unmappedAttributes() {
    this.unmapped = true;
    return self();
  }

  B pressure(Pressure entities) {
    this.pressure = entities;
    return self();
  }

  Entities<T> entities() {
    Mapping<T> mapping = new Mapping<>(schema, tracking, unmapped);
    Writes<T> writes = new Writes<>(table, mapping);
    return new Entities<>(transport, writes, tracking, clock, pressure, cache, listener);
  }
}
