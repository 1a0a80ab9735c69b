package dev.tidemark.lab.orders;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.joining;

import dev.tidemark.example.orderhistory.DeliveryEvent.CourierAssigned;
import dev.tidemark.example.orderhistory.DeliveryEvent.MealDelivered;
import dev.tidemark.example.orderhistory.DeliveryEvent.MealPickedUp;
import dev.tidemark.example.orderhistory.Event;
import dev.tidemark.example.orderhistory.OrderEvent;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCancelled;
import dev.tidemark.example.orderhistory.OrderEvent.OrderCreated;
import dev.tidemark.example.orderhistory.OrderEvent.TipGiven;
import dev.tidemark.example.orderhistory.OrderLine;
import dev.tidemark.example.orderhistory.OrderView;
import dev.tidemark.example.orderhistory.SpendingView;
import dev.tidemark.example.orderhistory.TicketEvent.MealReady;
import dev.tidemark.example.orderhistory.TicketEvent.TicketAccepted;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What every row of both views has to look like after some events, each once. Worked out from the
 * list of events by questions to it, in whatever order they stand there; shares no code with the
 * projectors.
 */
final class Truth {
  private static final Pattern WORD = Pattern.compile("\\w+");

  private final Map<String, Map<String, String>> rows = new TreeMap<>();

  Truth(List<Event> events) {
    events.stream()
        .collect(groupingBy(event -> name(event.orderId())))
        .forEach((row, own) -> rows.put(row, order(own)));
    all(events, OrderEvent.class)
        .collect(groupingBy(event -> sumName(event.consumerId() + "/" + month(event.at()))))
        .forEach((row, own) -> rows.put(row, sum(own)));
  }

  /** How one row differs from the truth. */
  record Wrong(String row, String difference) {}

  /** How many rows there have to be. */
  int size() {
    return rows.size();
  }

  /** What a row has to say, by field. */
  Map<String, String> row(String name) {
    return rows.getOrDefault(name, Map.of());
  }

  /** The rows that are wrong, missing or should not be there. */
  List<Wrong> wrong(Rows found) {
    Map<String, Map<String, String>> actual = new TreeMap<>();
    found.orders().forEach(row -> actual.put(name(row.orderId), fields(row)));
    found.spending().forEach(row -> actual.put(sumName(row.id), fields(row)));
    Set<String> names = new TreeSet<>(rows.keySet());
    names.addAll(actual.keySet());
    List<Wrong> wrong = new ArrayList<>();
    for (String name : names) {
      if (!actual.containsKey(name)) {
        wrong.add(new Wrong(name, "is missing"));
      } else if (!rows.containsKey(name)) {
        wrong.add(new Wrong(name, "should not be there"));
      } else if (!row(name).equals(actual.get(name))) {
        wrong.add(new Wrong(name, difference(row(name), actual.get(name))));
      }
    }
    return wrong;
  }

  private static String difference(Map<String, String> expected, Map<String, String> actual) {
    return expected.entrySet().stream()
        .filter(field -> !field.getValue().equals(actual.get(field.getKey())))
        .map(e -> e.getKey() + " " + actual.get(e.getKey()) + " instead of " + e.getValue())
        .collect(joining("; "));
  }

  private static String name(String orderId) {
    return "history of " + orderId;
  }

  private static String sumName(String id) {
    return "spending of " + id;
  }

  private static Map<String, String> order(List<Event> events) {
    List<String> steps = events.stream().flatMap(Truth::step).sorted().toList();
    List<OrderLine> lines =
        all(events, OrderCreated.class).flatMap(created -> created.lines().stream()).toList();
    long tips = all(events, TipGiven.class).mapToLong(TipGiven::cents).sum();
    Map<String, String> row = new LinkedHashMap<>();
    row.put("consumer", text(all(events, OrderCreated.class).map(OrderCreated::consumerId)));
    row.put("placed", text(all(events, OrderCreated.class).map(created -> time(created.at()))));
    row.put("restaurant", text(all(events, OrderCreated.class).map(OrderCreated::restaurant)));
    row.put("status", steps.isEmpty() ? "" : steps.get(steps.size() - 1).split(" ", 2)[1]);
    row.put("lines", told(lines));
    row.put("keywords", words(row.get("restaurant"), lines));
    row.put("total", "" + (lines.stream().mapToLong(OrderLine::cents).sum() + tips));
    row.put("tips", "" + tips);
    row.put("refunded", "" + all(events, OrderCancelled.class).mapToLong(e -> e.refund()).sum());
    row.put("courier", courier(events));
    row.put("timeline", steps.toString());
    return row;
  }

