package dev.tidemark.lab.outbox;

import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.MessageId;
import dev.tidemark.Outcome;
import dev.tidemark.lab.outbox.Broker.Arrival;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares what arrived with what was published. */
final class Audit {
  private final List<Payload> published;
  private final List<Arrival> arrivals;

  Audit(List<Payload> published, List<Arrival> arrivals) {
    this.published = published;
    this.arrivals = arrivals;
  }

  int distinct() {
    Set<String> ids = new HashSet<>();
    arrivals.forEach(arrival -> ids.add(arrival.id()));
    return ids.size();
  }

  /** How many messages did not arrive. */
  int lost() {
    Set<Payload> missing = new HashSet<>(published);
    arrivals.forEach(arrival -> missing.remove(arrival.payload()));
    return missing.size();
  }

  /** Messages that nobody published, that have two IDs, or came before one that they follow. */
  List<String> wrong() {
    List<String> wrong = new ArrayList<>();
    Set<Payload> known = new HashSet<>(published);
    Map<String, Payload> byId = new HashMap<>();
    Map<Payload, String> ids = new HashMap<>();
    Map<String, Long> last = new HashMap<>();
    for (Arrival arrival : arrivals) {
      Payload payload = arrival.payload();
      Payload before = byId.putIfAbsent(arrival.id(), payload);
      String id = ids.putIfAbsent(payload, arrival.id());
      boolean same = before == null || before.equals(payload);
      if (!known.contains(payload) || !same || (id != null && !id.equals(arrival.id()))) {
        wrong.add("nobody published " + payload + " as " + arrival.id());
      }
      // Poisoned messages are parked, and go behind the others once they are released.
      if (before == null && payload.ordered() && !payload.poison()) {
        Long highest = last.put(payload.entity(), payload.number());
        if (highest != null && highest > payload.number()) {
          wrong.add(payload + " came behind number " + highest);
        }
      }
    }
    return wrong;
  }

  /** Brings all that arrived to a consumer that drops twins; what of its views is not the truth. */
  List<String> consumed(EntityStore<Order> views) {
    for (Arrival arrival : arrivals) {
      Payload payload = arrival.payload();
      Outcome<Order> outcome =
          views.apply(
              MessageId.of(arrival.id()),
              EntityKey.key(payload.entity()),
              Order::new,
              view -> view.changed(payload.cents()));
      if (!outcome.isDone()) {
        throw new IllegalStateException("the consumer's view is " + outcome);
      }
    }
    Map<String, Order> truth = new HashMap<>();
    published.forEach(
        payload ->
            truth.computeIfAbsent(payload.entity(), id -> new Order()).changed(payload.cents()));
    List<String> wrong = new ArrayList<>();
    truth.forEach(
        (id, should) -> {
          Order view = views.find(EntityKey.key(id)).orElseGet(Order::new);
          if (view.getTimes() != should.getTimes() || view.getCents() != should.getCents()) {
            wrong.add(
                "the view of " + id + " has " + view.getTimes() + ", not " + should.getTimes());
          }
        });
    return wrong;
  }
}
