package dev.tidemark.benchmarks.measure;

import dev.tidemark.benchmarks.stats.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs a technique over the messages of one round and checks that each took effect once. */
public final class Driver {
  private final Store store;
  private final int threads;

  /**
   * A driver.
   *
   * @param store where the entities are
   * @param threads how many threads a technique without futures gets
   */
  public Driver(Store store, int threads) {
    this.store = store;
    this.threads = threads;
  }

  /**
   * How many hand-overs of a technique are under way at any time.
   *
   * @param technique the technique
   * @return its threads, or what it keeps in flight
   */
  public int lanes(Technique technique) {
    return technique instanceof AsyncTechnique async
        ? async.inFlight()
        : technique.shape().callers(threads);
  }

  /**
   * Runs one round.
   *
   * @param technique the technique
   * @param name a name that no other round has
   * @return what it took
   */
  public Round run(Technique technique, String name) {
    Workload workload = Workload.of(name, lanes(technique), technique.shape());
    store.create(workload.entities());
    long requests = store.meter().requests();
    long server = store.serverCpuNanos();
    long client = Machine.cpuNanos();
    long start = System.nanoTime();
    List<Lane> lanes = finish(technique, workload);
    long nanos = System.nanoTime() - start;
    client = Machine.cpuNanos() - client;
    server = store.serverCpuNanos() - server;
    check(technique, workload);
    long messages = workload.total();
    Sample times = Sample.of(lanes.stream().flatMap(lane -> lane.millis().stream()).toList());
    return new Round(
        messages,
        nanos,
        store.meter().requests() - requests,
        times.quantile(0.5),
        times.quantile(0.99),
        client / 1e3 / messages,
        server / 1e3 / messages);
  }

  private static List<Lane> finish(Technique technique, Workload workload) {
    List<Lane> lanes = new ArrayList<>();
    workload.lanes().forEach(handOvers -> lanes.add(new Lane(technique, handOvers)));
    if (technique instanceof AsyncTechnique) {
      List<CompletableFuture<Void>> ends = lanes.stream().map(Lane::start).toList();
      ends.forEach(CompletableFuture::join);
      return lanes;
    }
    ExecutorService pool = Executors.newFixedThreadPool(lanes.size());
    try {
      List<Future<?>> ends = new ArrayList<>();
      lanes.forEach(lane -> ends.add(pool.submit(lane)));
      for (Future<?> end : ends) {
        end.get();
      }
      return lanes;
    } catch (Exception e) {
      throw new IllegalStateException(technique.name() + " failed", e);
    } finally {
      pool.shutdownNow();
    }
  }

  private void check(Technique technique, Workload workload) {
    List<String> entities = workload.entities();
    for (String entity : List.of(entities.get(0), entities.get(entities.size() - 1))) {
      long total = store.total(entity);
      long wanted = workload.wanted(entity);
      if (total != wanted) {
        throw new IllegalStateException(
            technique.name() + " left a total of " + total + ", wanted " + wanted);
      }
    }
  }
}
