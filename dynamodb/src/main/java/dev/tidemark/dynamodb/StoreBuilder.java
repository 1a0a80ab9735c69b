package dev.tidemark.dynamodb;

import dev.tidemark.Tracking;
import dev.tidemark.kernel.Recall;
import dev.tidemark.kernel.StoreObserver;
import dev.tidemark.marks.MarkCache;
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
  /** The oldest with which the tests pass. */
  static final String LEAST = "2.31.0";

  private static final String SDK = "software.amazon.awssdk.";

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
    checkVersions(StoreBuilder.class.getClassLoader());
    this.transport = transport;
    this.table = Objects.requireNonNull(table, "table");
    this.schema = schema;
    this.pressure = pressure;
    this.tracking = Tracking.of(schema.itemType().rawClass());
  }

  /** Each builder extends this with its own type as {@code B}. */
  @SuppressWarnings("unchecked")
  private B self() {
    return (B) this;
  }

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

  Calls<T> calls() {
    Counters.requireNotGenerated(schema);
    Mapping<T> mapping = new Mapping<>(schema, tracking, unmapped);
    return new Calls<>(
        transport,
        new Writes<>(table, mapping, cache != null || listener != null),
        new NativeEdits<>(table, mapping),
        tracking,
        clock,
        new Recall(cache, tracking, table),
        pressure,
        listener == null ? null : new StoreObserver(listener, table));
  }

  /**
   * Checks that the AWS SDK on the class path is new enough, by what came last to each artifact: an
   * older one, or a mix, would fail with a class or method that is not there, at some later call.
   *
   * @throws IllegalStateException if something is missing
   */
  static void checkVersions(ClassLoader loader) {
    find(loader, "dynamodb-enhanced", "enhanced.dynamodb.model.IgnoreNullsMode");
    find(loader, "retries-spi", "retries.api.BackoffStrategy");
    Class<?> exception = find(loader, "sdk-core", "core.exception.SdkException");
    try {
      Object unused = exception.getMethod("numAttempts");
    } catch (NoSuchMethodException e) {
      throw tooOld("sdk-core", "SdkException.numAttempts()", e);
    }
  }

  private static Class<?> find(ClassLoader loader, String artifact, String name) {
    try {
      return Class.forName(SDK + name, false, loader);
    } catch (ClassNotFoundException | LinkageError e) {
      throw tooOld(artifact, SDK + name, e);
    }
  }

  private static IllegalStateException tooOld(String artifact, String missing, Throwable cause) {
    return new IllegalStateException(
        ("the AWS SDK on the class path is older than %s, or of several versions: its %s has no %s;"
                + " import software.amazon.awssdk:bom of %s or later")
            .formatted(LEAST, artifact, missing, LEAST),
        cause);
  }
}
