package dev.tidemark.lab.storm;

import dev.tidemark.Result;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Brings parcels to the nodes, eight at a time. One thread runs them. */
final class Workers implements AutoCloseable {
  private final List<Calls> nodes;
  private final Tally tally;
  private final Weather weather;
  private final ExecutorService threads = Executors.newFixedThreadPool(Settings.WORKERS);

  Workers(List<Calls> nodes, Tally tally, Weather weather) {
    this.nodes = nodes;
    this.tally = tally;
    this.weather = weather;
  }

  /**
   * Brings all parcels of a wave, and again what is not done, in the same order.
   *
   * @param rounds how many more may follow each other in which nothing gets done
   * @return what is not done after so many; empty if all is
   */
  Set<Event> run(int wave, List<Parcel> parcels, int rounds) throws InterruptedException {
    Collection<Parcel> next = round(wave, parcels);
    int left = rounds;
    while (left > 0 && !next.isEmpty()) {
      Collection<Parcel> again = round(wave, next);
      left = deliveries(again) < deliveries(next) ? rounds : left - 1;
      next = again;
    }
    Set<Event> undone = new LinkedHashSet<>();
    next.forEach(parcel -> undone.addAll(parcel.events()));
    return undone;
  }

  private static int deliveries(Collection<Parcel> parcels) {
    return parcels.stream().mapToInt(parcel -> parcel.events().size()).sum();
  }

  private Collection<Parcel> round(int wave, Collection<Parcel> parcels)
      throws InterruptedException {
    Queue<Parcel> queue = new ConcurrentLinkedQueue<>(parcels);
    Queue<Parcel> again = new ConcurrentLinkedQueue<>();
    List<Callable<@Nullable Void>> tasks = new ArrayList<>();
    for (int worker = 0; worker < Settings.WORKERS; worker++) {
      Calls node = nodes.get(worker % nodes.size());
      tasks.add(
          () -> {
            work(wave, node, queue, again);
            return null;
          });
    }
    for (Future<@Nullable Void> task : threads.invokeAll(tasks)) {
      ended(task);
    }
    return again;
  }

  private void work(int wave, Calls node, Queue<Parcel> queue, Queue<Parcel> again) {
    Parcel parcel = queue.poll();
    while (parcel != null) {
      Calls.Answer answer = node.bring(parcel);
      for (int i = 0; i < parcel.events().size(); i++) {
        Result<Ledger> result = answer.results().get(i);
        parcel.events().get(i).told().note(wave, result);
        tally.add(result);
      }
      if (!answer.again().isEmpty()) {
        again.add(parcel.of(answer.again()));
      }
      weather.reached(tally.deliveries());
      parcel = queue.poll();
    }
  }

  private static void ended(Future<@Nullable Void> task) throws InterruptedException {
    try {
      task.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a worker failed", e.getCause());
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
