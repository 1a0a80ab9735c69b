package dev.tidemark.example.orderhistory.demo;

import dev.tidemark.example.orderhistory.OrderEvent;
import dev.tidemark.example.orderhistory.OrderEvent.LineAdded;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCancelled;
import dev.tidemark.example.orderhistory.OrderEvent.OrderDelivered;
import dev.tidemark.example.orderhistory.OrderEvent.OrderPaid;
import dev.tidemark.example.orderhistory.OrderEvent.OrderPlaced;
import dev.tidemark.example.orderhistory.OrderEvent.OrderShipped;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;

/** Makes up the lives of orders. The same seed makes the same events. For one thread. */
final class OrderLives {
  private static final int OPEN_AT_ONCE = 100;
  private static final List<String> GOODS =
      List.of("lamp", "chair", "kettle", "rope", "compass", "anchor", "map", "lantern");
  private static final List<String> REASONS = List.of("changed my mind", "too late", "sold out");

  private final Random random;

  OrderLives(long seed) {
    random = new Random(seed);
  }

  /** The events of that many orders, each order's own in turn, those of different orders mixed. */
  List<OrderEvent> events(int orders) {
    List<OrderEvent> events = new ArrayList<>();
    List<Deque<OrderEvent>> open = new ArrayList<>();
    int opened = 0;
    while (opened < orders || !open.isEmpty()) {
      if (opened < orders && open.size() < OPEN_AT_ONCE) {
        open.add(life("order-" + ++opened));
        continue;
      }
      int chosen = random.nextInt(open.size());
      events.add(open.get(chosen).remove());
      if (open.get(chosen).isEmpty()) {
        open.remove(chosen);
      }
    }
    return events;
  }

  private Deque<OrderEvent> life(String id) {
    Deque<OrderEvent> life = new ArrayDeque<>();
    life.add(new OrderPlaced(id, 1, "customer-" + random.nextInt(500)));
    long total = 0;
    for (int lines = oneIn(2) ? 1 : 2 + random.nextInt(2); lines > 0; lines--) {
      int quantity = 1 + random.nextInt(4);
      long cents = quantity * (100L + random.nextInt(9_900));
      String sku = GOODS.get(random.nextInt(GOODS.size()));
      life.add(new LineAdded(id, life.size() + 1, sku, quantity, cents));
      total += cents;
    }
    boolean calledOff = oneIn(8);
    if (!calledOff || oneIn(2)) {
      pay(life, id, total);
    }
    if (calledOff) {
      String reason = REASONS.get(random.nextInt(REASONS.size()));
      life.add(new OrderCancelled(id, life.size() + 1, reason));
    } else {
      send(life, id);
    }
    return life;
  }

  private void pay(Deque<OrderEvent> life, String id, long total) {
    long first = oneIn(4) ? total / 3 : total;
    life.add(new OrderPaid(id, life.size() + 1, first));
    if (first < total) {
      life.add(new OrderPaid(id, life.size() + 1, total - first));
    }
  }

  private void send(Deque<OrderEvent> life, String id) {
    if (oneIn(8)) {
      return; // still on the shelf
    }
    life.add(new OrderShipped(id, life.size() + 1, "parcel-" + random.nextInt(1_000_000)));
    if (!oneIn(8)) {
      life.add(new OrderDelivered(id, life.size() + 1));
    }
  }

  private boolean oneIn(int n) {
    return random.nextInt(n) == 0;
  }
}
