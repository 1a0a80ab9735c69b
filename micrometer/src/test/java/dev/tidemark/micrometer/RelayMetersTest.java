package dev.tidemark.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.tidemark.metrics.Ongoing;
import dev.tidemark.outbox.Look;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.RelayPass;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MockClock;
import io.micrometer.core.instrument.simple.SimpleConfig;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The meters of a relay")
class RelayMetersTest {
  private final MockClock clock = new MockClock();
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry(SimpleConfig.DEFAULT, clock);
  private final TidemarkMetrics metrics = new TidemarkMetrics(registry);

  /** Records that are never asked for anything but their name. */
  static final class Named implements OutboxRecords {
    @Override
    public String name() {
      return "orders";
    }

    @Override
    public int shards() {
      return 1;
    }

    @Override
    public Look look(int shard, long from, long until, int most, long size) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<OutboxRecord> parked(int shard, int most) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Optional<OutboxRecord> read(Object key) {
      throw new UnsupportedOperationException();
    }

    @Override
    public List<Answer> write(List<OutboxChange> changes) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Clock clock() {
      return Clock.systemUTC();
    }
  }

  /** What passes count of records that cannot be read. */
  private int unreadable;

  private RelayPass pass(int pending, int oldest, int sent, int failed, @Nullable Throwable error) {
    return new RelayPass(
        "orders",
        3,
        pending,
        Duration.ofSeconds(oldest),
        sent,
        failed,
        1,
        2,
        4,
        5,
        6,
        7,
        unreadable,
        Duration.ofMillis(20),
        error == null || failed > 0 || unreadable > 0,
        error);
  }

  @Test
  @DisplayName("count records that cannot be read, and call a pass beside them good")
  void unreadable() {
    unreadable = 2;
    metrics.passed(pass(7, 30, 0, 0, new IllegalStateException("unreadable")));
    clock.add(Duration.ofMinutes(10));
    metrics.passed(pass(7, 30, 0, 0, new IllegalStateException("unreadable")));
    assertEquals(2, gauge("unreadable"));
    assertEquals(0, gauge("pass.age"));
    assertEquals(2, count("errors"));
    unreadable = 0;
    metrics.passed(pass(0, 0, 0, 0, null));
    assertEquals(0, gauge("unreadable"));
  }

  private double gauge(String name) {
    return registry.get("tidemark.outbox." + name).tag("records", "orders").gauge().value();
  }

  private double count(String name) {
    return registry.get("tidemark.outbox." + name).tag("records", "orders").counter().count();
  }

  @Test
  @DisplayName("are there before the first pass, all of them zero")
  void fromTheStart() {
    assertSame(metrics, metrics.watch(new Named()));
    int there = registry.getMeters().size();
    for (Meter meter : registry.getMeters()) {
      meter
          .measure()
          .forEach(
              one -> assertEquals(0, one.getValue(), meter.getId() + " " + one.getStatistic()));
    }
    metrics.passed(pass(0, 0, 0, 0, null));
    assertEquals(there, registry.getMeters().size());
  }

  @Test
  @DisplayName("count what passes do, and time them")
  void counts() {
    metrics.passed(pass(7, 30, 10, 6, new IllegalStateException("no broker")));
    metrics.passed(pass(3, 10, 10, 0, null));
    assertEquals(20, count("sent"));
    assertEquals(6, count("failed"));
    assertEquals(2, count("parked"));
    assertEquals(4, count("prevented"));
    assertEquals(8, count("refused"));
    assertEquals(10, count("takeovers"));
    assertEquals(1, count("errors"));
    assertEquals(3, gauge("shards"));
    assertEquals(3, gauge("pending"));
    assertEquals(6, gauge("held.back"));
    assertEquals(14, count("ahead"));
    assertEquals(10, gauge("oldest"));
    var timer = registry.get("tidemark.outbox.pass").tag("records", "orders").timer();
    assertEquals(2, timer.count());
    assertEquals(40, timer.totalTime(TimeUnit.MILLISECONDS));
  }

  @Test
  @DisplayName("show a relay that hangs: its age grows, and what waited grows older")
  void hangs() {
    metrics.passed(pass(7, 30, 0, 0, null));
    assertEquals(0, gauge("pass.age"));
    clock.add(Duration.ofMinutes(10));
    assertEquals(600, gauge("pass.age"));
    assertEquals(630, gauge("oldest"));
    metrics.passed(pass(0, 0, 7, 0, null));
    assertEquals(0, gauge("pass.age"));
    clock.add(Duration.ofMinutes(10));
    assertEquals(0, gauge("oldest"));
  }

  @Test
  @DisplayName("show a relay that never made a pass")
  void never() {
    metrics.watch(new Named());
    clock.add(Duration.ofMinutes(5));
    assertEquals(300, gauge("pass.age"));
  }

