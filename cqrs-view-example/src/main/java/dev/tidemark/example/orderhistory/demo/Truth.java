package dev.tidemark.example.orderhistory.demo;

import dev.tidemark.example.orderhistory.OrderEvent;
import dev.tidemark.example.orderhistory.OrderEvent.LineAdded;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCancelled;
import dev.tidemark.example.orderhistory.OrderEvent.OrderDelivered;
import dev.tidemark.example.orderhistory.OrderEvent.OrderPaid;
import dev.tidemark.example.orderhistory.OrderEvent.OrderPlaced;
import dev.tidemark.example.orderhistory.OrderEvent.OrderShipped;
import dev.tidemark.example.orderhistory.OrderView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What every order has to look like after its events, each once. Worked out from the list of events
 * by questions to it; shares no code with the projector.
 */
final class Truth {
  private final Map<String, Summary> orders = new TreeMap<>();

  Truth(List<OrderEvent> events) {
    events.stream()
        .collect(Collectors.groupingBy(OrderEvent::orderId))
        .forEach((id, own) -> orders.put(id, expected(own)));
  }

  /** All that a view says, in a form that compares and prints. */
  record Summary(
      String customer,
      String status,
      List<String> lines,
      long total,
      long paid,
      long refunded,
      String parcel,
      List<String> history) {

    static Summary of(OrderView view) {
      return new Summary(
          view.getCustomer(),
          view.getStatus(),
          view.getLines().stream().map(Object::toString).toList(),
          view.getTotal(),
          view.getPaid(),
          view.getRefunded(),
          String.valueOf(view.getParcel()),
          List.copyOf(view.getHistory()));
    }

    private Map<String, String> fields() {
      Map<String, String> fields = new LinkedHashMap<>();
      fields.put("customer", customer);
      fields.put("status", status);
      fields.put("lines", lines.toString());
      fields.put("total", Long.toString(total));
      fields.put("paid", Long.toString(paid));
      fields.put("refunded", Long.toString(refunded));
      fields.put("parcel", parcel);
      fields.put("history", history.toString());
      return fields;
    }
  }

  /** How one view differs from the truth. */
  record Wrong(String orderId, String difference) {}

  /** The views that are wrong, missing or should not be there. */
  List<Wrong> wrong(Collection<OrderView> views) {
    Map<String, Summary> found =
        views.stream().collect(Collectors.toMap(OrderView::getOrderId, Summary::of));
    Set<String> ids = new TreeSet<>(orders.keySet());
    ids.addAll(found.keySet());
    List<Wrong> wrong = new ArrayList<>();
    for (String id : ids) {
      Summary expected = orders.get(id);
      Summary actual = found.get(id);
      if (expected == null || actual == null) {
        wrong.add(new Wrong(id, actual == null ? "is missing" : "should not be there"));
      } else if (!expected.equals(actual)) {
        wrong.add(new Wrong(id, difference(expected, actual)));
      }
    }
    return wrong;
  }

  private static String difference(Summary expected, Summary actual) {
    Map<String, String> found = actual.fields();
    List<String> differences = new ArrayList<>();
    expected
        .fields()
        .forEach(
            (name, value) -> {
              if (!value.equals(found.get(name))) {
                differences.add(name + " " + found.get(name) + " instead of " + value);
              }
            });
    return String.join("; ", differences);
  }

  int orders() {
    return orders.size();
  }

  Map<String, Summary> summaries() {
    return orders;
  }

  private static Summary expected(List<OrderEvent> events) {
    List<String> history = events.stream().flatMap(Truth::step).toList();
    List<LineAdded> lines = all(events, LineAdded.class).toList();
    long received = all(events, OrderPaid.class).mapToLong(OrderPaid::cents).sum();
    boolean calledOff = all(events, OrderCancelled.class).findAny().isPresent();
    return new Summary(
        all(events, OrderPlaced.class).map(OrderPlaced::customer).findFirst().orElse(""),
        history.isEmpty() ? "" : history.get(history.size() - 1).split(":", 2)[0],
        lines.stream().map(l -> l.quantity() + " " + l.sku() + " for " + l.cents()).toList(),
        lines.stream().mapToLong(LineAdded::cents).sum(),
        calledOff ? 0 : received,
        calledOff ? received : 0,
        all(events, OrderShipped.class).map(OrderShipped::parcel).findFirst().orElse("null"),
        history);
  }

  private static <E extends OrderEvent> Stream<E> all(List<OrderEvent> events, Class<E> type) {
    return events.stream().filter(type::isInstance).map(type::cast);
  }

  private static Stream<String> step(OrderEvent event) {
    if (event instanceof OrderPlaced) {
      return Stream.of("PLACED");
    }
    if (event instanceof OrderPaid) {
      return Stream.of("PAID");
    }
    if (event instanceof OrderShipped) {
      return Stream.of("SHIPPED");
    }
    if (event instanceof OrderDelivered) {
      return Stream.of("DELIVERED");
    }
    return event instanceof OrderCancelled c
        ? Stream.of("CANCELLED: " + c.reason())
        : Stream.empty();
  }
}
