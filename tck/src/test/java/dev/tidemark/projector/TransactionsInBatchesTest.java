package dev.tidemark.projector;

import static dev.tidemark.Change.change;
import static dev.tidemark.EntityKey.key;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tidemark.EntityStore;
import dev.tidemark.EventPolicy;
import dev.tidemark.Message;
import dev.tidemark.MessageId;
import dev.tidemark.SourceEvent;
import dev.tidemark.Tracking;
import dev.tidemark.Write;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.ReferenceBackend;
import dev.tidemark.tck.Transactions;
import dev.tidemark.tck.Transactions.Tracked;
import dev.tidemark.tck.View;
import dev.tidemark.transaction.Committed;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A batch with transactions that comes again and again")
final class TransactionsInBatchesTest {
  private static final List<EventPolicy> POLICIES =
      List.of(
          EventPolicy.dropLate(),
          EventPolicy.contiguous(),
          EventPolicy.denseWindow(2),
          EventPolicy.denseWindow(1).givingUpHoles(),
          EventPolicy.sparseWindow(1));

  /** Counts one more in an entity, which it creates. */
  private record Opened(String name, String to) {}

  /** Counts one more in an entity that is there. */
  private record Added(String name, String to) {}

  /** Counts one more in an entity that is there, and in one that it creates. */
  private record Moved(String name, String from, String to) {}

  private static final Delivery PLACED = Delivery.of(order(1), new Opened("placed", "order"));
  private static final Delivery BILLED =
      Delivery.of(MessageId.of("billed"), new Moved("billed", "order", "account"));

  private static Delivery added(long version) {
    return Delivery.of(order(version), new Added("added " + version, "order"));
  }

  private static Delivery split(long version) {
    return Delivery.of(order(version), new Moved("split " + version, "order", "second order"));
  }

  private static SourceEvent order(long version) {
    return SourceEvent.of("Order", "o1", version);
  }

  /** A projector into an empty store, which fails once for some event. */
  private static final class World {
    private final MovableClock clock = new MovableClock();
    private final ReferenceBackend backend = new ReferenceBackend();
    private final Transactions transactions = backend.transactions(clock);
    private final Tracking tracking;
    private final EntityStore<View> views;
    private final Projector<View> projector;
    private String failing;
    private int asked;

    World(EventPolicy policy, String failing) {
      this.tracking = Tracking.defaults().events("Order", policy);
      this.views = backend.views(tracking, clock);
      this.failing = failing;
      this.projector =
          Projector.into(views)
              .updating(
                  Opened.class,
                  event -> key(unless("keyed " + event.name(), event.to())),
                  event -> unless(event.name(), change().add("total", 1).createIfMissing()))
              .on(
                  Added.class,
                  event -> key(unless("keyed " + event.name(), event.to())),
                  (view, event) -> counted(view, event.name()))
              .transacting(Moved.class, this::moved)
              .identifiedBy(delivery -> unless("identified " + ++asked, delivery.message()))
              .build();
    }

    private View counted(View view, String name) {
      view.setTotal(unless(name, total(view) + 1));
      return view;
    }

    private static long total(View view) {
      Long total = view.getTotal();
      return total == null ? 0 : total;
    }

    private Committed moved(Moved event, Message message) {
      return transactions.commit(
          List.of(
              new Tracked(
                  tracking,
                  Write.update(
                      message, key(event.from()), unless(event.name(), change().add("total", 1)))),
              new Tracked(
                  Tracking.defaults(), // which drops what is late
                  Write.update(
                      message, key(event.to()), change().add("total", 1).createIfMissing()))),
          null);
    }

    private <A> A unless(String name, A value) {
      if (failing.equals(name)) {
        failing = "";
        throw new IllegalStateException("fails once");
      }
      return value;
    }

    /** Until all is done: something is each time. */
    private void handle(List<Delivery> batch, Map<String, Long> totals) {
      String at = tracking.events("Order") + ", " + failing + ": " + batch;
      int again = 0;
      while (!projector.handle(batch).isDone()) {
        assertTrue(again++ < batch.size(), at);
      }
      totals.forEach(
          (entity, total) ->
              assertEquals(total, views.find(key(entity)).map(World::total).get(), at));
    }
  }

  private static Map<String, Long> totals(List<Delivery> batch) {
    Map<String, Long> totals = new HashMap<>();
    for (Delivery delivery : batch) {
      if (delivery.event() instanceof Opened opened) {
        totals.merge(opened.to(), 1L, Long::sum);
      } else if (delivery.event() instanceof Added added) {
        totals.merge(added.to(), 1L, Long::sum);
      } else if (delivery.event() instanceof Moved moved) {
        totals.merge(moved.from(), 1L, Long::sum);
        totals.merge(moved.to(), 1L, Long::sum);
      }
    }
    return totals;
  }

  private static List<List<Delivery>> orders(List<Delivery> deliveries) {
    if (deliveries.isEmpty()) {
      return List.of(List.of());
    }
    List<List<Delivery>> orders = new ArrayList<>();
    for (Delivery first : deliveries) {
      List<Delivery> rest = new ArrayList<>(deliveries);
      rest.remove(first);
      for (List<Delivery> order : orders(rest)) {
        List<Delivery> all = new ArrayList<>(List.of(first));
        all.addAll(order);
        orders.add(all);
      }
    }
    return orders;
  }

  private static void handle(List<Delivery> deliveries, List<String> failing) {
    Map<String, Long> totals = totals(deliveries);
    for (List<Delivery> order : orders(deliveries)) {
      for (EventPolicy policy : POLICIES) {
        failing.forEach(name -> new World(policy, name).handle(order, totals));
      }
    }
  }

  @Test
  @DisplayName("does all of it where an identity cannot be told at first")
  void identified() {
    for (int call = 1; call <= 8; call++) {
      World world = new World(EventPolicy.dropLate(), "identified " + call);
      world.handle(List.of(PLACED, BILLED), Map.of("order", 2L, "account", 1L));
    }
  }

  @Test
  @DisplayName("is done in the end in whatever order, and each event once, though one fails first")
  void anyOrder() {
    handle(
        List.of(PLACED, added(2), split(3), added(4), BILLED),
        List.of("", "placed", "keyed placed", "added 2", "keyed added 2", "split 3", "billed"));
  }

  @Test
  @DisplayName("is so too with two transactions of a source, an entity of which drops what is late")
  void two() {
    handle(List.of(PLACED, split(2), split(3), BILLED), List.of("", "split 2", "split 3"));
  }

  @Test
  @DisplayName("is so too where its transactions are between the events of a source, and not of it")
  void between() {
    handle(
        List.of(PLACED, added(2), added(3), added(4), BILLED),
        List.of("", "placed", "added 2", "keyed added 2", "added 3"));
  }

  @Test
  @DisplayName("lets no more events overtake than a window remembers")
  void crowd() {
    List<Delivery> batch = new ArrayList<>(List.of(PLACED, added(2), BILLED));
    for (int version = 3; version < 50; version++) {
      batch.add(added(version));
    }
    new World(EventPolicy.sparseWindow(1), "added 2").handle(batch, totals(batch));
  }
}
