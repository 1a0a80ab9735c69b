package dev.tidemark.lab.clusters;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Items of every cluster, replicated with a lag. The last writer of an item wins, by the stamps
 * that writers give. For one thread.
 *
 * @param <V> what an item is
 */
final class Replicas<V> {
  private final Plan plan;
  private final Agenda agenda;
  private final Random random;
  private final List<Replica> replicas = new ArrayList<>();

  Replicas(Plan plan, Agenda agenda, Random random) {
    this.plan = plan;
    this.agenda = agenda;
    this.random = random;
    for (int cluster = 0; cluster < plan.clusters(); cluster++) {
      replicas.add(new Replica(cluster));
    }
  }

  Replica of(int cluster) {
    return replicas.get(cluster);
  }

  /** An item, or where it was: that is kept, so that what is late does not bring it back. */
  private record Version<V>(@Nullable V value, long stamp, int writer) {
    boolean isBehind(Version<V> other) {
      return stamp < other.stamp || (stamp == other.stamp && writer < other.writer);
    }
  }

  /** What one cluster has. */
  final class Replica {
    private final int cluster;
    private final Map<String, Version<V>> items = new HashMap<>();
    private BiConsumer<@Nullable V, @Nullable V> index = (before, after) -> {};

    Replica(int cluster) {
      this.cluster = cluster;
    }

    /** Is told of each change: what was there, and what is. */
    void index(BiConsumer<@Nullable V, @Nullable V> index) {
      this.index = index;
    }

    @Nullable V read(String key) {
      Version<V> found = items.get(key);
      return found == null ? null : found.value();
    }

    /** Stores an item here at once, and elsewhere later; null removes it. */
    void write(String key, @Nullable V value, long stamp) {
      Version<V> before = items.get(key);
      long next = before == null ? stamp : Math.max(stamp, before.stamp() + 1);
      Version<V> written = new Version<>(value, next, cluster);
      arrive(key, written);
      for (Replica other : replicas) {
        if (other != this) {
          send(key, written, other, agenda.now());
        }
      }
    }

    private void send(String key, Version<V> written, Replica other, long time) {
      long from = plan.reachable(cluster, other.cluster, time);
      if (from < Plan.Trouble.NEVER) {
        long lag = plan.shortest() + (long) (random.nextDouble() * (plan.lag() - plan.shortest()));
        agenda.at(from + lag, () -> land(key, written, other));
      }
    }

    /** What is on its way when a cut begins waits for its end. */
    private void land(String key, Version<V> written, Replica other) {
      if (plan.reachable(cluster, other.cluster, agenda.now()) == agenda.now()) {
        other.arrive(key, written);
      } else {
        send(key, written, other, agenda.now());
      }
    }

    private void arrive(String key, Version<V> version) {
      Version<V> before = items.get(key);
      if (before == null || before.isBehind(version)) {
        items.put(key, version);
        index.accept(before == null ? null : before.value(), version.value());
      }
    }
  }
}
