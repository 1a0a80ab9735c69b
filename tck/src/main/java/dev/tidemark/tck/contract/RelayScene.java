package dev.tidemark.tck.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityKey;
import dev.tidemark.outbox.Look;
import dev.tidemark.outbox.OutboxChange;
import dev.tidemark.outbox.OutboxMessage;
import dev.tidemark.outbox.OutboxRecord;
import dev.tidemark.outbox.OutboxRecords;
import dev.tidemark.outbox.Relay;
import dev.tidemark.outbox.RelayBuilder;
import dev.tidemark.outbox.Sender;
import dev.tidemark.store.RecordStore;
import dev.tidemark.tck.Backend;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Views that publish, relays over their records, and a broker that keeps what it gets. */
final class RelayScene {
  final OutboxScene outbox;
  final RecordStore leases;
  private final String name = Some.name();

  /** The IDs that the broker has taken, in order, twins too. */
  final List<String> taken = Collections.synchronizedList(new ArrayList<>());

  /** What the broker refuses. */
  final Set<String> refused = ConcurrentHashMap.newKeySet();

  RelayScene(Backend backend) {
    this.outbox = new OutboxScene(backend);
    this.leases = backend.recordStore(outbox.clock);
  }

  RelayBuilder builder() {
    return Relay.builder(records(), sender());
  }

  Relay relay() {
    return builder().build();
  }

  Sender sender() {
    return Sender.each(this::take);
  }

  private void take(OutboxMessage message) {
    if (refused.contains(message.id())) {
      throw new IllegalStateException("refused");
    }
    taken.add(message.id());
  }

  /** The records of a node, under a name of this scene's own, so that its leases are, too. */
  Records records() {
    return new Records(() -> {});
  }

  /** Records of a node that does something before it takes off what it has sent. */
  Records records(Runnable beforeWrite) {
    return new Records(beforeWrite);
  }

  /** Records as the backend gives them. */
  final class Records implements OutboxRecords {
    private final Runnable beforeWrite;

    Records(Runnable beforeWrite) {
      this.beforeWrite = beforeWrite;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public int shards() {
      return outbox.records.shards();
    }

    @Override
    public Look look(int shard, long from, long until, int most, long size) {
      return outbox.records.look(shard, from, until, most, size);
    }

    @Override
    public List<OutboxRecord> parked(int shard, int most) {
      return outbox.records.parked(shard, most);
    }

    @Override
    public Object bare(Object key) {
      return outbox.records.bare(key);
    }

    @Override
    public Optional<OutboxRecord> read(Object key) {
      return outbox.records.read(key);
    }

    @Override
    public List<Answer> write(List<OutboxChange> changes) {
      beforeWrite.run();
      return outbox.records.write(changes);
    }

    @Override
    public Clock clock() {
      return outbox.clock;
    }
  }

  /** Passes of a relay until nothing is sent any more. */
  void drain(Relay relay) {
    for (int passes = 0; relay.sweep().sent() > 0; passes++) {
      assertTrue(passes < 1_000, "a relay comes to no end");
    }
  }

  void move(Duration time) {
    outbox.clock.move(time);
  }

  /** The broker has these, and of each view in this order. */
  void assertTaken(String... ids) {
    assertEquals(List.of(ids), List.copyOf(new LinkedHashSet<>(taken)));
  }

  /** A view keeps no messages, nor anything else of them. */
  void assertNothingLeft(EntityKey view) {
    Map<String, Object> raw = outbox.backend.raw(view).orElseThrow();
    assertTrue(
        raw.keySet().stream().noneMatch(attribute -> attribute.startsWith("_outbox")),
        () -> "left: " + raw.keySet());
  }
}
