package dev.tidemark.lambda;

import static dev.tidemark.EntityKey.key;

import dev.tidemark.EntityKey;
import dev.tidemark.Message;
import dev.tidemark.Operation;
import dev.tidemark.Tracking;
import dev.tidemark.intake.DeadLetters.Reason;
import dev.tidemark.intake.IntakeBuilder;
import dev.tidemark.projector.BatchOutcome;
import dev.tidemark.projector.Delivery;
import dev.tidemark.projector.Projector;
import dev.tidemark.tck.MovableClock;
import dev.tidemark.tck.ReferenceMapper;
import dev.tidemark.tck.ReferenceStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Orders that messages such as {@code order-1:5} add to, in a store in memory. */
final class Shop {
  record Order(String id, long total) {}

  /** What a message says. */
  record Paid(String order, long amount) {}

  private static final class OrderMapper implements ReferenceMapper<Order> {
    @Override
    public Map<String, Object> attributes(Order order) {
      return Map.of("total", order.total());
    }

    @Override
    public Order entity(EntityKey key, Map<String, Object> attributes) {
      Object total = attributes.getOrDefault("total", 0L);
      return new Order(key.parts().get(0).toString(), ((Number) total).longValue());
    }

    @Override
    public EntityKey key(Order order) {
      return EntityKey.key(order.id());
    }

    @Override
    public void check(Operation operation) {}
  }

  /** The reasons of dead letters, by what they say. */
  final Map<Object, Reason> letters = new LinkedHashMap<>();

  /** Orders whose handler throws. */
  final Set<String> failing = new HashSet<>();

  /** Orders that the store does not reach. */
  final Set<String> away = new HashSet<>();

  /** Texts that cannot be decoded for now, as while a registry of schemas is away. */
  final Set<String> unread = new HashSet<>();

  /** The number of deliveries in each call of the handler. */
  final List<Integer> calls = new ArrayList<>();

  /** Whether the handler as a whole throws. */
  boolean closed;

  private final ReferenceStore<Order> orders =
      ReferenceStore.of(new OrderMapper(), Tracking.defaults(), new MovableClock());
  private final Projector<Order> projector =
      Projector.into(orders)
          .on(Paid.class, paid -> key(paid.order()), () -> new Order("", 0), this::paid)
          .build();

  private Order paid(Order order, Paid paid) {
    if (failing.contains(paid.order())) {
      throw new NullPointerException("in the handler");
    }
    if (away.contains(paid.order())) {
      throw new UncheckedIOException(new IOException("away"));
    }
    return new Order(order.id(), order.total() + paid.amount());
  }

  BatchOutcome<?> handle(List<Delivery> deliveries) {
    calls.add(deliveries.size());
    if (closed) {
      throw new IllegalStateException("the connection pool is shut down");
    }
    return projector.handle(deliveries);
  }

  /** What a message says is an order's name and an amount; anything else is poison. */
  static Delivery delivery(Message id, String text) {
    String[] parts = text.split(":", -1);
    if (parts.length != 2) {
      throw new IllegalArgumentException("not an event");
    }
    return Delivery.of(id, new Paid(parts[0], Long.parseLong(parts[1])));
  }

  /** As {@link #delivery}, unless the text cannot be decoded for now. */
  Delivery decoded(Message id, String text) {
    if (unread.contains(text)) {
      throw new UncheckedIOException(new IOException("the registry is away"));
    }
    return delivery(id, text);
  }

  /** Settings with dead letters, for messages whose text is theirs to tell. */
  <M> void settings(IntakeBuilder<M> intake, Function<M, Object> text) {
    var unused =
        intake
            .deadLetters((message, reason) -> letters.put(text.apply(message), reason))
            .outage(UncheckedIOException.class)
            .parkAfter(3);
  }

  long total(String order) {
    return orders.find(key(order)).map(Order::total).orElse(0L);
  }
}
