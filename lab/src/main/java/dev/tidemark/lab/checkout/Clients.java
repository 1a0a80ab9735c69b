package dev.tidemark.lab.checkout;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Clients that ask for checkouts, each several times at once, and again until they have a receipt.
 */
final class Clients {
  private static final int CREATED = 201;
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** For so long nobody may get a receipt, before what is left counts as stuck. */
  private static final Duration STANDSTILL = Duration.ofSeconds(90);

  private final HttpClient client = HttpClient.newHttpClient();
  private final List<Service> services;
  private final AtomicInteger requests = new AtomicInteger();
  private final AtomicInteger replays = new AtomicInteger();
  private final AtomicInteger done = new AtomicInteger();

  Clients(List<Service> services) {
    this.services = services;
  }

  /** Makes orders: how many clients ask for each, and who gives up, is the seed's choice. */
  static List<Order> orders(Settings settings) {
    Random random = new Random(settings.seed());
    return IntStream.range(0, settings.keys())
        .mapToObj(
            i -> {
              int copies = 1 + random.nextInt(3);
              return new Order("checkout-" + i, copies, random.nextInt(10) == 0);
            })
        .toList();
  }

  /**
   * Asks for each order by several requests at once, until it has a receipt or is abandoned.
   *
   * @param insisting whether to ask by one request, and for those too that are abandoned
   */
  void bring(Collection<Order> orders, boolean insisting) throws InterruptedException {
    Collection<Order> next = orders;
    long progress = System.nanoTime();
    while (!next.isEmpty() && System.nanoTime() - progress < STANDSTILL.toNanos()) {
      Queue<Order> queue = new ConcurrentLinkedQueue<>(next);
      Queue<Order> again = new ConcurrentLinkedQueue<>();
      List<Thread> threads =
          IntStream.range(0, Settings.CLIENTS)
              .mapToObj(i -> new Thread(() -> work(queue, again, insisting), "client-" + i))
              .toList();
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      if (again.size() < next.size()) {
        progress = System.nanoTime();
      } else {
        LockSupport.parkNanos(PAUSE.toNanos());
      }
      next = again;
    }
  }

  private void work(Queue<Order> queue, Queue<Order> again, boolean insisting) {
    Order order = queue.poll();
    while (order != null) {
      if (!ask(order, insisting ? 1 : order.copies()) && (insisting || !order.isAbandoned())) {
        again.add(order);
      }
      order = queue.poll();
    }
  }

  /** Sends several requests of an order at once; whether one of them got a receipt. */
  private boolean ask(Order order, int copies) {
    List<CompletableFuture<Boolean>> answers =
        IntStream.range(0, copies).mapToObj(copy -> ask(order, service())).toList();
    boolean any = false;
    for (CompletableFuture<Boolean> answer : answers) {
      any |= answer.join();
    }
    done.addAndGet(any ? 1 : 0);
    return any;
  }

  /** One that is up, if there is one. */
  private Service service() {
    int from = ThreadLocalRandom.current().nextInt(services.size());
    for (int i = 0; i < services.size(); i++) {
      Service service = services.get((from + i) % services.size());
      if (service.isUp()) {
        return service;
      }
    }
    return services.get(from);
  }

  /** Sends one request; whether it got a receipt. */
  CompletableFuture<Boolean> ask(Order order, Service service) {
    requests.incrementAndGet();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(service.url() + "/checkouts"))
            .timeout(PATIENCE)
            .header("Content-Type", "application/json")
            .header("Idempotency-Key", '"' + order.key() + '"')
            .POST(
                BodyPublishers.ofString("{\"consumerId\":\"" + order.key() + "\",\"cents\":2500}"))
            .build();
    return client
        .sendAsync(request, BodyHandlers.ofString())
        .handle((answer, fault) -> isReceipt(order, answer));
  }

  private boolean isReceipt(Order order, @Nullable HttpResponse<String> answer) {
    if (answer == null || answer.statusCode() != CREATED) {
      return false;
    }
    order.told(answer.body());
    if (answer.headers().firstValue("Idempotency-Replayed").isPresent()) {
      replays.incrementAndGet();
    }
    return true;
  }

  /** How many orders have a receipt. */
  int done() {
    return done.get();
  }

  int requests() {
    return requests.get();
  }

  int replays() {
    return replays.get();
  }
}
