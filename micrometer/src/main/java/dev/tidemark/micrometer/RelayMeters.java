package dev.tidemark.micrometer;

import dev.tidemark.metrics.Ongoing;
import dev.tidemark.outbox.RelayPass;
import dev.tidemark.outbox.StoreSilence;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one relay, all of which are there from the start: a rule that compares a counter
 * with what it was would not see one that begins above zero. Safe for use by many threads.
 */
final class RelayMeters {
  private static final String RECORDS = "records";

  private static final String OUTBOX = "tidemark.outbox.";

  /** How far a stream is behind. */
  static final String BEHIND = OUTBOX + "stream.behind";

  private final MeterRegistry registry;
  private final String records;
  private final Timer passes;
  private final Counter sent;
  private final Counter failed;
  private final Counter parked;
  private final Counter prevented;
  private final Counter refused;
  private final Counter takeovers;
  private final Counter errors;
  private final Counter ahead;
  private final StoreSilence silence;
  private volatile Seen seen;

  /**
   * What passes have seen.
   *
   * @param pending messages that waited
   * @param oldest for how many nanoseconds the oldest of them had waited
   * @param shards how many there were to work on
   * @param heldBack messages that waited for their cluster's turn
   * @param unreadable records that could not be read
   * @param at when that was, by the registry's clock
   */
  private record Seen(int pending, long oldest, int shards, int heldBack, int unreadable, long at) {
    /** What waited then has waited on, until a pass says otherwise. */
    long oldestAt(long now) {
      return oldest == 0 ? 0 : oldest + (now - at);
    }
  }

  RelayMeters(MeterRegistry registry, String records) {
    this.registry = registry;
    this.records = records;
    this.seen = new Seen(0, 0, 0, 0, 0, now());
    this.silence = new StoreSilence(this::now);
    this.passes =
        Timer.builder("tidemark.outbox.pass")
            .description("Passes of a relay")
            .tag(RECORDS, records)
            .register(registry);
    this.sent = counter("sent", "Messages that the sender has taken");
    this.failed = counter("failed", "Tries of messages that could not be sent");
    this.parked = counter("parked", "Messages that were parked");
    this.prevented = counter("prevented", "Messages that were not sent a second time");
    this.refused = counter("refused", "Changes of records that were refused");
    this.takeovers = counter("takeovers", "Shards that were taken over from silent instances");
    this.errors = counter("errors", "Passes that met an error");
    this.ahead = counter("ahead", "Messages of writers whose clock was far ahead of the relay's");
    gauge(
        "held.back",
        "Messages that have waited for long, and for their cluster's turn",
        null,
        m -> m.seen.heldBack());
    gauge("unreadable", "Records that cannot be read", null, m -> m.seen.unreadable());
    gauge("pending", "Messages that wait, as far as a pass has seen", null, m -> m.seen.pending());
    gauge("shards", "Shards that the relay works on", null, m -> m.seen.shards());
    gauge("oldest", "For how long the oldest message waits", "seconds", RelayMeters::oldest);
    gauge(
        "pass.age",
        "For how long the store has not answered, without calls of the sender",
        "seconds",
        m -> seconds(m.silence.time().toNanos()));
  }

  private Counter counter(String name, String description) {
    return Counter.builder(OUTBOX + name)
        .description(description)
        .tag(RECORDS, records)
        .register(registry);
  }

  /** Takes the place of the gauge of an earlier relay, which knows nothing any more. */
  private void gauge(
      String name, String description, @Nullable String unit, ToDoubleFunction<RelayMeters> value) {
    String full = OUTBOX + name;
    removeGauges(registry, records, List.of(full));
    Gauge.builder(full, this, value)
        .description(description)
        .baseUnit(unit)
        .tag(RECORDS, records)
        .strongReference(true) // a relay that is gone is seen by its age
        .register(registry);
  }

  /** Takes the gauges away. */
  void end() {
    removeGauges(
        registry,
        records,
        Stream.of("pending", "held.back", "unreadable", "shards", "oldest", "pass.age")
            .map(name -> OUTBOX + name)
            .toList());
  }

  /** Takes gauges of some records away, which others may have made. */
  static void removeGauges(MeterRegistry registry, String records, List<String> names) {
    for (String name : names) {
      registry.find(name).tag(RECORDS, records).meters().forEach(registry::remove);
    }
  }

  synchronized void passed(RelayPass pass) {
    passes.record(pass.elapsed());
    sent.increment(pass.sent());
    failed.increment(pass.failed());
    parked.increment(pass.parked());
    prevented.increment(pass.prevented());
    refused.increment(pass.refused());
    takeovers.increment(pass.takenOver());
    errors.increment(pass.error() == null ? 0 : 1);
    ahead.increment(pass.ahead());
    seen = seen(pass, pass.oldest());
    silence.passed(pass);
  }

  /** The store is not asked while the sender is. What it has found has waited on since. */
  synchronized Ongoing.Scope sending(RelayPass found) {
    Duration oldest = found.oldest();
    seen = seen(found, oldest.isZero() ? oldest : oldest.plus(found.elapsed()));
    return silence.sending(found);
  }

  /** A pass that the store has not answered may have seen less than there is. */
  private Seen seen(RelayPass pass, Duration waited) {
    long now = now();
    Seen before = seen;
    long oldest = waited.toNanos();
    if (pass.storeAnswered()) {
      return new Seen(
          pass.pending(), oldest, pass.shards(), pass.heldBack(), pass.unreadable(), now);
    }
    return new Seen(
        Math.max(before.pending(), pass.pending()),
        Math.max(before.oldestAt(now), oldest),
        pass.shards(),
        Math.max(before.heldBack(), pass.heldBack()),
        before.unreadable(),
        now);
  }

  private double oldest() {
    return seconds(seen.oldestAt(now()));
  }

  private long now() {
    return registry.config().clock().monotonicTime();
  }

  private static double seconds(long nanos) {
    return nanos / (double) TimeUnit.SECONDS.toNanos(1);
  }
}