  @Test
  @DisplayName("keep what was seen where the store does not answer, and do not call that a pass")
  void blind() {
    metrics.passed(pass(7, 30, 0, 0, null));
    for (int passes = 0; passes < 3; passes++) {
      clock.add(Duration.ofSeconds(20));
      metrics.passed(pass(0, 0, 0, 0, new IllegalStateException("no store")));
    }
    assertEquals(7, gauge("pending"));
    assertEquals(90, gauge("oldest"));
    assertEquals(60, gauge("pass.age"));
    assertEquals(3, count("errors"));
  }

  @Test
  @DisplayName("call it a pass where only the sender failed")
  void senderFails() {
    metrics.passed(pass(7, 30, 0, 0, null));
    clock.add(Duration.ofSeconds(20));
    metrics.passed(pass(7, 50, 0, 7, new IllegalStateException("no broker")));
    assertEquals(0, gauge("pass.age"));
    assertEquals(50, gauge("oldest"));
  }

  @Test
  @DisplayName("do not call a store silent while the sender waits, and let what waits grow older")
  void sending() {
    metrics.passed(pass(0, 0, 0, 0, null));
    clock.add(Duration.ofSeconds(5));
    Ongoing.Scope call = metrics.sending(pass(7, 30, 0, 0, null));
    clock.add(Duration.ofMinutes(3));
    assertEquals(0, gauge("pass.age"));
    assertEquals(7, gauge("pending"));
    assertEquals(210.02, gauge("oldest"), 0.001, "30 s, what the pass took before, and the call");
    assertEquals(0, count("sent"));
    call.close();
    assertEquals(0, gauge("pass.age"));
    clock.add(Duration.ofMinutes(1));
    assertEquals(60, gauge("pass.age"));
  }

  @Test
  @DisplayName("show a store that is silent before and behind a call of the sender")
  void sendingBlind() {
    metrics.passed(pass(7, 30, 0, 0, null));
    clock.add(Duration.ofSeconds(20));
    Ongoing.Scope call = metrics.sending(pass(0, 0, 0, 0, new IllegalStateException("no store")));
    clock.add(Duration.ofMinutes(3));
    assertEquals(20, gauge("pass.age"));
    call.close();
    clock.add(Duration.ofSeconds(10));
    assertEquals(30, gauge("pass.age"));
  }

  @Test
  @DisplayName("tell of the relay that was made last, where one follows another")
  void another() {
    metrics.passed(pass(7, 30, 1, 0, null));
    clock.add(Duration.ofMinutes(10));
    TidemarkMetrics later = new TidemarkMetrics(registry).watch(new Named());
    assertEquals(0, gauge("pass.age"));
    later.passed(pass(2, 1, 1, 0, null));
    assertEquals(2, gauge("pending"));
    assertEquals(2, count("sent"));
  }

  @Test
  @DisplayName("show no relay that has ended for good, and keep what it counted")
  void unwatch() {
    metrics.watch(new Named()).unwatch("orders").unwatch("others");
    for (String gauge : List.of("pending", "shards", "oldest", "pass.age")) {
      assertNull(registry.find("tidemark.outbox." + gauge).meter(), gauge);
    }
    assertEquals(0, registry.get("tidemark.outbox.sent").counter().count());
    metrics.watch(new Named());
    assertEquals(0, registry.get("tidemark.outbox.pending").gauge().value());
  }

  @Test
  @DisplayName("count takeovers by the cluster that did not send, from zero on")
  void clusters() {
    assertSame(metrics, metrics.watchClusters(new Named(), Set.of("us", "ap")));
    assertEquals(0, takeovers("us"));
    assertEquals(0, count("cluster.prevented"));
    metrics.tookOver("orders", "us", 3);
    metrics.tookOver("orders", "us", 2);
    metrics.prevented("orders", 4);
    assertEquals(5, takeovers("us"));
    assertEquals(0, takeovers("ap"));
    assertEquals(4, count("cluster.prevented"));
  }

  private double takeovers(String origin) {
    return registry
        .get("tidemark.outbox.cluster.takeovers")
        .tags("records", "orders", "origin", origin)
        .counter()
        .count();
  }

  @Test
  @DisplayName("have how far the stream is behind that was told of last, until they end")
  void stream() {
    metrics.watchStream(new Named(), () -> Duration.ofDays(1));
    metrics.watchStream(new Named(), () -> Duration.ofSeconds(90));
    assertEquals(
        90,
        registry
            .get("tidemark.outbox.stream.behind")
            .tag("records", "orders")
            .timeGauge()
            .value(TimeUnit.SECONDS));
    metrics.watch(new Named()).unwatch("orders");
    assertNull(registry.find("tidemark.outbox.stream.behind").meter());
  }
}
