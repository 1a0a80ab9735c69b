package dev.tidemark.lab.outbox;

import static dev.tidemark.Change.change;

import dev.tidemark.Change;
import dev.tidemark.Decision;
import dev.tidemark.EntityKey;
import dev.tidemark.EntityStore;
import dev.tidemark.Outcome;
import dev.tidemark.OutgoingMessage;
import dev.tidemark.Result;
import dev.tidemark.SourceEvent;
import dev.tidemark.Write;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Changes orders at random, by updates, decisions, batches and deletes, some of them delivered
 * twice, and notes what has to arrive because of that. For one thread.
 */
final class Producer {
  private final EntityStore<Order> orders;
  private final Settings settings;
  private final Random random;
  private final List<Payload> published = new ArrayList<>();
  private final long[] positions;
  private final long[] numbers;
  private final boolean poisons;

  Producer(EntityStore<Order> orders, Settings settings, boolean poisons) {
    this.orders = orders;
    this.settings = settings;
    this.random = new Random(settings.seed());
    this.positions = new long[settings.entities()];
    this.numbers = new long[settings.entities()];
    this.poisons = poisons;
  }

  /** All that was published, in the order of each entity. */
  List<Payload> published() {
    return published;
  }

  /** Goes on until so many messages more are published. */
  void publish(int messages) {
    int wanted = published.size() + messages;
    while (published.size() < wanted) {
      int entity = random.nextInt(settings.entities());
      switch (random.nextInt(20)) {
        case 0 -> delete(entity);
        case 1, 2, 3 -> batch(entity);
        case 4, 5, 6 -> decide(entity);
        default -> update(entity);
      }
    }
  }

  private static String name(int entity) {
    return "order-" + entity;
  }

  private static EntityKey key(int entity) {
    return EntityKey.key(name(entity));
  }

  private SourceEvent event(int entity) {
    return SourceEvent.of("Order", name(entity), ++positions[entity]);
  }

  private Payload payload(int entity) {
    boolean poison = poisons && random.nextInt(100) == 0;
    boolean ordered = random.nextInt(10) > 0;
    long cents = 1L + random.nextInt(100);
    return new Payload(name(entity), ++numbers[entity], cents, ordered, poison);
  }

  private static OutgoingMessage message(Payload payload) {
    OutgoingMessage message = OutgoingMessage.to("orders", payload.text()).key(payload.entity());
    return payload.ordered() ? message : message.unordered();
  }

  private static Change with(Payload payload) {
    return change()
        .add("times", 1)
        .add("cents", payload.cents())
        .recreate()
        .publish(message(payload));
  }

  private void update(int entity) {
    SourceEvent event = event(entity);
    Payload first = payload(entity);
    Change change = with(first);
    published.add(first);
    if (random.nextInt(5) == 0) {
      Payload second = payload(entity);
      change = change.publish(message(second));
      published.add(second);
    }
    requireApplied(orders.update(event, key(entity), change));
    if (random.nextInt(10) == 0) { // the delivery comes again
      requireDuplicate(orders.update(event, key(entity), change));
    }
  }

  private void decide(int entity) {
    SourceEvent event = event(entity);
    Payload payload = payload(entity);
    Outcome<Order> outcome =
        orders.decide(
            event,
            key(entity),
            order -> Decision.to(order.changed(payload.cents()), message(payload)));
    if (outcome.isApplied()) {
      published.add(payload);
    } else { // nobody has made it, or it is deleted
      numbers[entity]--;
    }
  }

  private void batch(int entity) {
    List<Write<Order>> writes = new ArrayList<>();
    List<Payload> payloads = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      SourceEvent event = event(entity);
      Payload payload = payload(entity);
      payloads.add(payload);
      writes.add(Write.update(event, key(entity), with(payload)));
    }
    for (Result<Order> result : orders.writeAll(writes)) {
      requireApplied(result.outcomeIfJudged().orElseThrow());
    }
    published.addAll(payloads);
  }

  private void delete(int entity) {
    Outcome<Order> unused = orders.delete(event(entity), key(entity));
  }

  private static void requireApplied(Outcome<?> outcome) {
    if (!outcome.isApplied()) {
      throw new IllegalStateException("a change that nobody else makes is " + outcome);
    }
  }

  private static void requireDuplicate(Outcome<?> outcome) {
    if (!(outcome instanceof Outcome.Duplicate)) {
      throw new IllegalStateException("a second delivery is " + outcome);
    }
  }
}