  private static String courier(List<Event> events) {
    Map<Long, String> byVersion = new TreeMap<>();
    all(events, CourierAssigned.class).forEach(e -> byVersion.put(-e.version(), e.courier()));
    return text(byVersion.values().stream());
  }

  private static String words(@Nullable String first, List<OrderLine> lines) {
    Set<String> words = new LinkedHashSet<>();
    Stream.concat(Stream.ofNullable(first), lines.stream().map(OrderLine::name))
        .flatMap(text -> WORD.matcher(text.toLowerCase(Locale.ROOT)).results())
        .map(MatchResult::group)
        .forEach(words::add);
    return words.toString();
  }

  /** One step of the timeline, its time first. */
  private static Stream<String> step(Event event) {
    Map<Class<?>, String> names =
        Map.of(
            OrderCreated.class, "CREATED",
            OrderCancelled.class, "CANCELLED",
            TicketAccepted.class, "ACCEPTED",
            MealReady.class, "READY",
            CourierAssigned.class, "COURIER_ASSIGNED",
            MealPickedUp.class, "PICKED_UP",
            MealDelivered.class, "DELIVERED");
    return Stream.ofNullable(names.get(event.getClass()))
        .map(status -> time(event.at()) + " " + status);
  }

  private static String told(List<OrderLine> lines) {
    return lines.stream()
        .map(line -> line.quantity() + " " + line.name() + " for " + line.cents())
        .toList()
        .toString();
  }

  private static Map<String, String> fields(OrderView view) {
    Map<String, String> row = new LinkedHashMap<>();
    row.put("consumer", String.valueOf(view.consumerId));
    row.put("placed", String.valueOf(view.createdAt));
    row.put("restaurant", String.valueOf(view.restaurant));
    row.put("status", view.status);
    row.put("lines", told(view.lines));
    row.put("keywords", view.keywords.toString());
    row.put("total", "" + view.total);
    row.put("tips", "" + view.tips);
    row.put("refunded", "" + view.refunded);
    row.put("courier", String.valueOf(view.courier));
    row.put(
        "timeline", view.timeline.stream().map(s -> s.at() + " " + s.status()).toList().toString());
    return row;
  }

  private static Map<String, String> sum(List<OrderEvent> events) {
    Map<String, String> row = new LinkedHashMap<>();
    List<OrderCreated> created = all(events, OrderCreated.class).toList();
    Stream<OrderLine> lines = created.stream().flatMap(order -> order.lines().stream());
    row.put("orders", "" + created.size());
    row.put("spent", "" + lines.mapToLong(OrderLine::cents).sum());
    row.put("tips", "" + all(events, TipGiven.class).mapToLong(TipGiven::cents).sum());
    row.put("refunded", "" + all(events, OrderCancelled.class).mapToLong(e -> e.refund()).sum());
    return row;
  }

  private static Map<String, String> fields(SpendingView view) {
    Map<String, String> row = new LinkedHashMap<>();
    row.put("orders", "" + view.orders);
    row.put("spent", "" + view.spent);
    row.put("tips", "" + view.tips);
    row.put("refunded", "" + view.refunded);
    return row;
  }

  private static <E> Stream<E> all(List<? extends Event> events, Class<E> type) {
    return events.stream().filter(type::isInstance).map(type::cast);
  }

  private static String text(Stream<String> values) {
    return values.findFirst().orElse("null");
  }

  private static String time(Instant at) {
    return String.format(Locale.ROOT, "%tFT%<tT.%<tLZ", at.atOffset(ZoneOffset.UTC));
  }

  private static String month(Instant at) {
    return String.format(Locale.ROOT, "%tY-%<tm", at.atOffset(ZoneOffset.UTC));
  }
}
